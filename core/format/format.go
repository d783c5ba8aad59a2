// Package format writes numbers, times and counts for people to read.
package format

// Count returns a number and a noun. It adds a plural s unless n is 1.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Whole(n) + " " + noun + "s"
}
