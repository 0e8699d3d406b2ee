package sim

// Chance is counter-based: a draw is a function of the seed, of what is drawn
// and of its number, not of what was drawn before. So the n-th message takes
// equally long under every controller, and their results differ by the
// controllers alone (common random numbers).
type chance uint64

// draws names what is drawn, so that draws of different kinds are independent.
type draws uint64

const (
	drawService draws = iota + 1
	drawFailure
	drawColdStart
	drawPlace
	drawTask
	drawShape
)

// uniform returns a number strictly between 0 and 1.
func (c chance) uniform(what draws, n uint64) float64 {
	return (float64(c.bits(what, n)>>11) + 0.5) / (1 << 53)
}

// below returns a number from 0 to n-1.
func (c chance) below(n int, what draws, number uint64) int {
	return int(c.uniform(what, number) * float64(n))
}

func (c chance) bits(what draws, n uint64) uint64 {
	return mix(mix(uint64(c)+uint64(what)*golden) + n*golden)
}

const golden = 0x9e3779b97f4a7c15 // 2⁶⁴ ÷ φ

// mix is the output function of SplitMix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", 2014).
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
