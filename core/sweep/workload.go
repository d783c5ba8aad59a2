package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/resample"
)

// Workload is a machine with its jobs. Its scenario has no policies.
type Workload struct {
	Name     string
	Row      string // name in the table of a study: the name without the values of knobs that vary
	Group    string // name of a group of rows in the table of a study; in the figure, a line connects these rows
	Scenario *scenario.Scenario
	Seeds    []int64           // seeds to use instead of those in the definition; nil for none
	Knobs    map[string]string // knobs to set in every policy on this workload
	Queue    *QueueTarget      // nil if the model sets the arrival rate
	Resample resample.Blocks   // blocks of jobs that each seed draws, such as weeks; empty if the jobs are not resampled
}

// workload reads a workload. If a knob has a list of values, it adds a workload for every
// combination of values.
func (r *reader) workload(v raw.Value, at place) {
	w, grid := Workload{}, map[string][]string{}
	var parameters map[string][]string
	r.Object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "name":
			w.Name = r.LongText(v, at.Field("name"))
		case "group":
			w.Group = r.LongText(v, at.Field("group"))
		case "scenario":
			w.Scenario = r.scenario(v, at.Field("scenario"))
		case "like":
			w.Scenario, w.Queue = r.workloadLike(v, at.Field("like"), r.LongText(v, at.Field("like")))
		case "parameters":
			parameters = r.grid(v, at.Field("parameters"))
		case "seeds":
			w.Seeds = r.seeds(v, at.Field("seeds"))
		case "knobs":
			grid = r.grid(v, at)
		case "resample":
			w.Resample = r.resample(v, at.Field("resample"))
		case "mean-queue-length":
			w.Queue = r.queue(v, at.Field("mean-queue-length"))
		default:
			return false
		}
		return true
	})
	r.checkWorkload(v, at, &w)
	if w.Row = w.Name; r.Err == nil && parameters != nil {
		w.Scenario = r.withParameters(v, at, w.Scenario, parameters)
	}
	r.expandWorkload(v, at, w, grid)
}

// checkWorkload records an error if a workload lacks a name or a scenario, or if its name is
// already used. It also records an error if a generated workload is resampled, or if a queue length
// is set for a workload without a generator.
func (r *reader) checkWorkload(v raw.Value, at place, w *Workload) {
	switch {
	case w.Name == "":
		r.Fail(v, at, "a workload with a name")
	case w.Scenario == nil:
		r.Fail(v, at, "a workload with the field \"scenario\" or \"like\"")
	case w.Resample != "" && w.Scenario.Workload.Generator != nil:
		r.Fail(field(v, "resample"), at.Field("resample"), "a workload that is not generated")
	case w.Queue != nil && w.Scenario.Workload.Generator == nil:
		r.Fail(field(v, "mean-queue-length"), at.Field("mean-queue-length"), "a workload with a generator")
	case slices.ContainsFunc(r.d.Workloads, func(x Workload) bool { return x.Row == w.Name }):
		r.Fail(field(v, "name"), at.Field("name"), "a name that no other workload has")
	}
}

// expandWorkload adds one workload for every combination of values in a grid.
func (r *reader) expandWorkload(v raw.Value, at place, w Workload, grid map[string][]string) {
	for _, knobs := range r.combinations(v, at, grid) {
		if len(r.d.Workloads) == MaxWorkloads {
			r.Fail(v, at, fmt.Sprintf("at most %d workloads in all, counting each combination of knobs", MaxWorkloads))
			return
		}
		made := w
		made.Name, made.Knobs = w.Name+variedKnobs(grid, knobs), knobs
		r.d.Workloads = append(r.d.Workloads, made)
		r.workloads = append(r.workloads, source{v, at})
	}
}

// scenario reads the scenario of a workload, which is nested in the definition. It drops the
// policies, the title, the text and the view of the scenario.
func (r *reader) scenario(v raw.Value, at place) *scenario.Scenario {
	s, err := scenario.Parse([]byte(v.Text))
	if err != nil {
		r.failWith(v, at, err)
		return nil
	}
	s.Policies, s.Title, s.Text, s.View = nil, "", "", ""
	return s
}

// workloadLike returns the scenario and the queue target of the earlier workload with the given
// name.
func (r *reader) workloadLike(v raw.Value, at place, name string) (*scenario.Scenario, *QueueTarget) {
	i := slices.IndexFunc(r.d.Workloads, func(x Workload) bool { return x.Row == name })
	if i < 0 {
		r.Fail(v, at, "the name of an earlier workload")
		return nil, nil
	}
	return r.d.Workloads[i].Scenario, r.d.Workloads[i].Queue
}

// withParameters returns a copy of scenario s in which the given parameters of its generator are
// set.
func (r *reader) withParameters(v raw.Value, at place, s *scenario.Scenario, set map[string][]string) *scenario.Scenario {
	if s.Workload.Generator == nil {
		r.Fail(field(v, "parameters"), at.Field("parameters"), "a workload with a generator")
		return s
	}
	out, drawn := *s, *s.Workload.Generator
	drawn.Parameters = maps.Clone(drawn.Parameters)
	if drawn.Parameters == nil {
		drawn.Parameters = map[string]string{}
	}
	for name, values := range set {
		if len(values) > 1 {
			r.Fail(field(field(v, "parameters"), name), at.Field("parameters").Field(name), "one value")
		}
		drawn.Parameters[name] = values[0]
	}
	out.Workload.Generator = &drawn
	return &out
}

// resample reads the field that says which blocks of a trace to draw, such as weeks or users.
func (r *reader) resample(v raw.Value, at place) resample.Blocks {
	text := r.LongText(v, at)
	if !slices.Contains(resample.BlockNames, text) {
		r.Fail(v, at, strings.Join(resample.BlockNames, " or "))
	}
	return resample.Blocks(text)
}

// drawBlocks loads the jobs of a scenario and draws blocks of jobs at random. It applies the load
// factor afterwards, because scaling changes the length of a week.
func drawBlocks(x *scenario.Scenario, load JobLoader, by resample.Blocks, seed int64) (*scenario.Setup, error) {
	factor := x.Rules.LoadFactor
	x.Rules.LoadFactor = 0
	up, err := load(x)
	if err != nil {
		return nil, err
	}
	jobs, err := resample.Jobs(up.Work.Jobs, by, uint32(seed))
	if err != nil {
		return nil, fmt.Errorf("resample: %w", err)
	}
	work, err := workload.Clean(jobs, nil, up.Work.Procs, workload.Rules{LoadFactor: factor})
	if err != nil {
		return nil, err
	}
	work.Header, work.Calendar = up.Work.Header, up.Work.Calendar
	drawn := *up
	drawn.Work = work
	return &drawn, nil
}
