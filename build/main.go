// Command build is not part of the product: nothing here runs in a browser or
// knows about schedules. It turns the repository into a static site (generate,
// compile, compress, name by content), serves that site on this machine, and
// checks that what is committed or shipped keeps its promises.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() {
	cmd := rootCommand()
	cmd.SetArgs(longFlags(os.Args[1:]))
	if err := cmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func rootCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "build",
		Short:         "Generate, build, check and serve the site",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(generateCommand(), checkCommand(), siteCommand(), serveCommand(), budgetCommand())
	return cmd
}

// longFlags lets `-port 0` mean `--port 0`, the spelling the Go tools use.
func longFlags(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if len(a) > 2 && a[0] == '-' && a[1] != '-' {
			a = "-" + a
		}
		out[i] = a
	}
	return out
}
