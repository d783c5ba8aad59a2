package main

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestExamplesOfTheDocumentation runs the commands in docs/ and compares their output with the
// output in docs/. In a code block with the language console, it runs each line that begins with
// "$ ". If a code block has a file name after its language, it writes the block to a file with
// this name. To update the output after an intended change, run go test ./core/cmd/backfill -run
// Documentation -rewrite.
func TestExamplesOfTheDocumentation(t *testing.T) {
	root, err := filepath.Abs("../../../docs")
	require.NoError(t, err)
	ran := 0
	require.NoError(t, filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".md" {
			return err
		}
		back, err := os.Getwd()
		require.NoError(t, err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if _, err := exec.LookPath("python3"); err != nil && strings.Contains(string(text), "exec:python3") {
			t.Logf("skipped %s, which needs python3", filepath.Base(file))
			return nil
		}
		exampleFolder(t)
		current, n := runExamples(t, string(text))
		ran += n
		t.Chdir(back)
		if flag.Lookup("rewrite").Value.String() == "true" {
			return os.WriteFile(file, []byte(current), 0o600)
		}
		if string(text) != current {
			i, before, after := firstDifference(string(text), current)
			t.Errorf("%s:%d: the output of an example changed, from\n%s\nto\n%s", filepath.Base(file), i, before, after)
		}
		return nil
	}))
	require.Greater(t, ran, 20, "number of examples")
}

// firstDifference returns the number of the first line that differs between two texts, and the line in
// each text.
func firstDifference(a, b string) (line int, inA, inB string) {
	linesA, linesB := strings.Split(a, "\n"), strings.Split(b, "\n")
	i := 0
	for i < min(len(linesA), len(linesB))-1 && linesA[i] == linesB[i] {
		i++
	}
	return i + 1, linesA[i], linesB[i]
}

// TestManualHasAllCommandsAndFlags checks that the output of the command manual, which is part of
// the documentation, lists every command and flag.
func TestManualHasAllCommandsAndFlags(t *testing.T) {
	text, _, code := execute(nil, "manual")
	require.Zero(t, code)
	for _, c := range newRoot(&env{}).Commands() {
		_, part, found := strings.Cut(text, "## "+c.Name()+"\n")
		require.True(t, found || c.Hidden, c.Name())
		part, _, _ = strings.Cut(part, "\n## ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			require.Regexp(t, "(?m)^\\| `-"+f.Name+"[ `]", part, "%s -%s", c.Name(), f.Name)
		})
	}
}

// runExamples runs the commands in a text. It returns the text with the current output of the commands,
// and the number of commands.
func runExamples(t *testing.T, text string) (current string, ran int) {
	t.Helper()
	parts := strings.Split(text, "\n```") // odd parts are the content of code blocks
	for i := 1; i < len(parts); i += 2 {
		info, body, _ := strings.Cut(parts[i], "\n")
		if language, name, named := strings.Cut(info, " "); named {
			require.NoError(t, os.WriteFile(name, []byte(body+"\n"), 0o600))
		} else if language == "console" {
			var lines []string
			for _, line := range strings.Split(body, "\n") {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					lines = append(lines, line)
					if out := runLine(t, command); out != "" {
						lines = append(lines, strings.TrimRight(out, "\n"))
					}
					ran++
				}
			}
			parts[i] = info + "\n" + strings.TrimRight(strings.Join(lines, "\n"), "\n")
		}
	}
	return strings.Join(parts, "\n```"), ran
}

// runLine runs a command line and returns its output and errors. The line may contain words in single
// quotes, and may end with "| head -N".
func runLine(t *testing.T, command string) string {
	t.Helper()
	command, maxLines, cut := strings.Cut(command, " | head -")
	var args []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			args[len(args)-1] += part
			continue
		}
		words := strings.Split(part, " ")
		if i > 0 { // the first word is the empty text between the closing quote and a space
			words = words[1:]
		}
		args = append(args, words...)
	}
	require.Equal(t, "backfill", args[0], command)
	out, errs, _ := execute(strings.NewReader(""), args[1:]...)
	out += errs
	if n, err := strconv.Atoi(maxLines); cut {
		require.NoError(t, err, command)
		lines := strings.SplitAfter(out, "\n")
		out = strings.Join(lines[:min(n, len(lines))], "")
	}
	var trimmed strings.Builder
	for line := range strings.Lines(out) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return trimmed.String()
}
