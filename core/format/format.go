// Package format writes numbers, times and counts for people to read.
package format

// Count returns a number and a noun. It adds a plural s unless n is 1.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Whole(n) + " " + noun + "s"
}

// Form returns the form of a verb that agrees with n things: one, such as "remains", for a single
// thing, and many, such as "remain", otherwise.
func Form[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
