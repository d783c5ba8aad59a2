package main

import (
	"fmt"
	"strings"
)

// plainScript is a hand-written script as it is shipped: without indentation,
// blank lines and lines of comment. It changes no line otherwise, so it refuses
// a text over several lines, where indentation counts.
func plainScript(name, source string) (string, error) {
	var b strings.Builder
	for i, line := range strings.Split(source, "\n") {
		if strings.Count(line, "`")%2 != 0 {
			return "", fmt.Errorf("%s:%d: expected a template text to end in its line", name, i+1)
		}
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String(), nil
}
