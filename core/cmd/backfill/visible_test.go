package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain, \tü 漢\n":        "plain, \tü 漢\n",
		"\x1b[2J\a\r\x7f\x00":   `\x1b[2J\a\r\x7f\x00`,
		"\u009b2J":              `\u009b2J`,
		"a\u202eb\u2066c\u200f": `a\u202eb\u2066c\u200f`,
		"\xff\u2028":            `\xff\u2028`,
	} {
		for _, piece := range []int{1, 2, 3, len(text)} {
			var b bytes.Buffer
			v := &visible{w: &b}
			for rest := text; rest != ""; {
				n, err := v.Write([]byte(rest[:min(piece, len(rest))]))
				require.NoError(t, err)
				rest = rest[n:]
			}
			require.Equal(t, want, b.String(), "in pieces of %d", piece)
		}
	}
}

// What a person reads shows the control characters of names; what a program reads has
// them as they are, unless a person reads it on a terminal.
func TestControlCharacters(t *testing.T) {
	t.Chdir(t.TempDir())
	name := "\u009b2J\u202ex"
	require.NoError(t, os.WriteFile("in.csv", []byte("id,submit,procs,runtime\n"+name+",0,1,5\n"), 0o600))
	out, errs, code := call(nil, "gantt", "-in", "in.csv", "-nodes", "2", "-policy", "easy")
	require.Zero(t, code, errs)
	require.Contains(t, out, `\u009b2J\u202ex`)
	require.NotContains(t, out, name)
	out, errs, code = call(nil, "run", "-in", "in.csv", "-nodes", "2", "-policy", "easy", "-jobs", "-", "-quiet")
	require.Zero(t, code, errs)
	require.Contains(t, out, name)
	var screen, words strings.Builder
	e := &env{out: &screen, err: &words, read: true}
	require.Zero(t, e.main([]string{"run", "-in", "in.csv", "-nodes", "2", "-policy", "easy", "-jobs", "-", "-quiet"}))
	require.NotContains(t, screen.String(), name)
}
