package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
)

// longFlags returns the arguments of the command line. It adds a second dash to flags with one dash
// and more than one letter, such as "-in FILE". It does not change the values of flags, or
// arguments after "--".
func longFlags(root *cobra.Command, args []string) []string {
	noValue := boolFlags(root)
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		name, _, given := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !strings.HasPrefix(a, "-") || len(name) < 2 || !isFlagName(name) {
			out = append(out, a)
			continue
		}
		out = append(out, "--"+strings.TrimLeft(a, "-"))
		if !given && !noValue[name] && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}

// isFlagName reports whether name contains only letters and dashes, like the name of a flag.
func isFlagName(name string) bool {
	return strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-") == ""
}

// boolFlags returns, for all commands, the names of the flags that take no value.
func boolFlags(root *cobra.Command) map[string]bool {
	all := map[string]bool{"help": true, "version": true}
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal != "" {
				all[f.Name] = true
			}
		})
	}
	return all
}

// flagMaxima holds the maximum values of flags whose values are whole numbers. Other flags have no
// maximum below 2^63.
var flagMaxima = map[string]int64{
	"nodes": cluster.MaxNodes, "processors": cluster.MaxSlots, "cores": cluster.MaxSlots, "jobs-per-node": cluster.MaxSlots,
	"jobs": job.MaxJobs, "seed": draw.MaxSeed, "slowdown-seed": draw.MaxSeed,
}

// flagErrorText rewrites an error of package pflag in the style of our error messages.
func flagErrorText(err error) string {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return strings.ReplaceAll(err.Error(), "--", "-")
	}
	name, cause := bad.GetFlag().Name, bad.Unwrap()
	text := strings.TrimPrefix(cause.Error(), name+": ")
	var number *strconv.NumError
	if errors.As(cause, &number) {
		text = fmt.Sprintf("expected %s, got %q", map[string]string{
			"bool": "true or false", "float64": "a number"}[bad.GetFlag().Value.Type()], bad.GetValue())
		if strings.HasPrefix(bad.GetFlag().Value.Type(), "int") {
			text = fmt.Sprintf("expected %s, got %q", format.ExpectedWhole(number, cmp.Or(flagMaxima[name], math.MaxInt64)), bad.GetValue())
		}
	}
	return "-" + name + ": " + text
}

// printUsage prints how to use a command. It writes flags with one dash, like the documentation.
func printUsage(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprintf(w, "Usage: %s\n", strings.TrimSuffix(c.UseLine(), " [flags]"))
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(w, "\nCommands:")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-10s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	if c.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n  %s\n", strings.ReplaceAll(c.Example, "\n", "\n  "))
	}
	fmt.Fprintf(w, "\nFlags:\n")
	text := strings.NewReplacer("  -h, --", "      --", "  -v, --", "      --", "  -o, --", "      --").Replace(c.LocalFlags().FlagUsages())
	for line := range strings.Lines(text) {
		fmt.Fprint(w, strings.Replace(line, "      --", "  -", 1))
	}
	return nil
}

// noArgs returns an error if the command line contains anything but flags.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf("expected only flags, got %q", args[0])
	}
	return nil
}

// wantArgs returns a function that returns an error unless the command line has minArgs to maxArgs
// arguments. The description says which arguments are expected, for the error message.
func wantArgs(minArgs, maxArgs int, description string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < minArgs || len(args) > maxArgs {
			return usageErrorf("expected %s, got %s", description, format.Count(len(args), "argument"))
		}
		return nil
	}
}

// manualCommand returns the command that prints a reference of all commands. The documentation
// contains the output of this command, so it always agrees with the program.
func manualCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "manual", Short: "print a reference of all commands and their flags as Markdown", Args: noArgs,
		RunE: runE(func([]string) error {
			for _, c := range newRoot(e).Commands() {
				if c.IsAvailableCommand() {
					writeManual(e.out, c)
				}
			}
			return nil
		}),
	}
}

// writeManual writes the reference for one command: its usage, its description and a table of its
// flags.
func writeManual(w io.Writer, c *cobra.Command) {
	fmt.Fprintf(w, "## %s\n\n    %s\n\n", c.Name(), strings.TrimSuffix(c.UseLine(), " [flags]"))
	text := c.Long
	if text == "" {
		text = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
	}
	fmt.Fprintf(w, "%s\n\n", markdownEscaper.Replace(text))
	if c.HasExample() {
		fmt.Fprintf(w, "Examples:\n\n    %s\n\n", strings.ReplaceAll(c.Example, "\n", "\n    "))
	}
	fmt.Fprint(w, "| flag | effect |\n|---|---|\n")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		value, what := pflag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && f.DefValue != "-1" {
			what += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, "| `%s` | %s |\n", strings.TrimSpace("-"+f.Name+" "+strings.ReplaceAll(value, "|", `\|`)), markdownEscaper.Replace(what))
	})
	fmt.Fprintln(w)
}

// markdownEscaper escapes characters that have a special meaning in Markdown.
var markdownEscaper = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`)
