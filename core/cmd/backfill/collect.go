package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/core/sweep"
)

func collectCommand(e *env) *cobra.Command {
	out, summary := "", ""
	c := &cobra.Command{
		Use: "collect FILE TABLE...", Short: "join the tables of the parts of a sweep",
		Long: "Join the tables that backfill sweep -shard wrote for the sweep that FILE defines. Check that every part is\nthere, complete and unchanged, and that this version of the program made it. Write the table of the whole sweep,\nwhich equals that of an undivided sweep, and print its summary.",
		RunE: runE(func(args []string) error { return e.collect(args, out, summary) }),
	}
	c.Flags().StringVar(&out, "out", "-", "`FILE` of the joined table, CSV, or Parquet if it ends in .parquet; - for standard output")
	c.Flags().StringVar(&summary, "summary", "", summaryUsage)
	secondsFlag(c.Flags(), e)
	quietFlag(c.Flags(), e)
	return c
}

// collect joins tables into one, and writes its summary if that names a file.
func (e *env) collect(args []string, out, summary string) error {
	if len(args) < 2 {
		return usageErrorf("expected the file of a definition and the tables of its parts, got %d files", len(args))
	}
	data, err := readFile(args[0])
	if err != nil {
		return err
	}
	d, err := sweep.Parse(data)
	if err != nil {
		return withFile(args[0], err)
	}
	c := d.Collect()
	for _, name := range args[1:] {
		table, err := readFile(name)
		if err != nil {
			return err
		}
		if err := checkNotParquet(name, table); err != nil {
			return err
		}
		if err := c.Add(name, table); err != nil {
			return err
		}
	}
	if missing := c.Missing(); len(missing) > 0 {
		return fmt.Errorf("expected every part of the sweep, got none for %s", strings.Join(missing[:min(20, len(missing))], ", "))
	}
	o := &outputs{}
	o.addTable(out, sweepTypes, func(w io.Writer) error { return d.WriteTable(w, sweep.Shard{}, c.Values) })
	o.addSummary(summary, d, c.Values)
	if err := o.write(e); err != nil {
		return err
	}
	if out != standardInput && !e.quiet {
		e.printSummaries(d, c.Values)
	}
	return nil
}
