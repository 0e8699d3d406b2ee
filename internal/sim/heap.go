package sim

// heap is a binary min-heap. It exists because container/heap boxes every
// element, which would be most of what a run allocates.
type heap[T interface{ before(T) bool }] []T

func (h *heap[T]) push(x T) {
	*h = append(*h, x)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = x
}

// pop removes the least element; the heap must not be empty.
func (h *heap[T]) pop() T {
	s := *h
	least, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	if len(s) > 0 {
		s.sink(last)
	}
	return least
}

// sink puts x where it belongs, from the top down.
func (h heap[T]) sink(x T) {
	i := 0
	for child := 1; child < len(h); child = 2*i + 1 {
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(x) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}
