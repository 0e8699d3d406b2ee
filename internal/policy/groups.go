package policy

// fitGroups keeps a FIFO workload at what its message groups can use. Messages
// of one group are worked on one after another, so that once slots are free
// while messages wait, every group is being worked on and more tasks would find
// nothing to claim.
func (t *tick) fitGroups() (verdict, bool) {
	groups, known := t.seen.Groups.Get()
	if !known || groups == 0 || t.starting() {
		return verdict{}, false
	}
	if float64(groups) >= t.slots()*float64(t.service.Desired) {
		return verdict{}, false
	}
	worth := max(1, t.terms.Floor, t.seen.Busy.Or(groups), ceilWithin(float64(groups)/t.slots(), 1, groups))
	if t.service.Desired <= worth {
		return t.hold(ReasonGroups), t.queueAsks() || t.ageAsks()
	}
	if t.service.Deploying || t.cooldownLeft() > 0 {
		return verdict{}, false
	}
	return verdict{worth, ReasonGroups}, true
}
