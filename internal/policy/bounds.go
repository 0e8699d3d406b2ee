package policy

// obeyOperator holds a paused workload and carries out a fixed count. Work is
// not looked at: the operator's word is final until it expires.
func (t *tick) obeyOperator() (verdict, bool) {
	if t.config.Paused {
		return t.hold(ReasonPaused), true
	}
	override, ok := t.seen.Override.Get()
	if !ok || !override.active(t.now) {
		return verdict{}, false
	}
	switch override.Mode {
	case OverridePause:
		return t.hold(ReasonPaused), true
	case OverrideCount:
		return verdict{min(max(0, override.Count), t.config.MaxTasks), ReasonOverride}, true
	}
	return verdict{}, false
}

// enforceBounds moves a count that is outside [floor, ceiling] straight inside.
func (t *tick) enforceBounds() (verdict, bool) {
	inside := t.within(t.service.Desired)
	return verdict{inside, ReasonBounds}, inside != t.service.Desired
}

// within returns n moved inside [floor, ceiling].
func (t *tick) within(n int) int { return min(max(n, t.terms.Floor), t.terms.Ceiling) }
