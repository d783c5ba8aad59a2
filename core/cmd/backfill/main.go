// Command backfill runs scheduling policies on workloads natively. It holds no
// algorithm and no format of its own: it reads, calls the packages that the
// page calls too, and writes what they give, so that both say the same.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"backfill-lab/core/version"
)

func main() {
	e := &env{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: terminal(os.Stderr), read: terminal(os.Stdout)}
	os.Exit(e.main(os.Args[1:]))
}

// env is the world that a command sees.
type env struct {
	in       io.Reader
	out, err io.Writer
	data     io.Writer // out for what a program reads, byte for byte
	bar      io.Writer // err for progress, which moves the cursor
	terminal bool      // err is one: progress may be shown
	read     bool      // out is one: a person reads what goes there
	quiet    bool
}

// terminal reports whether f is a terminal, or something like one.
func terminal(f *os.File) bool {
	s, err := f.Stat()
	return err == nil && s.Mode()&os.ModeCharDevice != 0
}

// usage is an error in how the command was called.
type usage struct{ text string }

func (u *usage) Error() string { return u.text }

func misuse(format string, args ...any) error { return &usage{fmt.Sprintf(format, args...)} }

// failure is an error in what the command was given or found.
type failure struct{ error }

// errFound means that a check failed and its findings are printed.
var errFound = errors.New("")

// main returns the exit code: 0 done, 1 bad input or a failed check, 2 wrong
// usage.
func (e *env) main(args []string) int {
	e.data, e.bar = e.out, e.err
	e.out, e.err = &visible{w: e.out}, &visible{w: e.err}
	if e.read {
		e.data = e.out
	}
	root := newRoot(e)
	root.SetArgs(longFlags(root, args))
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.err)
	c, err := root.ExecuteC()
	var f *failure
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFound):
		return 1
	case errors.As(err, &f):
		fmt.Fprintf(e.err, "backfill: %v\n", err)
		return 1
	}
	fmt.Fprintf(e.err, "backfill: %v\n%s -help tells more.\n", err, c.CommandPath())
	return 2
}

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:           "backfill",
		Short:         "Run scheduling policies on workloads",
		Long:          "Run scheduling policies on workloads of parallel jobs.\nFlags may be written with one dash or two: -in FILE, --in FILE, -in=FILE.\nExit code 0: done; 1: bad input or a failed check; 2: wrong usage.",
		Version:       version.Program,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error { return misuse("expected a command") },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usage{flagWords(err)} })
	root.SetUsageFunc(printUsage)
	root.AddCommand(runCommand(e), compareCommand(e), policiesCommand(e), generateCommand(e), checkCommand(e),
		whyCommand(e), whatifCommand(e), ganttCommand(e), studyCommand(e), benchCommand(e), manualCommand(e))
	return root
}

// does wraps what a command does: an error that is no misuse is a failure.
func does(f func(args []string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		err := f(args)
		var u *usage
		if err == nil || errors.Is(err, errFound) || errors.As(err, &u) {
			return err
		}
		return &failure{err}
	}
}

// note tells something beside the output, in a line of its own.
func (e *env) note(format string, args ...any) {
	if !e.quiet {
		fmt.Fprintf(e.err, format+"\n", args...)
	}
}
