package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manualCommand prints what the documentation says of the commands: no second list
// of flags could stay true.
func manualCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "manual", Short: "print all commands and their flags, as Markdown", Args: none,
		RunE: does(func([]string) error {
			for _, c := range newRoot(e).Commands() {
				if c.IsAvailableCommand() {
					manual(e.out, c)
				}
			}
			return nil
		}),
	}
}

func manual(w io.Writer, c *cobra.Command) {
	fmt.Fprintf(w, "## %s\n\n    %s\n\n", c.Name(), strings.TrimSuffix(c.UseLine(), " [flags]"))
	text := c.Long
	if text == "" {
		text = strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
	}
	fmt.Fprintf(w, "%s\n\n| flag | what |\n|---|---|\n", escaped.Replace(text))
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		value, what := pflag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" && f.DefValue != "-1" {
			what += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, "| `%s` | %s |\n", strings.TrimSpace("-"+f.Name+" "+strings.ReplaceAll(value, "|", `\|`)), escaped.Replace(what))
	})
	fmt.Fprintln(w)
}

// escaped keeps what means something in Markdown as it is.
var escaped = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`)
