package decision

import (
	"slices"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// Formation describes how a policy formed a group of jobs that share nodes, or why it formed none
// (Zeng 2009, chapter 4). A primary job is the one whose nodes the others would share. Formation
// lists the candidates to join each primary job, the sets that were tried, and the outcome of each
// set.
type Formation struct {
	timeFormat
	Sets   []*Set // in the order in which they were tried
	Chosen *Set   // the set that started, or nil if none started

	limits     *gain.Limits // limits of the policy on slowdowns, and on how long a job may outlast its primary
	log        *log.Log
	choice     int           // index of the choice record
	stepsEnd   int           // index of the record after the last step
	steps      []*Row        // rows of the table of steps
	candidates []*log.Record // records about candidates, in log order
	members    []job.Index   // jobs matched so far in the set that readStep is reading; empty after the gain record of the set
}

// Set holds the jobs that would share the nodes of a primary job. Jobs is empty if the primary runs
// alone.
type Set struct {
	Number  int64 // number by which log records refer to the set
	Primary job.Index
	Jobs    []job.Index // matched jobs, without those that a Purge record removed
	Gain    int64       // the utilization gain U, in millionths
	rows    []*Row      // rows of the table about this set
}

// ReadFormation returns the formation whose record of kind log.Choice has index place.
func ReadFormation(l *log.Log, place int, limits *gain.Limits) *Formation {
	d := &Formation{log: l, choice: place, limits: limits}
	choice, first := l.Record(place), place
	for first > 0 && l.Record(first-1).At == choice.At && l.Record(first-1).Kind != log.Choice {
		first--
	}
	for i := first; i < place; i++ {
		if r := l.Record(i); log.Kinds[r.Kind].Attempt && r.Job != job.None {
			d.readStep(r)
			d.stepsEnd = i + 1
		}
	}
	if d.Chosen = d.findSet(choice.X); d.Chosen != nil {
		for _, r := range d.Chosen.rows {
			r.Mark = "taken"
		}
	}
	return d
}

// readStep reads a record of the formation. It adds the record to the table of steps, and updates
// the candidates or the set that the record is about. A record of kind log.Member gets no row; it
// only adds a job to the set that the next gain record completes.
func (d *Formation) readStep(r *log.Record) {
	row := &Row{Depth: 1}
	set, gainText := d.findSet(r.X), ""
	names := jobID(d.log, r.Job)
	switch r.Kind {
	case log.Member:
		d.members = append(d.members, r.Job)
		return
	case log.PrimaryTried:
		row.Depth, row.Set, set = 0, len(d.steps)+1, nil
	case log.Candidate:
		d.candidates, set = append(d.candidates, r), nil
	case log.Gains:
		row.Depth = min(len(d.members), 1)
		set = &Set{Number: r.X, Primary: r.Job, Jobs: d.members}
		d.Sets, d.members = append(d.Sets, set), nil
	case log.GroupVerdict:
		row.Depth = 0
	}
	if set != nil {
		if r.Kind != log.GroupVerdict {
			set.Gain, gainText = r.Y, decimal(millionths(r.Y))
		}
		set.Jobs = slices.DeleteFunc(set.Jobs, func(j job.Index) bool { return r.Kind == log.Purge && j == r.Job })
		names, set.rows = groupName(d.names(set)), append(set.rows, row)
	}
	if isRejection[r.Code] {
		row.Mark = "cut"
	}
	row.Cells = fillTemplate("%\t%\t%", names, gainText, explain.StepText(d.log, r).Text())
	d.steps = append(d.steps, row)
}

// isRejection holds, by reason code, whether this reason rejects a candidate or a set.
var isRejection = [256]bool{log.SlowsPrimary: true, log.SlowedDown: true, log.RunsLonger: true,
	log.TooLittleGain: true, log.GroupUnfair: true, log.NoNodes: true, log.NotForWholeRuntime: true}

// findSet returns the set with number n, or nil if the log does not record it.
func (d *Formation) findSet(n int64) *Set {
	for _, s := range d.Sets {
		if s.Number == n {
			return s
		}
	}
	return nil
}

// Complete reports whether the log records all sets that were tried. Only a log of level full
// records them.
func (d *Formation) Complete() bool { return int64(len(d.Sets)) == d.log.Record(d.choice).Y }

// Summary returns a summary of the formation: how many sets were tried, and which of them starts.
func (d *Formation) Summary() string {
	r, view := d.log.Record(d.choice), ""
	if r.View > 0 {
		view = " " + log.ViewName(r.View)
	}
	text := fillTemplate("At %, of % of% jobs that could share nodes, ", d.clock.Instant(r.At), format.Count(int(r.Y), "set"), view)
	switch {
	case d.Chosen != nil:
		return text + fillTemplate("% starts, with U = %.", groupName(d.names(d.Chosen)), decimal(millionths(d.Chosen.Gain)))
	case r.X > 0:
		return text + fillTemplate("set number % starts. The log does not record the sets that were tried.", itoa(int(r.X)))
	}
	return text + "none starts."
}

// Tables returns a table of the steps in forming a group. If Group returns a group, Tables also
// returns a table of its periods, the intervals in which the same jobs run.
func (d *Formation) Tables(o *Options) []*Table {
	t := &Table{Name: "Formation", Headings: "job or set\tU\toutcome", Notes: "The primary is the job whose nodes the other jobs of a set share. U is the relative gain of sharing, (alone - used) / used. Alone is the number of node-seconds that the jobs of the set would take without sharing, with one process per node. Used is the number of node-seconds that the set takes on the primary's nodes. Candidates that do not fit together on the primary's nodes form no set."}
	show := true
	for _, r := range d.steps {
		if r.Set > 0 {
			r.Open = isOpen(r.Set, len(d.steps) <= maxUnfolded, o)
			show = r.Open
		}
		if show || r.Depth == 0 || r.Mark == "taken" {
			t.add(r, o)
		}
	}
	if g := d.Group(); g != nil {
		return []*Table{t, g.periods()}
	}
	return []*Table{t}
}

// names returns the IDs of the primary and of the matched jobs of a set.
func (d *Formation) names(s *Set) []string {
	out := []string{jobID(d.log, s.Primary)}
	for _, j := range s.Jobs {
		out = append(out, jobID(d.log, j))
	}
	return out
}
