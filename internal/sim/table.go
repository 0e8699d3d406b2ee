package sim

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// WriteTable writes all rows, case by case, each followed by its bound.
func (c Comparison) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, row := range c.Rows {
		if i == 0 || row.Case != c.Rows[i-1].Case {
			fmt.Fprintf(t, "\n%s: %d messages, at least %.2f task-hours\n", row.Case, row.Result.Messages, c.Bounds[row.Case].TaskHours())
			fmt.Fprint(t, "\tmisses\tshare\ttask-h\t$/month\tp50\tp95\tp99\tmax\tleft\tstarts\tmost\tactions\treversals\t\n")
		}
		row.write(t)
	}
	return t.Flush()
}

func (g Gap) remark() string {
	if g.Peer.Result.Left == 0 {
		return ""
	}
	return fmt.Sprintf("left %d behind", g.Peer.Result.Left)
}

func (r Row) write(w io.Writer) {
	o := r.Result
	fmt.Fprintf(w, "%s\t%d\t%.2f%%\t%.2f\t%.2f\t%v\t%v\t%v\t%v\t%d\t%d\t%d\t%d\t%d\t\n",
		r.Contender, o.Misses, 100*o.MissShare(), o.TaskHours, o.Monthly.Total(),
		brief(o.P50), brief(o.P95), brief(o.P99), brief(o.Max),
		o.Left, o.ColdStarts, o.MaxTasks, o.Actions, o.Reversals)
}

// brief rounds a duration for a table.
func brief(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// WriteGaps writes what Rouse does not dominate, and by how much. Messages that
// a peer left behind are told: not serving costs nothing.
func (c Comparison) WriteGaps(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, g := range c.Gaps() {
		fmt.Fprintf(t, "%s\t%s (%d, %.2f h)\tnearest %s (%d, %.2f h)\t+%d misses\t%+.2f h\t%s\n",
			g.Peer.Case, g.Peer.Contender, g.Peer.Result.Misses, g.Peer.Result.TaskHours,
			g.Nearest.Contender, g.Nearest.Result.Misses, g.Nearest.Result.TaskHours, g.Misses, g.TaskHours, g.remark())
	}
	return t.Flush()
}
