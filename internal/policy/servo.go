package policy

// servo is a proportional-integral controller that sizes a step which has been
// decided on already: u = kp·e + ki·Σe, and the step is size × u, rounded up
// and kept within 1 and limit. With a limit of 1 there is nothing to size and
// no controller.
//
// The integral is clamped where it alone would ask for the whole limit
// (anti-windup by clamping; Åström and Hägglund, "PID Controllers", 1995, 3.5).
type servo struct {
	kp, ki float64
	limit  int
}

// step returns the step for a fleet of size with error e, the integral after
// it, and the controller's output u.
func (s servo) step(size int, e, integral float64) (step int, sum, u float64) {
	if s.limit <= 1 {
		return 1, 0, 0
	}
	sum = integral + e
	if s.ki > 0 {
		sum = min(sum, float64(s.limit)/(s.ki*float64(max(1, size))))
	}
	u = s.kp*e + s.ki*sum
	return ceilWithin(float64(size)*u, 1, s.limit), sum, u
}
