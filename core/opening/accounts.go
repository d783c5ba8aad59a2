package opening

import (
	"fmt"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// CleanAccounting applies the data rules to the jobs in accounting records. The report in the
// result says how many records are not jobs and what the model ignores.
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
	w.Report.NotesWithNames = append(w.Report.NotesWithNames, f.NotesWithNames...)
	return w, nil
}

// Waits summarizes how long jobs waited on the real machine, in seconds. Jobs is 0 if the records
// have no start times.
type Waits struct {
	Jobs     int      `json:"jobs"` // number of jobs whose wait is known
	Mean     float64  `json:"mean"`
	Max      job.Time `json:"max"`
	Slowdown float64  `json:"slowdown"` // mean bounded slowdown
}

// Text returns a sentence about the waits, or "" if there are none.
func (w *Waits) Text(clock format.Clock) string {
	if w.Jobs == 0 {
		return ""
	}
	return fmt.Sprintf("On the real machine: mean wait %s, maximum wait %s, mean bounded slowdown %.2f, for %s. This includes effects that the model ignores.",
		clock.Mean(w.Mean), clock.Mean(float64(w.Max)), w.Slowdown, format.Count(w.Jobs, "job"))
}

// firstJob returns the number of the first job among the records that CleanAccounting adds to the
// workload. The records that f dropped come first, and those of f.Jobs follow.
func firstJob(f *sacct.File) int {
	dropped := 0
	for _, l := range f.Dropped {
		dropped += l.N
	}
	return dropped
}

// ActualWaits returns how long the jobs of a workload waited on the real machine. For each job,
// w.Rows must hold the number of its record in f (see firstJob).
func ActualWaits(f *sacct.File, w *workload.Workload) Waits {
	first := firstJob(f)
	waits, slowdowns, all := int64(0), 0.0, Waits{}
	for _, row := range w.Rows {
		j := &f.Jobs[int(row)-first]
		wait := f.Starts[int(row)-first] - j.Submit
		if wait < 0 {
			continue
		}
		all.Jobs++
		waits += wait
		all.Max = max(all.Max, wait)
		slowdowns += max(1, float64(wait+j.Runtime)/float64(max(j.Runtime, metrics.Default.Tau)))
	}
	if all.Jobs > 0 {
		all.Mean, all.Slowdown = float64(waits)/float64(all.Jobs), slowdowns/float64(all.Jobs)
	}
	return all
}

// ProposalText returns sentences that propose the size of the machine and give the reasons. Callers
// use it for accounting records that do not contain the size.
func ProposalText(p sacct.Proposal) string {
	size := format.Count(p.Nodes, "node")
	if p.Cores > 1 {
		size += " of " + format.Count(p.Cores, "core")
	}
	return "The records do not give the size of the machine. Proposed: " + size + ". " + strings.Join(p.Why, " ")
}
