package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// longFlags gives flags with one dash their second one, as in "-in FILE". What
// stands behind a flag that takes a value, or behind "--", is left alone.
func longFlags(root *cobra.Command, args []string) []string {
	switches := switches(root)
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(out, args[i:]...)
		}
		name, _, given := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !strings.HasPrefix(a, "-") || len(name) < 2 || !letters(name) {
			out = append(out, a)
			continue
		}
		out = append(out, "--"+strings.TrimLeft(a, "-"))
		if !given && !switches[name] && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}

// letters reports whether name could be the name of a flag.
func letters(name string) bool {
	return strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-") == ""
}

// switches returns the flags of all commands that take no value.
func switches(root *cobra.Command) map[string]bool {
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

// flagWords puts an error of the flag package into our words.
func flagWords(err error) string {
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
			text = fmt.Sprintf("expected a whole number, got %q", bad.GetValue())
		}
	}
	return "-" + name + ": " + text
}

// printUsage lists flags with one dash, as the documentation writes them.
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
	fmt.Fprintf(w, "\nFlags:\n")
	text := strings.NewReplacer("  -h, --", "      --", "  -v, --", "      --", "  -o, --", "      --").Replace(c.LocalFlags().FlagUsages())
	for line := range strings.Lines(text) {
		fmt.Fprint(w, strings.Replace(line, "      --", "  -", 1))
	}
	return nil
}

// none refuses arguments that are no flags.
func none(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("expected only flags, got %q", args[0])
	}
	return nil
}

func wantArgs(low, high int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < low || len(args) > high {
			return misuse("expected %s, got %d arguments", what, len(args))
		}
		return nil
	}
}
