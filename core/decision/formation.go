package decision

import (
	"slices"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// Formation describes how a group of jobs that share nodes was formed, or why none was
// (Zeng 2009, chapter 4). It lists the candidates of each primary job, the sets that
// were tried, and the outcome of each.
type Formation struct {
	timeFormat
	Sets   []*Set // in the order in which they were tried
	Chosen *Set   // the set that started, nil if none did

	limits     *gain.Limits
	log        *log.Log
	choice     int    // index of the choice record
	stepsEnd   int    // index of the record after the last step
	steps      []*Row // rows of the table of steps
	candidates []*log.Record
	members    []job.Index // matched jobs of the set that readStep is reading; empty after its gain record
}

// Set holds the jobs that are matched with a primary job. Jobs is empty if the primary
// runs alone.
type Set struct {
	Number  int64
	Primary job.Index
	Jobs    []job.Index // without jobs that were purged
	Gain    int64       // the utilization gain U, in millionths
	rows    []*Row      // rows of the table that describe this set
}

// ReadFormation reads the formation that the record with index place ends. The record has the kind
// log.Choice.
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

// readStep adds a record of the formation to the sets or to the table of steps, or to both.
func (d *Formation) readStep(r *log.Record) {
	row := &Row{Depth: 1}
	set, gainText := d.findSet(r.X), ""
	names := jobID(d.log, r.Job)
	switch r.Kind {
	case log.Member:
		d.members = append(d.members, r.Job)
		return
	case log.Form:
		row.Depth, row.Set, set = 0, len(d.steps)+1, nil
	case log.Candidate:
		d.candidates, set = append(d.candidates, r), nil
	case log.Gains:
		row.Depth = min(len(d.members), 1)
		set = &Set{Number: r.X, Primary: r.Job, Jobs: d.members}
		d.Sets, d.members = append(d.Sets, set), nil
	case log.Judge:
		row.Depth = 0
	}
	if set != nil {
		if r.Kind != log.Judge {
			set.Gain, gainText = r.Y, decimal(millionths(r.Y))
		}
		set.Jobs = slices.DeleteFunc(set.Jobs, func(j job.Index) bool { return r.Kind == log.Purge && j == r.Job })
		names, set.rows = groupName(d.names(set)), append(set.rows, row)
	}
	if isRejection[r.Code] {
		row.Mark = "cut"
	}
	row.Cells = fill("%\t%\t%", names, gainText, explain.StepText(d.log, r).Text())
	d.steps = append(d.steps, row)
}

// isRejection reports, by code, whether a record with the code rejects a candidate or a set.
var isRejection = [256]bool{log.SlowsPrimary: true, log.SlowedDown: true, log.RunsLonger: true,
	log.TooLittle: true, log.Unfair: true, log.NoNodes: true, log.NotForLong: true}

// findSet returns the set with number n, or nil if the log does not hold it.
func (d *Formation) findSet(n int64) *Set {
	for _, s := range d.Sets {
		if s.Number == n {
			return s
		}
	}
	return nil
}

// Complete reports whether the log holds the sets that were tried. Only logs of the level full do.
func (d *Formation) Complete() bool { return int64(len(d.Sets)) == d.log.Record(d.choice).Y }

// Summary returns one sentence that summarizes the formation.
func (d *Formation) Summary() string {
	r, view := d.log.Record(d.choice), ""
	if r.View > 0 {
		view = " " + log.ViewName(r.View)
	}
	text := fill("At %, of % of% jobs that could share nodes, ", d.clock.Instant(r.At), format.Count(int(r.Y), "set"), view)
	switch {
	case d.Chosen != nil:
		return text + fill("% starts, with U = %.", groupName(d.names(d.Chosen)), decimal(millionths(d.Chosen.Gain)))
	case r.X > 0:
		return text + fill("set number % starts. The log does not hold the sets.", itoa(int(r.X)))
	}
	return text + "none starts."
}

// Tables returns the steps of the formation. If there is a group to show, the periods
// of the group follow.
func (d *Formation) Tables(o *Options) []*Table {
	t := &Table{Name: "Formation", Headings: "job or set\tU\toutcome", Notes: "U is the relative gain of sharing, (saved - used) / used. Saved is the number of node-seconds that the work of the set takes with one process per node. Used is the number of node-seconds that the set takes on the primary's nodes. Candidates that together do not fit the nodes of the primary form no set."}
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

// names returns the IDs of the jobs of a set, the primary first.
func (d *Formation) names(s *Set) []string {
	out := []string{jobID(d.log, s.Primary)}
	for _, j := range s.Jobs {
		out = append(out, jobID(d.log, j))
	}
	return out
}
