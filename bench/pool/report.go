package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// allowed is how much slower than the floor the pool may be.
const allowed = 1.2

// write prints the contenders, the fastest first.
func (t timings) write(w io.Writer, p plan) error {
	fmt.Fprintf(w, "%d producer(s), %d goroutines, buffer %d, %d rounds of %d tasks\n",
		p.producers, p.size, p.buffer, len(t[ours]), p.tasks)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "contender\tmedian ns\tbest ns\tratio to floor\t")
	for _, name := range t.ranked() {
		fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%.2f\t\n",
			name, median(t[name]), slices.Min(t[name]), t.ratio(name, floor))
	}
	return table.Flush()
}

func (t timings) ranked() []string {
	names := make([]string, 0, len(contenders))
	for _, c := range contenders {
		names = append(names, c.name)
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(slices.Min(t[a]), slices.Min(t[b]))
	})
	return names
}

// verdicts returns one sentence for each gate that was missed.
func (t timings) verdicts() (missed []string) {
	if r := t.ratio(ours, floor); r > allowed {
		missed = append(missed, fmt.Sprintf("%s takes %.2f times as long as %q, allowed is %.2f", ours, r, floor, allowed))
	}
	for _, c := range contenders {
		if c.name == ours || c.name == floor || c.name == blockingFloor {
			continue
		}
		if r := t.ratio(ours, c.name); r > 1 {
			missed = append(missed, fmt.Sprintf("%s takes %.2f times as long as %s", ours, r, c.name))
		}
	}
	return missed
}
