package scenario

import (
	"errors"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/speed"
)

// Slowdown holds the slowdowns of jobs on shared nodes, and the unknown fields of their JSON
// object:
//
//	"slowdown": {"seed": 7, "app-classes": true, "pairs": {"A": {"B": 1.2}}}
//
// In this example, a job of application class A takes 1.2 times as long while it shares nodes with
// a job of class B. The seed determines the slowdowns of all pairs that are not listed. Without a
// seed, jobs of these pairs do not slow each other down. If app-classes is set, the names are
// application classes, and all jobs of a class have the same slowdowns. Otherwise, the names are
// ids of jobs.
type Slowdown struct {
	slowdown.Model
	UnknownFields Fields
}

func (r *reader) parseSlowdown(s *Scenario, v raw.Value) {
	at, d := spot{part: "slowdown"}, &Slowdown{}
	d.UnknownFields = r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "seed":
			d.Drawn, d.Seed = true, r.WholeNumber(v, at.Field(name), 0, slowdown.MaxSeed)
		case "app-classes":
			d.ByClass = r.Boolean(v, at.Field(name))
		case "pairs":
			r.parsePairs(d, v, spot{part: "slowdown, pairs"})
		default:
			return false
		}
		return true
	})
	s.Slowdown = d
}

// parsePairs parses an object {job: {other job: slowdown}}.
func (r *reader) parsePairs(d *Slowdown, v raw.Value, at spot) {
	r.object(v, at, func(job string, v raw.Value) bool {
		r.object(v, spot{part: at.part + ", " + job}, func(other string, v raw.Value) bool {
			if len(d.Pairs) == MaxPairs {
				r.TooMany(v, at, "at most "+strconv.Itoa(MaxPairs)+" slowdowns")
				return true
			}
			slow := r.Number(v, at.Field(job+" next to "+other), slowdown.Min, slowdown.Max)
			d.Pairs = append(d.Pairs, slowdown.Pair{Of: job, NextTo: other, Slow: slow})
			return true
		})
		return true
	})
}

func (w *writer) writeSlowdown(d *Slowdown) {
	w.field("slowdown").inline('{')
	if d.Drawn {
		w.field("seed").int(d.Seed)
	}
	if d.ByClass {
		w.field("app-classes").raw("true")
	}
	if len(d.Pairs) > 0 {
		w.field("pairs").inline('{')
		for i, p := range d.Pairs {
			if i == 0 || d.Pairs[i-1].Of != p.Of {
				w.field(p.Of).inline('{')
			}
			w.field(p.NextTo).float(p.Slow)
			if i+1 == len(d.Pairs) || d.Pairs[i+1].Of != p.Of {
				w.close('}')
			}
		}
		w.close('}')
	}
	w.writeUnknownFields(d.UnknownFields)
	w.close('}')
}

// checkPairs checks that each slowdown pair names jobs or classes that occur in the workload. The
// given jobs must be those before the data rules are applied.
func (s *Scenario) checkPairs(jobs []job.Job) error {
	if s.Slowdown == nil {
		return nil
	}
	var bad *slowdown.Invalid
	if err := s.Slowdown.Check(jobs); errors.As(err, &bad) {
		return &Error{Where: "slowdown, pairs, " + bad.Pair.Of + " next to " + bad.Pair.NextTo, Expected: bad.Expected, Got: bad.Got}
	}
	return nil
}

// speedOf returns the speed model of the jobs. It returns nil if jobs cannot slow each other down:
// if nodes have one core, or if neither the scenario nor any job gives slowdowns.
func (s *Scenario) speedOf(jobs []job.Job) speed.Model {
	switch d := s.Slowdown; {
	case s.Machine.SlotsPerNode() == 1:
		return nil
	case d != nil:
		return d.Speed(jobs)
	case slowdown.HasSelfSlowdowns(jobs):
		return (&slowdown.Model{}).Speed(jobs)
	}
	return nil
}
