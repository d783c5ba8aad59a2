package decision

import (
	"slices"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// Formation is how a group of jobs that share nodes was formed at a moment, or why
// none was (Zeng 2009, chapter 4): the candidates of each primary, the sets, and
// what became of each.
type Formation struct {
	Sets   []*Set // in the order in which they were tried
	Chosen *Set   // that started, nil: none

	limits     *gain.Limits
	log        *log.Log
	place      int // of the choice
	end        int // of the steps before it
	steps      []*Row
	candidates []*log.Record
	members    []job.Index // of the set that is being told
}

// Set is jobs matched with a primary; none of one that runs alone.
type Set struct {
	Number  int64
	Primary job.Index
	Jobs    []job.Index // without those that were taken out again
	Gain    int64       // in millionths
	rows    []*Row
}

// ReadFormation reads the formation that ends with the choice at a place of a log.
func ReadFormation(l *log.Log, place int, limits *gain.Limits) *Formation {
	d := &Formation{log: l, place: place, limits: limits}
	choice, first := l.Record(place), place
	for first > 0 && l.Record(first-1).At == choice.At && l.Record(first-1).Kind != log.Choice {
		first--
	}
	for i := first; i < place; i++ {
		if r := l.Record(i); log.Kinds[r.Kind].Attempt && r.Job != job.None {
			d.read(r)
			d.end = i + 1
		}
	}
	if d.Chosen = d.set(choice.X); d.Chosen != nil {
		for _, r := range d.Chosen.rows {
			r.Mark = "taken"
		}
	}
	return d
}

// read takes in a step.
func (d *Formation) read(r *log.Record) {
	row := &Row{Depth: 1}
	s, u := d.set(r.X), ""
	who := name(d.log, r.Job)
	switch r.Kind {
	case log.Member:
		d.members = append(d.members, r.Job)
		return
	case log.Form:
		row.Depth, row.Set, s = 0, len(d.steps)+1, nil
	case log.Candidate:
		d.candidates, s = append(d.candidates, r), nil
	case log.Gains:
		row.Depth = min(len(d.members), 1)
		s = &Set{Number: r.X, Primary: r.Job, Jobs: d.members}
		d.Sets, d.members = append(d.Sets, s), nil
	case log.Judge:
		row.Depth = 0
	}
	if s != nil {
		if r.Kind != log.Judge {
			s.Gain, u = r.Y, decimal(millionths(r.Y))
		}
		s.Jobs = slices.DeleteFunc(s.Jobs, func(j job.Index) bool { return r.Kind == log.Purge && j == r.Job })
		who, s.rows = grouped(d.names(s)), append(s.rows, row)
	}
	if bad[r.Code] {
		row.Mark = "cut"
	}
	row.Cells = say("%\t%\t%", who, u, explain.Step(d.log, r).Text())
	d.steps = append(d.steps, row)
}

// bad says what makes a candidate or a set drop out.
var bad = [256]bool{log.SlowsPrimary: true, log.SlowedDown: true, log.RunsLonger: true,
	log.TooLittle: true, log.Unfair: true, log.NoNodes: true, log.NotForLong: true}

// set returns the set of that number, nil if it has not been told.
func (d *Formation) set(n int64) *Set {
	for _, s := range d.Sets {
		if s.Number == n {
			return s
		}
	}
	return nil
}

// Told reports whether the log holds the formation: only one of all that a run
// records does.
func (d *Formation) Told() bool { return int64(len(d.Sets)) == d.log.Record(d.place).Y }

// Says returns the formation in a sentence.
func (d *Formation) Says() string {
	r, view := d.log.Record(d.place), ""
	if r.View > 0 {
		view = " " + log.ViewName(r.View)
	}
	text := say("At %, of % of% jobs that could share nodes, ", moment(r.At), count(int(r.Y), "set"), view)
	switch {
	case d.Chosen != nil:
		return text + say("% starts, with U = %.", grouped(d.names(d.Chosen)), decimal(millionths(d.Chosen.Gain)))
	case r.X > 0:
		return text + say("number % starts. The log does not hold the sets.", moment(r.X))
	}
	return text + "none starts."
}

// Tables returns the steps of the formation, and the periods of the group that is shown.
func (d *Formation) Tables(o *Options) []*Table {
	t := &Table{Name: "Formation", Heads: "job or set\tU\twhat became of it", Notes: "U is what is done beyond the work of the primary's nodes with a process on each, as a part of that. Candidates that do not fit the nodes of the primary together make no set."}
	show := true
	for _, r := range d.steps {
		if r.Set > 0 {
			r.Open = open(r.Set, len(d.steps) <= few, o)
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

// names returns those of the jobs of a set, the primary first.
func (d *Formation) names(s *Set) []string {
	out := []string{name(d.log, s.Primary)}
	for _, j := range s.Jobs {
		out = append(out, name(d.log, j))
	}
	return out
}
