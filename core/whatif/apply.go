package whatif

import (
	"fmt"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload"
)

// Changed is a changed scenario, ready to run.
type Changed struct {
	*scenario.Setup
	Match []job.Index // by job before the change: its index now, job.None if it is gone
}

// Place is where among the policies the answer for policy i of the setup before is.
func (c *Changed) Place(i int) int { return min(i, len(c.Scenario.Policies)-1) }

// Apply makes the scenario of a setup with changes, done one after the other, and
// about job j; job.None where they are about none. The setup stays as it is. Jobs
// of a file or a generator are written down in the new scenario, as they would be
// had a person edited them.
func Apply(up *scenario.Setup, j job.Index, changes ...Change) (*Changed, error) {
	e, err := written(up)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		if err := e.change(j, &changes[i]); err != nil {
			return nil, err
		}
	}
	e.drop()
	next, err := e.sc.Setup()
	if err != nil {
		return nil, err
	}
	return &Changed{next, e.match(next)}, nil
}

// edit is a scenario that is being changed.
type edit struct {
	up   *scenario.Setup
	sc   scenario.Scenario
	rows []int32 // by job: the place where it is written; nil: its index
	gone []int32 // places of jobs that go
}

// written returns the scenario of a setup with all jobs in it. The data rules are done
// to written jobs at each run; those to the jobs of a file are spent.
func written(up *scenario.Setup) (*edit, error) {
	e := &edit{up: up, sc: *up.Scenario, rows: up.Work.Rows}
	w := &e.sc.Workload
	switch {
	case w.File != nil:
		w.Jobs, e.rows, e.sc.Rules = up.Work.Jobs, nil, e.sc.Rules.AfterDataRules()
	case w.Generator == nil:
	case e.sc.Rules.Rules == (workload.Rules{}) && e.inPlace():
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

// inPlace reports whether the rules left every job, where it was.
func (e *edit) inPlace() bool {
	for i, r := range e.rows {
		if int(r) != i {
			return false
		}
	}
	return true
}

func (e *edit) row(j job.Index) int32 {
	if e.rows == nil {
		return j
	}
	return e.rows[j]
}

func (e *edit) change(j job.Index, c *Change) error {
	if c.AboutJob() && (j < 0 || int(j) >= len(e.up.Work.Jobs)) {
		return fmt.Errorf("%s: expected a job that it is about, got none", c)
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
		return e.remove(j, c.ID)
	default:
		return Edit(&e.sc.Workload.Jobs[e.row(j)], &e.up.Work.Jobs[j], c, e.sc.Machine.Slots())
	}
	return nil
}

// Edit makes a change to a job as it is written down, which runs as ran, on a
// machine of procs processors.
func Edit(w, ran *job.Job, c *Change, procs int) error {
	bad := func(expected string) error {
		return &Invalid{job.Invalid{ID: ran.ID, Field: forms[c.Kind].name, Expected: expected, Got: fmt.Sprint(c.N)}}
	}
	curve := w.Speedup()
	switch c.Kind {
	case Exact:
		w.Estimate = ran.Runtime
	case Estimate:
		if c.N < ran.Runtime {
			return bad(fmt.Sprintf("at least the runtime, %d", ran.Runtime))
		}
		w.Estimate = c.N
	case Runtime:
		switch {
		case curve != nil:
			return bad("a job without a speedup, which says how long it runs")
		case c.N > max(w.Estimate, ran.Estimate):
			return bad(fmt.Sprintf("at most the estimate, %d", ran.Estimate))
		}
		w.Runtime = c.N
	case Procs:
		if c.N > int64(procs) {
			return bad(fmt.Sprintf("at most the machine's %d", procs))
		}
		if w.Procs = int(c.N); curve != nil {
			w.Runtime = speed.Seconds(curve.Work(), curve.At(w.Procs))
			w.Estimate = max(w.Estimate, w.Runtime)
		}
	case Submit:
		w.Submit = c.N
	case Earlier:
		w.Submit = max(0, w.Submit-c.N)
	case Later:
		if w.Submit += c.N; w.Submit > job.MaxTime {
			return bad(fmt.Sprintf("a submission until %d", int64(job.MaxTime)))
		}
	}
	w.Killed = w.Killed && c.Kind > Runtime
	return nil
}

// Invalid is a change that makes no sense for its job.
type Invalid struct{ job.Invalid }

func (e *Invalid) Error() string {
	return fmt.Sprintf("job %s, %s: expected %s, got %s", e.ID, e.Field, e.Expected, e.Got)
}

// remove marks a job as gone: j, or that with the id.
func (e *edit) remove(j job.Index, id string) error {
	jobs := e.up.Work.Jobs
	if id != "" {
		if j = Find(jobs, id); j == job.None {
			return fmt.Errorf("remove: expected the id of one of the %d jobs, got %q", len(jobs), id)
		}
	}
	if r := e.row(j); !slices.Contains(e.gone, r) {
		e.gone = append(e.gone, r)
	}
	return nil
}

// Find returns the job with an id, job.None if there is none.
func Find(jobs []job.Job, id string) job.Index {
	for j := range jobs {
		if jobs[j].ID == id {
			return job.Index(j)
		}
	}
	return job.None
}

// drop takes the jobs that go out, and the slowdowns of pairs that name them.
func (e *edit) drop() {
	slices.Sort(e.gone)
	w := &e.sc.Workload
	for i := len(e.gone) - 1; i >= 0; i-- {
		r := int(e.gone[i])
		w.Jobs = slices.Delete(w.Jobs, r, r+1)
		if r < len(w.JobsUnknown) {
			w.JobsUnknown = slices.Concat(w.JobsUnknown[:r], w.JobsUnknown[r+1:])
		}
	}
	if s := e.sc.Slowdown; s != nil && len(e.gone) > 0 && len(s.Pairs) > 0 {
		e.sc.Slowdown = Unpaired(s, w.Jobs)
	}
}

// Unpaired returns slowdowns without the pairs whose jobs or classes are not there.
func Unpaired(s *scenario.Slowdown, jobs []job.Job) *scenario.Slowdown {
	out := *s
	there := map[string]bool{}
	for i := range jobs {
		there[s.Name(&jobs[i])] = true
	}
	out.Pairs = nil
	for _, p := range s.Pairs {
		if there[p.Of] && there[p.Beside] {
			out.Pairs = append(out.Pairs, p)
		}
	}
	return &out
}

// match finds each job again.
func (e *edit) match(next *scenario.Setup) []job.Index {
	places := make([]job.Index, len(e.sc.Workload.Jobs)) // by where it is written
	for i := range places {
		places[i] = job.None
	}
	for k, r := range next.Work.Rows {
		places[r] = job.Index(k)
	}
	match := make([]job.Index, len(e.up.Work.Jobs))
	for j := range match {
		r := e.row(job.Index(j))
		before, removed := slices.BinarySearch(e.gone, r)
		if match[j] = job.None; !removed {
			match[j] = places[int(r)-before]
		}
	}
	return match
}
