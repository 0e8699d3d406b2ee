package pool

import (
	"runtime"
	"sync"
	"testing"
)

// BenchmarkDispatch measures one task from Dispatch to its end, with the tasks
// spread over 1 and 8 producers. The comparison with a bare channel and with
// other pools, round by round, is in bench/pool.
func BenchmarkDispatch(b *testing.B) {
	for name, producers := range map[string]int{"producers=1": 1, "producers=8": 8} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			p, err := New(Config{Size: runtime.GOMAXPROCS(0), BufferSize: 1024}, func(func()) {})
			if err != nil {
				b.Fatal(err)
			}
			flood(producers, b.N/producers+1, p.Dispatch)
			if err := p.Drain(b.Context()); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// flood has n tasks dispatched by each producer, who yields when refused.
func flood(producers, n int, dispatch func(func()) bool) {
	var wg sync.WaitGroup
	for range producers {
		wg.Go(func() {
			for range n {
				for !dispatch(nil) {
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
}
