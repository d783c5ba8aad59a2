package whatif

import (
	"fmt"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload"
)

// Changed is the setup of a scenario after changes.
type Changed struct {
	*scenario.Setup
	Match []job.Index // by job before the changes: its index afterwards, or job.None if it was removed
}

// PolicyIndex returns the index after the changes of the policy that had index i before. A change of
// the kind Policy leaves only one policy, with index 0.
func (c *Changed) PolicyIndex(i int) int { return min(i, len(c.Scenario.Policies)-1) }

// Apply returns the setup of a scenario after changes, applied in order. Changes such as Procs apply
// to job j, which may be job.None. Apply does not modify up. If the jobs come from a file or a
// generator, the new scenario lists them one by one instead.
func Apply(up *scenario.Setup, j job.Index, changes ...Change) (*Changed, error) {
	e, err := newEdit(up)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		if err := e.applyChange(j, &changes[i]); err != nil {
			return nil, err
		}
	}
	e.deleteRemoved()
	next, err := e.sc.Setup()
	if err != nil {
		return nil, err
	}
	return &Changed{next, e.matchJobs(next)}, nil
}

// edit holds a scenario while Apply changes it. A row is an index in sc.Workload.Jobs.
type edit struct {
	up      *scenario.Setup   // before the changes
	sc      scenario.Scenario // after the changes so far
	rows    []int32           // by job of up: its row; nil if job j is in row j
	removed []int32           // rows to delete after all changes
}

// newEdit returns an edit of a scenario that lists its jobs one by one. A run applies the data rules to
// listed jobs. The jobs of a file have already passed the data rules, so newEdit removes the rules in
// that case.
func newEdit(up *scenario.Setup) (*edit, error) {
	e := &edit{up: up, sc: *up.Scenario, rows: up.Work.Rows}
	w := &e.sc.Workload
	switch {
	case w.File != nil:
		w.Jobs, e.rows, e.sc.Changes, e.sc.Rules = up.Work.Jobs, nil, e.sc.AllChanges(), e.sc.Rules.AfterDataRules()
	case w.Generator == nil:
	case e.sc.Rules.Rules == (workload.Rules{}) && e.keepsRows():
		w.Jobs, e.rows = up.Work.Jobs, nil
	default:
		d, err := e.sc.Order().Generate()
		if err != nil {
			return nil, err
		}
		w.Jobs = d.Jobs
	}
	w.File, w.Generator = nil, nil
	w.Jobs = slices.Clone(w.Jobs)
	return e, nil
}

// keepsRows reports whether every job j is in row j, so the data rules neither removed nor moved jobs.
func (e *edit) keepsRows() bool {
	for i, r := range e.rows {
		if int(r) != i {
			return false
		}
	}
	return true
}

// row returns the row of a job.
func (e *edit) row(j job.Index) int32 {
	if e.rows == nil {
		return j
	}
	return e.rows[j]
}

// applyChange makes one change. A change of a job applies to job j, which may be job.None.
func (e *edit) applyChange(j job.Index, c *Change) error {
	if c.NeedsJob() && (j < 0 || int(j) >= len(e.up.Work.Jobs)) {
		return fmt.Errorf("%s: expected a job to change, got none", c)
	}
	switch c.Kind {
	case ExactAll:
		for k := range e.up.Work.Jobs {
			e.sc.Workload.Jobs[e.row(job.Index(k))].Estimate = e.up.Work.Jobs[k].Runtime
		}
	case Nodes:
		e.sc.Machine.Nodes += int(c.N)
	case Policy:
		e.sc.Policies = []scenario.Policy{c.Policy}
	case Remove:
		return e.markRemoved(j, c.ID)
	default:
		return Edit(&e.sc.Workload.Jobs[e.row(j)], &e.up.Work.Jobs[j], c, e.sc.Machine.Slots())
	}
	return nil
}

// Edit applies a change of one job to written, a job of a scenario file. Ran is the same job after the
// data rules. Procs is the number of processors of the machine.
func Edit(written, ran *job.Job, c *Change, procs int) error {
	invalid := func(expected string) error {
		return &Invalid{job.Invalid{ID: ran.ID, Field: syntaxes[c.Kind].name, Expected: expected, Got: fmt.Sprint(c.N)}}
	}
	curve := written.Speedup()
	switch c.Kind {
	case Exact:
		written.Estimate = ran.Runtime
	case Estimate:
		if c.N < ran.Runtime {
			return invalid(fmt.Sprintf("at least the runtime, %d", ran.Runtime))
		}
		written.Estimate = c.N
	case Runtime:
		switch {
		case curve != nil:
			return invalid("a job without a speedup; the speedup determines the runtime")
		case c.N > max(written.Estimate, ran.Estimate):
			return invalid(fmt.Sprintf("at most the estimate, %d", ran.Estimate))
		}
		written.Runtime = c.N
	case Procs:
		if c.N > int64(procs) {
			return invalid(fmt.Sprintf("at most the machine's %d", procs))
		}
		if written.Procs = int(c.N); curve != nil {
			written.Runtime = speed.Seconds(curve.Work(), curve.At(written.Procs))
			written.Estimate = max(written.Estimate, written.Runtime)
		}
	case Submit:
		written.Submit = c.N
	case Earlier:
		written.Submit = max(0, written.Submit-c.N)
	case Later:
		if written.Submit += c.N; written.Submit > job.MaxTime {
			return invalid(fmt.Sprintf("a submission until %d", int64(job.MaxTime)))
		}
	}
	written.Killed = written.Killed && c.Kind > Runtime
	return nil
}

// Invalid reports a change that would make a job invalid.
type Invalid struct{ job.Invalid }

func (e *Invalid) Error() string {
	return fmt.Sprintf("job %s, %s: expected %s, got %s", e.ID, e.Field, e.Expected, e.Got)
}

// markRemoved marks a job to be removed: the job with an ID, or j if the ID is empty.
func (e *edit) markRemoved(j job.Index, id string) error {
	jobs := e.up.Work.Jobs
	if id != "" {
		if j = Find(jobs, id); j == job.None {
			return fmt.Errorf("remove: expected the id of one of the %d jobs, got %q", len(jobs), id)
		}
	}
	if r := e.row(j); !slices.Contains(e.removed, r) {
		e.removed = append(e.removed, r)
	}
	return nil
}

// Find returns the index of the first job with an ID, or job.None if there is none.
func Find(jobs []job.Job, id string) job.Index {
	for j := range jobs {
		if jobs[j].ID == id {
			return job.Index(j)
		}
	}
	return job.None
}

// deleteRemoved deletes the removed jobs and the pairwise slowdowns that name them.
func (e *edit) deleteRemoved() {
	slices.Sort(e.removed)
	w := &e.sc.Workload
	for i := len(e.removed) - 1; i >= 0; i-- {
		r := int(e.removed[i])
		w.Jobs = slices.Delete(w.Jobs, r, r+1)
		if r < len(w.JobsUnknown) {
			w.JobsUnknown = slices.Concat(w.JobsUnknown[:r], w.JobsUnknown[r+1:])
		}
	}
	if s := e.sc.Slowdown; s != nil && len(e.removed) > 0 && len(s.Pairs) > 0 {
		e.sc.Slowdown = WithoutPairs(s, w.Jobs)
	}
}

// WithoutPairs returns a copy of s without the pairs that name jobs or classes that do not exist.
func WithoutPairs(s *scenario.Slowdown, jobs []job.Job) *scenario.Slowdown {
	out := *s
	present := map[string]bool{}
	for i := range jobs {
		present[s.Name(&jobs[i])] = true
	}
	out.Pairs = nil
	for _, p := range s.Pairs {
		if present[p.Of] && present[p.NextTo] {
			out.Pairs = append(out.Pairs, p)
		}
	}
	return &out
}

// matchJobs returns, for each job before the changes, its index in the setup next, or job.None if it
// was removed.
func (e *edit) matchJobs(next *scenario.Setup) []job.Index {
	indexByRow := make([]job.Index, len(e.sc.Workload.Jobs))
	for i := range indexByRow {
		indexByRow[i] = job.None
	}
	for k, r := range next.Work.Rows {
		indexByRow[r] = job.Index(k)
	}
	match := make([]job.Index, len(e.up.Work.Jobs))
	for j := range match {
		r := e.row(job.Index(j))
		removedBefore, isRemoved := slices.BinarySearch(e.removed, r)
		if match[j] = job.None; !isRemoved {
			match[j] = indexByRow[int(r)-removedBefore]
		}
	}
	return match
}
