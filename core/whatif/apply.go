package whatif

import (
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload"
)

// Changed holds a scenario to which changes were applied, ready to run.
type Changed struct {
	*scenario.Setup
	Match []job.Index // by job before the changes: its index afterwards, or job.None if it is no longer there
	Notes []string    // sentences that say how many jobs overran scaled wall times, and what happened to them

	LessWork bool // whether jobs were killed, so that metrics before and after the changes are not about the same work
}

// PolicyIndex returns the index of a policy after the changes, given its index i before them. If a
// change replaced all policies, only index 0 is left.
func (c *Changed) PolicyIndex(i int) int { return min(i, len(c.Scenario.Policies)-1) }

// Apply applies changes to the scenario in setup, in order, and returns the result. A change of a
// single job applies to job j, which may be job.None if there is no such change. Apply does not
// modify setup. If the jobs come from a file or a generator, the new scenario lists them one by one.
func Apply(setup *scenario.Setup, j job.Index, changes ...Change) (*Changed, error) {
	e, err := newEdit(setup, slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == WallFactor }))
	if err != nil {
		return nil, err
	}
	for i := range changes {
		if err := e.applyChange(j, &changes[i]); err != nil {
			return nil, err
		}
	}
	e.deleteRemoved()
	next, err := e.edited.Setup()
	if err != nil {
		return nil, err
	}
	return &Changed{next, e.matchJobs(next), e.notes, e.lessWork}, nil
}

// edit holds a scenario while Apply changes it. A row is an index in edited.Workload.Jobs.
type edit struct {
	setup    *scenario.Setup   // before the changes
	edited   scenario.Scenario // after the changes so far
	rows     []int32           // row of each job in setup, by job; nil if every job j is in row j
	removed  []int32           // rows to delete after all changes
	notes    []string          // see Changed
	lessWork bool              // see Changed
}

// newEdit returns an edit whose scenario lists its jobs one by one. The list normally holds the
// jobs before the data rules, which apply again when the scenario runs. If the jobs come from a
// file, the list holds the jobs after the data rules, and the rules are removed. The same happens,
// wherever the jobs come from, if there are data rules and wall times will be scaled (scalesWalls).
// The rules would otherwise apply after the scaling, and could change different jobs.
func newEdit(setup *scenario.Setup, scalesWalls bool) (*edit, error) {
	e := &edit{setup: setup, edited: *setup.Scenario, rows: setup.Work.Rows}
	w := &e.edited.Workload
	switch {
	case w.File != nil, scalesWalls && e.edited.Rules.Rules != workload.Rules{}:
		w.JobsUnknown = unknownFields(w.JobsUnknown, setup.Work.Rows)
		w.Jobs, e.rows, e.edited.Changes, e.edited.Rules = setup.Work.Jobs, nil, e.edited.AllChanges(), e.edited.Rules.AfterDataRules()
	case w.Generator == nil:
	case e.edited.Rules.Rules == (workload.Rules{}) && e.keepsRows():
		w.Jobs, e.rows = setup.Work.Jobs, nil
	default:
		d, err := e.edited.GeneratorSettings().Generate()
		if err != nil {
			return nil, err
		}
		w.Jobs = d.Jobs
	}
	w.File, w.Generator = nil, nil
	w.Jobs = slices.Clone(w.Jobs)
	return e, nil
}

// unknownFields returns the unknown fields of the jobs in the given rows.
func unknownFields[T any](all []T, rows []int32) []T {
	if len(all) == 0 {
		return nil
	}
	out := make([]T, len(rows))
	for k, r := range rows {
		if int(r) < len(all) {
			out[k] = all[r]
		}
	}
	return out
}

// keepsRows reports whether job j is in row j for every j. This holds unless jobs were dropped, or
// were sorted into another order by their submit times.
func (e *edit) keepsRows() bool {
	for i, r := range e.rows {
		if int(r) != i {
			return false
		}
	}
	return true
}

// row returns the row in which a job is listed.
func (e *edit) row(j job.Index) int32 {
	if e.rows == nil {
		return j
	}
	return e.rows[j]
}

// applyChange applies one change. If the change needs a job (see NeedsJob), it applies to job j.
// Otherwise, j may be job.None.
func (e *edit) applyChange(j job.Index, c *Change) error {
	if c.NeedsJob() && (j < 0 || int(j) >= len(e.setup.Work.Jobs)) {
		return fmt.Errorf("%s: expected a job to change, got none", c)
	}
	switch c.Kind {
	case ExactAll:
		for k := range e.setup.Work.Jobs {
			e.edited.Workload.Jobs[e.row(job.Index(k))].Estimate = e.setup.Work.Jobs[k].Runtime
		}
	case WallFactor:
		e.scaleWalls(&c.Rules)
	case Nodes:
		e.edited.Machine.Nodes += int(c.N)
	case Drain:
		e.edited.Machine.Outages = append(slices.Clip(e.edited.Machine.Outages), c.Outage(e.edited.Machine.SlotsPerNode()))
	case Policy:
		e.edited.Policies = []scenario.Policy{c.Policy}
	case Remove:
		return e.markRemoved(j, c.ID)
	default:
		return EditJob(&e.edited.Workload.Jobs[e.row(j)], &e.setup.Work.Jobs[j], c, e.edited.Machine.Slots())
	}
	return nil
}

// Outage returns the outage of a change of kind Drain, on a machine whose nodes have the given number of processors.
func (c *Change) Outage(procsPerNode int) cluster.Outage {
	return cluster.Outage{From: c.From, To: c.To, Procs: int(c.N) * procsPerNode, Label: format.Count(c.N, "node") + " drained"}
}

// scaleWalls scales the wall times of all jobs. It adds a note with the number of jobs that run
// longer than their new wall times.
func (e *edit) scaleWalls(rules *workload.Rules) {
	longer, all := 0, e.edited.Workload.Jobs
	for k := range all {
		all[k].Estimate = max(all[k].Estimate, all[k].Runtime) // raised to the runtime, as in a run of the listed jobs
		if rules.ScaleWall(&all[k]) {
			longer++
		}
	}
	e.edited.Changes = append(slices.Clone(e.edited.Changes), rules.Changes()...)
	e.notes = append(e.notes, rules.OverrunText(longer, len(all)))
	if longer > 0 && rules.Overrun == workload.Kill {
		e.lessWork = true
		e.notes = append(e.notes, "The killed jobs do less work, so shorter waits do not mean a better schedule.")
	}
}

// EditJob applies a change of a single job to fileJob, which is the job in the scenario file. The
// same job after the data rules is cleanedJob. The machine has procs processors. A job whose
// estimate or runtime is changed no longer counts as killed.
func EditJob(fileJob, cleanedJob *job.Job, c *Change, procs int) error {
	invalid := func(expected string) error {
		return &Invalid{job.Invalid{ID: cleanedJob.ID, Field: syntaxes[c.Kind].name, Expected: expected, Got: fmt.Sprint(c.N)}}
	}
	curve := fileJob.Speedup()
	switch c.Kind {
	case Exact:
		fileJob.Estimate = cleanedJob.Runtime
	case Estimate:
		if c.N < cleanedJob.Runtime {
			return invalid(fmt.Sprintf("at least %d (the runtime)", cleanedJob.Runtime))
		}
		fileJob.Estimate = c.N
	case Runtime:
		switch {
		case curve != nil:
			return invalid("no new runtime, because the speedup curve of the job determines it")
		case c.N > max(fileJob.Estimate, cleanedJob.Estimate):
			return invalid(fmt.Sprintf("at most %d (the estimate)", cleanedJob.Estimate))
		}
		fileJob.Runtime = c.N
	case Procs:
		if c.N > int64(procs) {
			return invalid(fmt.Sprintf("at most the machine's %d", procs))
		}
		if fileJob.Procs = int(c.N); curve != nil {
			fileJob.Runtime = speed.Seconds(curve.Work(), curve.At(fileJob.Procs))
			fileJob.Estimate = max(fileJob.Estimate, fileJob.Runtime)
		}
	case Submit:
		fileJob.Submit = c.N
	case Earlier:
		fileJob.Submit = max(0, fileJob.Submit-c.N)
	case Later:
		if fileJob.Submit += c.N; fileJob.Submit > job.MaxTime {
			return invalid(fmt.Sprintf("a delay with which the submit time is at most %d", int64(job.MaxTime)))
		}
	}
	fileJob.Killed = fileJob.Killed && c.Kind > Runtime
	return nil
}

// Invalid says why a change would make a job invalid.
type Invalid struct{ job.Invalid }

func (e *Invalid) Error() string {
	return fmt.Sprintf("job %s, %s: expected %s, got %s", e.ID, e.Field, e.Expected, e.Got)
}

// markRemoved marks a job for removal: the job with the given ID, or job j if the ID is "".
func (e *edit) markRemoved(j job.Index, id string) error {
	jobs := e.setup.Work.Jobs
	if id != "" {
		if j = FindJob(jobs, id); j == job.None {
			return fmt.Errorf("remove: expected the id of one of the %s jobs, got %q", format.Whole(len(jobs)), id)
		}
	}
	if r := e.row(j); !slices.Contains(e.removed, r) {
		e.removed = append(e.removed, r)
	}
	return nil
}

// FindJob returns the index of the first job with the given ID, or job.None if there is none.
func FindJob(jobs []job.Job, id string) job.Index {
	for j := range jobs {
		if jobs[j].ID == id {
			return job.Index(j)
		}
	}
	return job.None
}

// deleteRemoved deletes the marked jobs, and the pairwise slowdowns that name them.
func (e *edit) deleteRemoved() {
	slices.Sort(e.removed)
	w := &e.edited.Workload
	for i := len(e.removed) - 1; i >= 0; i-- {
		r := int(e.removed[i])
		w.Jobs = slices.Delete(w.Jobs, r, r+1)
		if r < len(w.JobsUnknown) {
			w.JobsUnknown = slices.Concat(w.JobsUnknown[:r], w.JobsUnknown[r+1:])
		}
	}
	if s := e.edited.Slowdown; s != nil && len(e.removed) > 0 && len(s.Pairs) > 0 {
		e.edited.Slowdown = WithoutPairs(s, w.Jobs)
	}
}

// WithoutPairs returns a copy of s without the pairs that name a job or class which does not occur
// in the given jobs.
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

// matchJobs returns, for each job before the changes, its index in the setup newSetup. The index is
// job.None if a change or the data rules removed the job.
func (e *edit) matchJobs(newSetup *scenario.Setup) []job.Index {
	indexByRow := make([]job.Index, len(e.edited.Workload.Jobs))
	for i := range indexByRow {
		indexByRow[i] = job.None
	}
	for k, r := range newSetup.Work.Rows {
		indexByRow[r] = job.Index(k)
	}
	match := make([]job.Index, len(e.setup.Work.Jobs))
	for j := range match {
		r := e.row(job.Index(j))
		removedBefore, isRemoved := slices.BinarySearch(e.removed, r)
		if match[j] = job.None; !isRemoved {
			match[j] = indexByRow[int(r)-removedBefore]
		}
	}
	return match
}
