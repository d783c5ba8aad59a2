package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// checker holds the flags of the command check.
type checker struct {
	env     *env
	machine source // only its flags for the machine are used
	options schedule.Options
}

func checkCommand(e *env) *cobra.Command {
	k := &checker{env: e}
	c := &cobra.Command{
		Use: "check FILE", Short: "check a schedule (jobs CSV) or a log",
		Long: "Check a log, or a schedule as CSV, which backfill run -jobs or another program wrote. The checks find oversubscription,\nstarts before submission, starts after the promised start, and wrong runtimes. For a CSV file, give the machine\n(at least -nodes); a log describes its machine. The file - means standard input.",
		Args: wantArgs(1, 1, "one file, a jobs CSV or a log"),
		RunE: runE(func(args []string) error { return k.checkFile(args[0]) }),
	}
	f := c.Flags()
	f.SortFlags = false
	k.machine.machineFlags(f)
	f.BoolVar(&k.options.Promises, "promises", true, "report jobs that start after their promised start")
	f.BoolVar(&k.options.Rates, "rates", false, "allow jobs to run longer or shorter than their runtime, as jobs on shared nodes do")
	f.BoolVar(&k.options.Partial, "partial", false, "allow unfinished jobs")
	f.IntVar(&k.options.Limit, "most", schedule.DefaultLimit, "maximum number of findings of each kind")
	quietFlag(f, e)
	return c
}

// checkFile checks the named file and prints the findings.
func (k *checker) checkFile(name string) error {
	f, err := k.env.open("in", name)
	if err != nil {
		return err
	}
	defer f.close()
	text, err := f.text()
	if err != nil {
		return err
	}
	jobs, findings, err := k.checkText(text)
	if err != nil {
		return withFileUnlessUsage(name, err)
	}
	for _, f := range findings {
		fmt.Fprintf(k.env.out, "%s: %s\n", displayName(name), f)
	}
	if len(findings) > 0 {
		fmt.Fprintf(k.env.out, "%s: %s, %s\n", displayName(name), format.Count(jobs, "job"), format.Count(len(findings), "finding"))
		return errChecksFailed
	}
	if !k.env.quiet {
		fmt.Fprintf(k.env.out, "%s: %s, no errors found\n", displayName(name), format.Count(jobs, "job"))
	}
	return nil
}

// checkText checks a log or a jobs CSV. It returns the number of jobs and the findings.
func (k *checker) checkText(text *bufio.Reader) (jobs int, found []schedule.Finding, err error) {
	const start = "backfill-lab log "
	if head, _ := text.Peek(len(start)); string(head) == start {
		l, _, err := log.Read(text)
		if err != nil {
			return 0, nil, err
		}
		return len(l.Jobs), schedule.CheckLogWith(l, k.options), nil
	}
	m, err := k.machine.machine(cluster.Flat(0))
	if err != nil {
		return 0, nil, err
	}
	if m.Nodes == 0 {
		return 0, nil, usageErrorf("-nodes: expected the number of nodes of the machine, got nothing")
	}
	if err := m.Validate(); err != nil {
		return 0, nil, err
	}
	s, err := schedule.ReadCSV(text)
	if err != nil {
		return 0, nil, err
	}
	return len(s.Rows), schedule.Check(s, m, k.options), nil
}
