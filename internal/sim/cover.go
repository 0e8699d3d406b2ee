package sim

// Cover is one step of choosing profiles: a contender of Rouse's, and how many
// points of peers it dominates, alone and beyond those chosen before it.
type Cover struct {
	Contender string
	Alone     int
	Beyond    int
}

// Covers chooses up to n of Rouse's contenders that together dominate many
// points of peers: each time the one that adds most to those chosen before (the
// greedy answer to the maximum coverage problem, at least 63% of the best there
// is). Of equals the first is taken.
func (c Comparison) Covers(n int) []Cover {
	names, beaten := c.dominated()
	var chosen []Cover
	covered := map[int]bool{}
	for len(chosen) < n {
		best := Cover{}
		for _, name := range names {
			if beyond := countBeyond(beaten[name], covered); beyond > best.Beyond {
				best = Cover{Contender: name, Alone: len(beaten[name]), Beyond: beyond}
			}
		}
		if best.Beyond == 0 {
			break
		}
		for _, peer := range beaten[best.Contender] {
			covered[peer] = true
		}
		chosen = append(chosen, best)
	}
	return chosen
}

// dominated lists Rouse's contenders in their order, and which rows of peers
// each dominates.
func (c Comparison) dominated() (names []string, beaten map[string][]int) {
	beaten = map[string][]int{}
	for _, row := range c.Rows {
		if !row.Rouse {
			continue
		}
		if _, known := beaten[row.Contender]; !known {
			names = append(names, row.Contender)
			beaten[row.Contender] = []int{}
		}
		for i, peer := range c.Rows {
			if !peer.Rouse && peer.Case == row.Case && row.Dominates(peer) {
				beaten[row.Contender] = append(beaten[row.Contender], i)
			}
		}
	}
	return names, beaten
}

func countBeyond(peers []int, covered map[int]bool) int {
	n := 0
	for _, peer := range peers {
		if !covered[peer] {
			n++
		}
	}
	return n
}
