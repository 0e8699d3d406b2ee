package sim

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestHistogramQuantilesAreWithinTheirError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	var all []time.Duration
	for range 20000 {
		d := time.Duration(r.ExpFloat64() * float64(r.Uint64N(1<<uint(r.IntN(50)))))
		all = append(all, d)
		h.Add(d)
	}
	slices.Sort(all)
	for _, q := range []float64{0, 0.01, 0.5, 0.95, 0.99, 0.999, 1} {
		want := all[max(1, int(q*float64(len(all))+0.999999))-1]
		got := h.Quantile(q)
		if off := max(got-want, want-got); off > want/256+1 {
			t.Errorf("quantile %v: got %d, want %d", q, got, want)
		}
	}
	if h.Max() != all[len(all)-1] || h.Count() != len(all) {
		t.Errorf("max %v of %d, want %v of %d", h.Max(), h.Count(), all[len(all)-1], len(all))
	}
}

func TestHistogramTakesWhatItIsGiven(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 {
		t.Error("an empty histogram has a median")
	}
	for _, d := range []time.Duration{-1, 0, 1<<63 - 1} {
		h.Add(d)
	}
	if h.Quantile(0) != 0 || h.Quantile(1) > h.Max() || h.Max() != 1<<63-1 {
		t.Errorf("got %d to %d", h.Quantile(0), h.Quantile(1))
	}
}

func TestHeapPopsInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var h heap[message]
	for n := range 1000 {
		h.push(message{sent: time.Duration(r.IntN(100)), id: uint32(n)})
	}
	last := time.Duration(-1)
	for len(h) > 0 {
		m := h.pop()
		if m.sent < last {
			t.Fatalf("%d after %d", m.sent, last)
		}
		last = m.sent
	}
}

func TestBacklogGivesTheOldestFirst(t *testing.T) {
	var b backlog
	for sent := range time.Duration(200) {
		b.fresh.push(message{sent: 10 + sent})
		if sent%3 == 0 {
			b.take()
		}
	}
	b.returned.push(message{sent: 5})
	b.returned.push(message{sent: 100})
	last := time.Duration(0)
	for b.len() > 0 {
		oldest, _ := b.oldest()
		if m := b.take(); m.sent != oldest || m.sent < last {
			t.Fatalf("took %d after %d, the oldest was %d", m.sent, last, oldest)
		}
		last = oldest
	}
}
