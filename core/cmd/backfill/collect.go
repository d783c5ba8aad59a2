package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
)

func collectCommand(e *env) *cobra.Command {
	out, summary := "", ""
	c := &cobra.Command{
		Use: "collect FILE TABLE...", Short: "join the tables of the parts of a sweep",
		Long: "Join the tables that backfill sweep -shard wrote for the sweep that FILE defines. A TABLE is a file, a folder with\nthe tables of all parts, or a pattern such as 'parts/*.csv'. Check that every part is there, complete and unchanged,\nand that this version of the program made it. Write the table of the whole sweep, and print its summary.\nThe table has the same bytes as the table of an undivided sweep. If parts are missing, print the command that\nruns exactly these parts.",
		RunE: runE(func(args []string) error { return e.collect(args, out, summary) }),
	}
	c.Flags().StringVar(&out, "out", "-", "write the joined table to `FILE`, as CSV, or as Parquet if it ends in .parquet; - for standard output")
	c.Flags().StringVar(&summary, "summary", "", summaryUsage)
	secondsFlag(c.Flags(), e)
	quietFlag(c.Flags(), e)
	return c
}

// collect joins tables into one table. It also writes the summary to the file summaryFile, unless
// this name is empty.
func (e *env) collect(args []string, out, summaryFile string) error {
	if len(args) < 2 {
		return usageErrorf("expected a sweep definition file and the tables of its parts, got %s", format.Count(len(args), "file"))
	}
	d, _, err := e.openSweep(args[0])
	if err != nil {
		return err
	}
	c := d.Collect()
	if err := e.addTables(c, args[0], args[1:]); err != nil {
		return err
	}
	o := &outputs{}
	o.addTable(out, sweepTypes, func(w io.Writer) error { return d.WriteTable(w, sweep.Shard{}, c.Values) })
	o.addSummary(summaryFile, d, c.Values)
	if err := o.write(e); err != nil {
		return err
	}
	if out != standardStream && !e.quiet {
		e.printSummaries(d, c.Values)
	}
	return nil
}

// addTables adds the tables named by the arguments of the command collect. It returns an error if a
// part of the sweep is missing.
func (e *env) addTables(c *sweep.Collection, definition string, args []string) error {
	var tables []string
	for _, arg := range args {
		found, err := tablesIn(definition, arg)
		if err != nil {
			return err
		}
		tables = append(tables, found...)
	}
	for _, name := range tables {
		e.addInput(name)
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
	if missing, parts := c.Missing(); len(missing) > 0 {
		command := partsCommand(definition, filepath.Dir(tables[0]), missing, parts)
		return fmt.Errorf("expected the tables of all %d parts of the sweep, got none for part %s. This command runs the missing parts:\n%s", parts, sweep.FormatRanges(missing), command)
	}
	return nil
}

// baseName returns the file name of a definition without its folder and extension.
func baseName(definition string) string {
	return strings.TrimSuffix(filepath.Base(definition), filepath.Ext(definition))
}

// tablesIn returns the file names of tables, given an argument of the command collect: a file, a
// folder or a pattern.
func tablesIn(definition, arg string) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return tablesInFolder(baseName(definition), arg)
	case err == nil || !strings.ContainsAny(arg, "*?["):
		return []string{arg}, nil
	}
	found, err := filepath.Glob(arg)
	if err != nil {
		return nil, usageErrorf("%s: expected a pattern such as 'parts/*.csv', got %v", arg, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: expected files that match the pattern, got none", arg)
	}
	return found, nil
}

// tablesInFolder returns the files in a folder that are named like the table of a part, such as
// sweep.1-of-8.csv.
func tablesInFolder(base, folder string) (found []string, err error) {
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil, unreadableError(folder, err)
	}
	name, parts := regexp.MustCompile("^"+regexp.QuoteMeta(base)+`\.\d+-of-(\d+)\.csv$`), ""
	for _, f := range list {
		m := name.FindStringSubmatch(f.Name())
		if m == nil {
			continue
		}
		if parts != "" && parts != m[1] {
			return nil, fmt.Errorf("%s: expected tables of a sweep in the same number of parts, got tables for %s parts and for %s parts. Select one of them with a pattern: '%s'", folder, parts, m[1], filepath.Join(folder, base+".*-of-"+m[1]+".csv"))
		}
		found, parts = append(found, filepath.Join(folder, f.Name())), m[1]
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: expected tables of parts, such as %s.1-of-8.csv, got none", folder, base)
	}
	return found, nil
}

// partsCommand returns a shell command that runs the missing parts of a sweep and writes their
// tables to a folder. If the script of a job array with the same number of parts exists, the
// command submits this script.
func partsCommand(definition, folder string, missing []int, parts int) string {
	a := &slurmArray{Definition: definition, Base: baseName(definition), Tasks: parts}
	if _, err := os.Stat(a.Script()); err == nil {
		return fmt.Sprintf("sbatch --array=%s %s", sweep.FormatRanges(missing), shellQuote(a.Script()))
	}
	var numbers []string
	for part := range strings.SplitSeq(sweep.FormatRanges(missing), ",") {
		if first, last, isRange := strings.Cut(part, "-"); isRange {
			part = "$(seq " + first + " " + last + ")"
		}
		numbers = append(numbers, part)
	}
	out := ""
	if folder != filepath.Dir(definition) {
		out = " -out " + shellQuote(filepath.Join(folder, a.Base)) + fmt.Sprintf(".$i-of-%d.csv", parts)
	}
	return fmt.Sprintf("for i in %s; do backfill sweep %s -shard $i/%d%s; done", strings.Join(numbers, " "), shellQuote(definition), parts, out)
}
