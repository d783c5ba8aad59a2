// Command backfill runs scheduling policies on workloads. It uses the same packages as the page, so
// both give the same results.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"backfill-lab/core/cmd/backfill/internal/program"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/version"
)

func main() {
	e := &env{in: os.Stdin, out: os.Stdout, err: os.Stderr, errIsTerminal: isTerminal(os.Stderr), outIsTerminal: isTerminal(os.Stdout)}
	os.Exit(e.main(os.Args[1:]))
}

// env holds the standard streams, and the flags that all commands share.
type env struct {
	in            io.Reader
	out, err      io.Writer // standard output and standard error; both escape control characters
	data          io.Writer // standard output for data that programs read; escapes control characters only on a terminal
	progress      io.Writer // standard error without escaping, for the progress bar
	errIsTerminal bool      // whether standard error is a terminal, so that a progress bar can be shown
	outIsTerminal bool      // whether standard output is a terminal
	progressLines bool      // whether to print progress as lines instead of a bar
	quiet         bool      // whether to print no summary, notes or progress
	seconds       bool      // whether to write times in seconds

	inputs   []os.FileInfo // files that the command reads; no output may replace them
	programs program.Set   // running programs that act as policies
}

// isTerminal reports whether f is a terminal or another character device.
func isTerminal(f *os.File) bool {
	s, err := f.Stat()
	return err == nil && s.Mode()&os.ModeCharDevice != 0
}

// usageError is an error in the command line.
type usageError struct{ text string }

func (u *usageError) Error() string { return u.text }

// usageErrorf returns a usage error with a formatted text.
func usageErrorf(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// failure wraps an error that comes from the input or the run, and not from the command line.
type failure struct{ error }

// errChecksFailed is returned if a check or a search found errors, which were already printed.
var errChecksFailed = errors.New("")

// main runs the command and returns the exit code. It is 0 for success and 2 for an invalid command
// line. It is 1 for invalid input, for an error in the run, and if a check or a search found
// errors.
func (e *env) main(args []string) int {
	e.data, e.progress = e.out, e.err
	out := &escapeWriter{w: e.out}
	e.out, e.err = out, &escapeWriter{w: e.err}
	if e.outIsTerminal {
		e.data = e.out
	}
	defer e.programs.Close()
	script.SetInterpreter(interp.New)
	root := newRoot(e)
	root.SetArgs(longFlags(root, args))
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.err)
	c, err := root.ExecuteC()
	var f *failure
	if err == nil && out.err != nil {
		err = &failure{fmt.Errorf("standard output: %w", out.err)}
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errChecksFailed):
		return 1
	case errors.As(err, &f):
		fmt.Fprintf(e.err, "backfill: %v\n", err)
		return 1
	}
	fmt.Fprintf(e.err, "backfill: %v\n%s -help shows the usage.\n", err, c.CommandPath())
	return 2
}

// newRoot returns the command backfill with all its subcommands.
func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:           "backfill",
		Short:         "Run scheduling policies on workloads",
		Long:          "Run scheduling policies on workloads of parallel jobs.\nFlags may be written with one dash or two: -in FILE, --in FILE, -in=FILE.\nExit code 0: success; 1: invalid input or a failed check; 2: wrong usage.",
		Version:       version.Program,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error { return usageErrorf("expected a command") },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{flagErrorText(err)} })
	root.SetUsageFunc(printUsage)
	root.AddCommand(runCommand(e), compareCommand(e), policiesCommand(e), generateCommand(e), sliceCommand(e), checkCommand(e),
		whyCommand(e), whatifCommand(e), refuteCommand(e), gradeCommand(e), gradeOneCommand(e), ganttCommand(e), studyCommand(e), sweepCommand(e), collectCommand(e), claimsCommand(e), benchCommand(e), manualCommand(e))
	return root
}

// runE converts f to a function for package cobra. It wraps errors in failure, except usage errors
// and errChecksFailed.
func runE(f func(args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		err := f(args)
		var u *usageError
		if err == nil || errors.Is(err, errChecksFailed) || errors.As(err, &u) {
			return err
		}
		return &failure{err}
	}
}

// note prints a line to standard error, unless the flag -quiet is given.
func (e *env) note(format string, args ...any) {
	if !e.quiet {
		fmt.Fprintf(e.err, format+"\n", args...)
	}
}

// escapeWriter writes text to w in a form that is safe to show on a terminal. It escapes control
// characters such as \x1b, bytes that are not valid UTF-8, and characters such as \u202e that change
// the direction of text. It writes all other text unchanged, including newlines and tabs.
type escapeWriter struct {
	w       io.Writer
	partial []byte // first bytes of a character whose remaining bytes have not been written yet
	err     error  // first error of w
}

// Write writes data and escapes control characters.
func (v *escapeWriter) Write(data []byte) (int, error) {
	text := append(v.partial, data...)
	out := make([]byte, 0, len(text)+16)
	v.partial = nil
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1 && !utf8.FullRune(text):
			v.partial = append(v.partial, text...)
			n = len(text)
		case r == utf8.RuneError && n == 1 || isControl(r):
			quoted := strconv.QuoteToASCII(string(text[:n]))
			out = append(out, quoted[1:len(quoted)-1]...)
		default:
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	if _, err := v.w.Write(out); err != nil {
		v.err = cmp.Or(v.err, err)
		return 0, err
	}
	return len(data), nil
}

// isControl reports whether a character controls the terminal, separates lines or paragraphs, or
// changes the direction of text. Newlines and tabs do not count.
func isControl(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}
