package decision

import (
	"math"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// Group is jobs that share nodes, or could have, as they were at the moment.
type Group struct {
	Names []string // of the primary and of each matched job
	gain.Group
}

// Group returns the group of the set that started, or of that with the largest gain.
func (d *Formation) Group() *Group {
	s := d.Chosen
	if s == nil || len(s.Jobs) == 0 {
		s = nil
		for _, x := range d.Sets {
			if len(x.Jobs) > 0 && (s == nil || x.Gain > s.Gain) {
				s = x
			}
		}
	}
	if s == nil {
		return nil
	}
	g := &Group{Names: d.names(s)}
	g.Primary = d.job(s.Primary)
	for _, j := range s.Jobs {
		m := gain.Member{Job: d.job(j), Suffers: 1, Causes: 1}
		for _, c := range d.candidates {
			if c.Job == j && c.Other == s.Primary && c.X > 0 && c.Y > 0 {
				m.Suffers, m.Causes = millionths(c.X)/m.Self(), millionths(c.Y)/g.Primary.Self()
			}
		}
		g.Matched = append(g.Matched, m)
	}
	return g
}

// job returns a job as it is or would be in a group: one that has started keeps its
// processes per node, and has the rest of its work left, by its estimate.
func (d *Formation) job(j job.Index) gain.Job {
	g := gain.Of(&d.log.Jobs[j].Request)
	g.PerNode = min(d.limits.Shared(g), max(d.log.Machine.PerNode()/2, 1))
	rate, since := 0.0, job.Time(0)
	for i := range d.end { // what the choice starts comes after that
		r := d.log.Record(i)
		next := 0.0 // the rate until the next record
		switch {
		case r.Job != j:
			continue
		case r.Kind == log.Start || r.Kind == log.Resume:
			next, g.PerNode = 1, max(int(d.log.Layout(j).PerNode), 1)
		case r.Kind == log.Reprice:
			next = math.Float64frombits(uint64(r.X))
		case r.Kind != log.Suspend && r.Kind != log.Finish:
			continue
		}
		g.Left -= float64(rate * float64(r.At-since))
		rate, since = next, r.At
	}
	g.Left -= float64(rate * float64(d.log.Record(d.place).At-since))
	return g
}

// periods returns what the group saves, period by period (Zeng 2009, formulas 5 and 6).
func (g *Group) periods() *Table {
	w := g.Gain()
	t := &Table{Name: "Periods of " + grouped(g.Names), Heads: "period	t, s	SL of " + g.Names[0] + "	saves, node-s	beside it",
		Notes: say("Together % node-seconds with a process on each node, and % here: U = %.", decimal(w.Saved), decimal(w.Used), decimal(w.U))}
	for i := range w.Periods {
		p := &w.Periods[i]
		beside := ""
		for _, r := range p.Running {
			beside += g.Names[r+1] + " (SL " + decimal(g.Slow(r)) + ") "
		}
		t.Rows = append(t.Rows, &Row{Cells: say("%	%	%	%	%", itoa(i+1), decimal(p.To-p.From), decimal(p.Slow), decimal(p.Saved), beside)})
	}
	return t
}

// grouped names a group by its jobs, the primary first.
func grouped(names []string) string {
	if len(names) == 1 {
		return names[0] + " alone"
	}
	return "{" + names[0] + " + " + strings.Join(names[1:], ", ") + "}"
}

func millionths(v int64) float64 { return float64(v) / 1e6 }
