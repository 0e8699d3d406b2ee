package policy

import (
	"bytes"
	"encoding/json"
)

// Signal is a measurement that may be missing. Its zero value is unknown, and
// unknown is never treated as zero: a rule that needs the value is skipped or
// holds. In JSON an unknown signal is null.
type Signal[T any] struct {
	value T
	known bool
}

// Known returns a signal that carries v.
func Known[T any](v T) Signal[T] { return Signal[T]{value: v, known: true} }

// Get returns the value and whether it is known. The value of an unknown
// signal is T's zero value and must not be used.
func (s Signal[T]) Get() (T, bool) { return s.value, s.known }

// Or returns the value if it is known, else fallback.
func (s Signal[T]) Or(fallback T) T {
	if !s.known {
		return fallback
	}
	return s.value
}

// IsKnown reports whether the signal carries a value.
func (s Signal[T]) IsKnown() bool { return s.known }

// IsZero reports whether the signal is unknown, so that "omitzero" leaves an
// unknown signal out.
func (s Signal[T]) IsZero() bool { return !s.known }

// MarshalJSON writes the value, or null when it is unknown.
func (s Signal[T]) MarshalJSON() ([]byte, error) {
	if !s.known {
		return []byte("null"), nil
	}
	return json.Marshal(s.value)
}

// UnmarshalJSON reads a value, or null for unknown.
func (s *Signal[T]) UnmarshalJSON(data []byte) error {
	*s = Signal[T]{}
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil
	}
	if err := json.Unmarshal(data, &s.value); err != nil {
		return err
	}
	s.known = true
	return nil
}
