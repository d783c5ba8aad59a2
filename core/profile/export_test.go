package profile

import "testing"

// Limits sets the lengths at which a timeline moves into blocks and out of them, and
// the length of a block, until t ends.
func Limits(t testing.TB, long, short, block int) {
	a, b, c := longSteps, shortSteps, blockSteps
	t.Cleanup(func() { longSteps, shortSteps, blockSteps = a, b, c })
	longSteps, shortSteps, blockSteps = long, short, block
}

// With calls f with these limits.
func With(long, short, block int, f func()) {
	a, b, c := longSteps, shortSteps, blockSteps
	defer func() { longSteps, shortSteps, blockSteps = a, b, c }()
	longSteps, shortSteps, blockSteps = long, short, block
	f()
}

// Worked returns the number of steps and blocks that operations on the processors'
// blocks have visited, 0 for a short timeline.
func Worked(p *Profile) int64 {
	if p.procs.long == nil {
		return 0
	}
	return p.procs.long.worked
}
