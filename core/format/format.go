// Package format writes numbers and counts as people read them.
package format

// Count returns a number and a noun, with a plural s unless n is 1.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Whole(n) + " " + noun + "s"
}
