package sim

import "time"

// Fixed is a fleet of constant size.
type Fixed int

// Period is arbitrary: nothing is decided.
func (f Fixed) Period() time.Duration { return time.Minute }

// Decide returns the size.
func (f Fixed) Decide(Sight) int { return int(f) }

// Overhead is nothing.
func (f Fixed) Overhead(Prices) Overhead { return Overhead{} }
