package opening

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// CleanAccounting applies the rules to the jobs of accounting records. The report counts the
// records that are not jobs. Its notes say what the model ignores, and how long the jobs waited on
// the real machine.
func CleanAccounting(f *sacct.File, procs int, rules workload.Rules) (*workload.Workload, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	b := workload.NewBuilder(rules)
	for _, d := range f.Dropped {
		b.CountDropped(d.Kind, d.Count)
	}
	for i := range f.Jobs {
		b.AddJob(f.Lines[i], f.Jobs[i])
	}
	w, err := b.Finish(procs)
	if err != nil {
		return nil, err
	}
	w.Calendar = f.Calendar.Later(w.Shift)
	w.Report.Notes = append(w.Report.Notes, f.Notes...)
	if x := rules.LoadFactor; x == 0 || x == 1 {
		if note := ActualWaits(f, w); note != "" {
			w.Report.Notes = append(w.Report.Notes, note)
		}
	}
	return w, nil
}

// ActualWaits returns a sentence about the waits of a workload's jobs on the real machine, or an
// empty text if the records have no start times. It expects that w was made by
// CleanAccounting, so that w.Rows counts the dropped records too.
func ActualWaits(f *sacct.File, w *workload.Workload) string {
	dropped := 0
	for _, d := range f.Dropped {
		dropped += d.N
	}
	n, waits, slowdowns, longest := 0, int64(0), 0.0, job.Time(0)
	for _, row := range w.Rows {
		j := &f.Jobs[int(row)-dropped]
		wait := f.Starts[int(row)-dropped] - j.Submit
		if wait < 0 {
			continue
		}
		n++
		waits += wait
		longest = max(longest, wait)
		slowdowns += max(1, float64(wait+j.Runtime)/float64(max(j.Runtime, metrics.Default.Tau)))
	}
	if n == 0 {
		return ""
	}
	mean := strconv.FormatFloat(float64(waits)/float64(n), 'f', 1, 64)
	slow := strconv.FormatFloat(slowdowns/float64(n), 'f', 2, 64)
	return fmt.Sprintf("On the real machine: mean wait %s s, maximum wait %d s, mean bounded slowdown %s, for %s. This includes effects that the model ignores.", mean, longest, slow, format.Count(n, "job"))
}

// ProposalText returns sentences that describe the machine that accounting records suggest, and why.
func ProposalText(p sacct.Proposal) string {
	size := format.Count(p.Nodes, "node")
	if p.Cores > 1 {
		size += " of " + format.Count(p.Cores, "core")
	}
	return "The records do not give the size of the machine. Proposed: " + size + ". " + strings.Join(p.Why, " ")
}
