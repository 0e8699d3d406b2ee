package policy

import "testing"

func TestServoSizesTheStepByTheError(t *testing.T) {
	tests := []struct {
		name        string
		servo       servo
		size        int
		e, integral float64
		step        int
		sum         float64
	}{
		{"proportional: as far over as the pressure is", servo{1, 0, 100}, 10, 0.5, 0, 5, 0.5},
		{"a marginal error still adds one", servo{1, 0, 100}, 10, 0.01, 0, 1, 0.01},
		{"a huge error is cut to the limit", servo{1, 0, 7}, 10, 1e9, 0, 7, 1e9},
		{"the integral adds what earlier ticks left", servo{0, 0.1, 100}, 10, 1, 4, 5, 5},
		{"the integral alone never asks for more than the limit", servo{0, 0.1, 6}, 10, 50, 500, 6, 6},
		{"a limit of one has no controller", servo{100, 100, 1}, 10, 50, 50, 1, 0},
		{"no gain still takes the smallest step", servo{0, 0, 5}, 10, 1, 0, 1, 1},
		{"a fleet of none is survived", servo{1, 1, 5}, 0, 1, 0, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			step, sum, _ := tt.servo.step(tt.size, tt.e, tt.integral)
			if step != tt.step || sum != tt.sum {
				t.Errorf("step %d, integral %g; want %d, %g", step, sum, tt.step, tt.sum)
			}
		})
	}
}
