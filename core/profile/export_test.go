package profile

import "testing"

// SetLimits sets the limits longSteps, shortSteps and blockSteps until test t ends. With low limits,
// even short timelines are stored in blocks.
func SetLimits(t testing.TB, long, short, block int) {
	a, b, c := longSteps, shortSteps, blockSteps
	t.Cleanup(func() { longSteps, shortSteps, blockSteps = a, b, c })
	longSteps, shortSteps, blockSteps = long, short, block
}

// WithLimits is like SetLimits, but sets the limits only during a call of f.
func WithLimits(long, short, block int, f func()) {
	a, b, c := longSteps, shortSteps, blockSteps
	defer func() { longSteps, shortSteps, blockSteps = a, b, c }()
	longSteps, shortSteps, blockSteps = long, short, block
	f()
}

// Visited returns the number of steps and blocks that operations on the free processors have
// visited, or 0 if their timeline is not stored in blocks.
func Visited(p *Profile) int64 {
	if p.procs.long == nil {
		return 0
	}
	return p.procs.long.visited
}
