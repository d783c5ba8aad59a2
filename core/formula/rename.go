package formula

import "strings"

// Renamed returns a formula with other names of users and of extra resources. What is no
// formula comes out with its texts renamed all the same.
func Renamed(source string, user, resource func(string) string) string {
	var b strings.Builder
	s, done := tokens{source: source}, 0
	var before [2]string // the tokens in front
	for s.take(); s.next.sort != end; s.take() {
		t, of := s.next, user
		named := before == [2]string{"res", ":"}
		if named {
			of = resource
		}
		if t.sort == quoted || named && t.sort == word {
			length := len(t.text)
			if t.sort == quoted {
				length += 2
			}
			b.WriteString(source[done:t.at] + `"` + of(t.text) + `"`)
			done = t.at + length
		}
		before = [2]string{before[1], t.text}
	}
	b.WriteString(source[done:])
	return b.String()
}
