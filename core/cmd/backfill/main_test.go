package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
)

// execute runs the command in this process, with stdin as its standard input. It returns what the
// command writes to standard output and standard error, and its exit code.
func execute(stdin io.Reader, args ...string) (out, err string, code int) {
	var o, e bytes.Buffer
	code = (&env{in: stdin, out: &o, err: &e}).main(args)
	return o.String(), e.String(), code
}

// exampleFolder changes to a temporary folder with copies of the example files.
func exampleFolder(t *testing.T) {
	t.Helper()
	from, err := filepath.Abs("../../../public/examples")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	files, err := filepath.Glob(filepath.Join(from, "*.json"))
	require.NoError(t, err)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Base(f), data, 0o600))
	}
}

// TestCommands runs the command lines in testdata and compares their output with the output in
// testdata. Lines of standard error begin with "! ". An exit code other than 0 appears after
// the output. To update testdata after an intended change, such as a new metric, run go test
// ./core/cmd/backfill -rewrite.
func TestCommands(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	require.NoError(t, err)
	for _, f := range files {
		if f == filepath.Join("testdata", "bad") { // read by TestBadInput
			continue
		}
		path, err := filepath.Abs(f)
		require.NoError(t, err)
		t.Run(filepath.Base(f), func(t *testing.T) {
			exampleFolder(t)
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				return runDirective(t, d)
			})
		})
	}
}

// runDirective runs a directive of a test file and returns its output. Directives other than write,
// show and files run a command line.
func runDirective(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "write":
		require.NoError(t, os.WriteFile(d.CmdArgs[0].Key, []byte(d.Input+"\n"), 0o600))
		return ""
	case "show":
		data, err := os.ReadFile(d.CmdArgs[0].Key)
		require.NoError(t, err)
		return string(data)
	case "files":
		var names []string
		list, err := os.ReadDir(".")
		require.NoError(t, err)
		for _, e := range list {
			if !strings.HasSuffix(e.Name(), ".json") || strings.HasPrefix(e.Name(), ".") {
				names = append(names, e.Name())
			}
		}
		return strings.Join(names, "\n") + "\n"
	}
	in := ""
	if d.HasArg("stdin") {
		var name string
		d.ScanArgs(t, "stdin", &name)
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		in = string(data)
	}
	return transcript(in, strings.Fields(d.Input)[1:])
}

// transcript runs a command and returns its output, errors and exit code as one text.
func transcript(in string, args []string) string {
	out, errs, code := execute(strings.NewReader(in), args...)
	for line := range strings.Lines(errs) {
		out += "! " + line
	}
	if code != 0 {
		out += fmt.Sprintf("exit %d\n", code)
	}
	return out
}

// TestEveryErrorIsOneLine checks that an error message is one line. A second line with a hint may
// follow it.
func TestEveryErrorIsOneLine(t *testing.T) {
	exampleFolder(t)
	for _, args := range [][]string{{"run", "-in", "first.json", "-limit", "-1"}, {"run", "-bogus"}, {"check"}, {"bench", "."}, {"why", "-in", "first.json"}} {
		_, errs, code := execute(strings.NewReader(""), args...)
		require.NotZero(t, code, args)
		require.LessOrEqual(t, strings.Count(errs, "\n"), 2, errs)
		require.True(t, strings.HasPrefix(errs, "backfill: "), errs)
	}
}

// TestLongFlags checks to which arguments longFlags adds a second dash.
func TestLongFlags(t *testing.T) {
	root := newRoot(&env{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	for in, want := range map[string]string{
		"run -in - -quiet -policy easy": "run --in - --quiet --policy easy",
		"run --in=x -set a=b":           "run --in=x --set a=b",
		"run -in -weird -h":             "run --in -weird -h",
		"check -promises=false x":       "check --promises=false x",
		"why -at -5 -- -job":            "why --at -5 -- -job",
	} {
		require.Equal(t, want, strings.Join(longFlags(root, strings.Fields(in)), " "))
	}
}

// TestRunIsDeterministic checks that two runs with the same arguments write the same bytes.
func TestRunIsDeterministic(t *testing.T) {
	exampleFolder(t)
	var first []string
	for range 2 {
		_, _, code := execute(nil, "run", "-in", "first.json", "-policy", "conservative", "-jobs", "j", "-metrics", "m", "-log", "l", "-svg", "s", "-quiet")
		require.Zero(t, code)
		for i, f := range []string{"j", "m", "l", "s"} {
			data, err := os.ReadFile(f)
			require.NoError(t, err)
			require.NotEmpty(t, data)
			if len(first) < 4 {
				first = append(first, string(data))
			} else {
				require.Equal(t, first[i], string(data))
			}
		}
	}
}

// TestOutputsAppearTogether checks that, if one of several outputs fails, the command creates no
// file and leaves existing files unchanged.
func TestOutputsAppearTogether(t *testing.T) {
	exampleFolder(t)
	require.NoError(t, os.WriteFile("old.csv", []byte("before"), 0o600))
	out, errs, code := execute(nil, "run", "-in", "first.json", "-policy", "easy", "-jobs", "old.csv", "-metrics", "-", "-log", filepath.Join("no", "such", "folder.log"))
	require.Equal(t, 1, code)
	require.Contains(t, errs, "folder.log: expected a writable file, got no such file or folder")
	require.Empty(t, out, "standard output is written last")
	data, err := os.ReadFile("old.csv")
	require.NoError(t, err)
	require.Equal(t, "before", string(data))
	hidden, err := filepath.Glob(".old*")
	require.NoError(t, err)
	require.Empty(t, hidden, "no temporary file remains")
}

// TestFailingWriter checks that the command creates no file if writing to standard output fails.
func TestFailingWriter(t *testing.T) {
	exampleFolder(t)
	var errs bytes.Buffer
	e := &env{in: strings.NewReader(""), out: broken{}, err: &errs}
	require.Equal(t, 1, e.main([]string{"run", "-in", "first.json", "-policy", "easy", "-jobs", "-", "-log", "x.log"}))
	require.Contains(t, errs.String(), "standard output: closed")
	require.NoFileExists(t, "x.log")
}

// TestDeviceStaysADevice checks that an output never replaces a device or a symbolic link with a
// regular file.
func TestDeviceStaysADevice(t *testing.T) {
	exampleFolder(t)
	require.NoError(t, os.WriteFile("real.csv", nil, 0o640))
	require.NoError(t, os.Symlink("real.csv", "link.csv"))
	_, errs, code := execute(nil, "run", "-in", "first.json", "-policy", "easy", "-quiet", "-log", os.DevNull, "-jobs", "link.csv")
	require.Zero(t, code, errs)
	s, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, s.Mode().IsRegular())
	l, err := os.Lstat("link.csv")
	require.NoError(t, err)
	require.NotZero(t, l.Mode()&os.ModeSymlink)
	r, err := os.Stat("real.csv")
	require.NoError(t, err)
	require.NotZero(t, r.Size())
	require.Equal(t, os.FileMode(0o640), r.Mode().Perm())
}

// TestHashOfWholeScenario checks when the metrics contain the hash of the scenario file. They must
// contain it if no flag changes the scenario, or if a flag only selects one of its policies.
// Otherwise, they must not contain it.
func TestHashOfWholeScenario(t *testing.T) {
	exampleFolder(t)
	data, err := os.ReadFile("first.json")
	require.NoError(t, err)
	s, err := scenario.Parse(data)
	require.NoError(t, err)
	hash := scenario.Hash(s)
	for args, same := range map[string]bool{"": true, "-policy conservative": true, "-policy fcfs": false, "-policy easy -set order=sjf": false, "-nodes 9": false} {
		out, errs, code := execute(nil, append([]string{"run", "-in", "first.json", "-quiet", "-metrics", "-"}, strings.Fields(args)...)...)
		require.Zero(t, code, errs)
		require.Equal(t, same, strings.Contains(out, hash), args)
	}
}

// broken is a writer that always fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, fmt.Errorf("closed") }

// TestChunks checks that a chunks buffer returns what was written to it.
func TestChunks(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 20_000)
	var p chunks
	for _, cut := range [][2]int{{0, 0}, {0, 3}, {3, 150_000}, {150_000, 200_000}} {
		n, err := p.Write(text[cut[0]:cut[1]])
		require.NoError(t, err)
		require.Equal(t, cut[1]-cut[0], n)
	}
	var out bytes.Buffer
	n, err := p.WriteTo(&out)
	require.NoError(t, err)
	require.EqualValues(t, len(text), n)
	require.Equal(t, text, out.Bytes())
	_, err = p.WriteTo(broken{})
	require.EqualError(t, err, "closed")
}

// TestEscapeWriter checks that the escaped text does not depend on the pieces in which the text is
// written.
func TestEscapeWriter(t *testing.T) {
	for text, want := range map[string]string{
		"plain, \tü 漢\n":        "plain, \tü 漢\n",
		"\x1b[2J\a\r\x7f\x00":   `\x1b[2J\a\r\x7f\x00`,
		"\u009b2J":              `\u009b2J`,
		"a\u202eb\u2066c\u200f": `a\u202eb\u2066c\u200f`,
		"\xff\u2028":            `\xff\u2028`,
	} {
		for _, piece := range []int{1, 2, 3, len(text)} {
			var b bytes.Buffer
			v := &escapeWriter{w: &b}
			for rest := text; rest != ""; {
				n, err := v.Write([]byte(rest[:min(piece, len(rest))]))
				require.NoError(t, err)
				rest = rest[n:]
			}
			require.Equal(t, want, b.String(), "in pieces of %d", piece)
		}
	}
}

// TestControlCharacters checks names with control characters. They must be escaped in text for users, and
// unchanged in data for programs. On a terminal, they must be escaped in data too.
func TestControlCharacters(t *testing.T) {
	t.Chdir(t.TempDir())
	name := "\u009b2J\u202ex"
	require.NoError(t, os.WriteFile("in.csv", []byte("id,submit,procs,runtime\n"+name+",0,1,5\n"), 0o600))
	out, errs, code := execute(nil, "gantt", "-in", "in.csv", "-nodes", "2", "-policy", "easy")
	require.Zero(t, code, errs)
	require.Contains(t, out, `\u009b2J\u202ex`)
	require.NotContains(t, out, name)
	out, errs, code = execute(nil, "run", "-in", "in.csv", "-nodes", "2", "-policy", "easy", "-jobs", "-", "-quiet")
	require.Zero(t, code, errs)
	require.Contains(t, out, name)
	var screen, errors strings.Builder
	e := &env{out: &screen, err: &errors, outIsTerminal: true}
	require.Zero(t, e.main([]string{"run", "-in", "in.csv", "-nodes", "2", "-policy", "easy", "-jobs", "-", "-quiet"}))
	require.NotContains(t, screen.String(), name)
}

// TestUnknownJob checks that errors about an unknown job have commas between thousands.
func TestUnknownJob(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "id,submit,procs,estimate,runtime\n"
	for i := range 1234 {
		text += fmt.Sprintf("j%d,0,1,9,5\n", i)
	}
	require.NoError(t, os.WriteFile("a.csv", []byte(text), 0o600))
	for _, args := range []string{"why -job x", "whatif -job x -sooner", "whatif -change remove=x"} {
		_, errs, code := execute(nil, append(strings.Fields(args), "-in", "a.csv", "-nodes", "4", "-policy", "easy")...)
		require.Equal(t, 1, code, args)
		require.Contains(t, errs, `expected the id of one of the 1,234 jobs, got "x"`)
	}
}
