package profile

import "testing"

// Limits sets longSteps, shortSteps and blockSteps until t ends.
func Limits(t testing.TB, long, short, block int) {
	a, b, c := longSteps, shortSteps, blockSteps
	t.Cleanup(func() { longSteps, shortSteps, blockSteps = a, b, c })
	longSteps, shortSteps, blockSteps = long, short, block
}

// With calls f with the given longSteps, shortSteps and blockSteps.
func With(long, short, block int, f func()) {
	a, b, c := longSteps, shortSteps, blockSteps
	defer func() { longSteps, shortSteps, blockSteps = a, b, c }()
	longSteps, shortSteps, blockSteps = long, short, block
	f()
}

// Worked returns the number of steps and blocks that operations on the free processors have
// visited. It returns 0 for a short timeline.
func Worked(p *Profile) int64 {
	if p.procs.long == nil {
		return 0
	}
	return p.procs.long.worked
}
