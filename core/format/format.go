// Package format formats and parses numbers, times and counts for people.
package format

// Count returns n with a noun, such as "3 jobs". It appends an s to the noun unless n is 1.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Whole(n) + " " + noun + "s"
}

// Form returns the verb form that agrees with n things: one, such as "remains", if n is 1, and
// otherwise many, such as "remain".
func Form[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
