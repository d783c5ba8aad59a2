package decision

import (
	"math"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
)

// Group describes the jobs that share nodes after a choice of the policy. If the policy chose no
// group, it describes the jobs that would have shared nodes.
type Group struct {
	Names []string // IDs of the primary and of each matched job
	gain.Group
}

// Group returns the group that started. If no set with matched jobs started, it returns the set
// with the largest gain as a group. It returns nil if no set has matched jobs.
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
	g.Primary = d.jobInGroup(s.Primary)
	for _, j := range s.Jobs {
		m := gain.Member{Job: d.jobInGroup(j), Suffers: 1, Causes: 1}
		for _, c := range d.candidates {
			if c.Job == j && c.Other == s.Primary && c.X > 0 && c.Y > 0 {
				m.Suffers, m.Causes = millionths(c.X)/m.OwnSlowdown(), millionths(c.Y)/g.Primary.OwnSlowdown()
			}
		}
		g.Matched = append(g.Matched, m)
	}
	return g
}

// jobInGroup returns job j as it was at the time of the choice. A job that has started keeps its
// processes per node. Its remaining work follows from its estimate and its progress.
func (d *Formation) jobInGroup(j job.Index) gain.Job {
	g := gain.NewJob(&d.log.Jobs[j].Request)
	g.PerNode = min(d.limits.PerNodeInGroup(g), max(d.log.Machine.SlotsPerNode()/2, 1))
	rate, since := 0.0, job.Time(0)
	for i := range d.stepsEnd { // records after d.stepsEnd are starts that the choice causes
		r := d.log.Record(i)
		newRate := 0.0 // rate of progress after this record
		switch {
		case r.Job != j:
			continue
		case r.Kind == log.Start || r.Kind == log.Resume:
			newRate, g.PerNode = 1, max(int(d.log.Layout(j).PerNode), 1)
		case r.Kind == log.RateChange:
			newRate = math.Float64frombits(uint64(r.X))
		case r.Kind != log.Suspend && r.Kind != log.Finish:
			continue
		}
		g.Left -= float64(rate * float64(r.At-since))
		rate, since = newRate, r.At
	}
	g.Left -= float64(rate * float64(d.log.Record(d.choice).At-since))
	return g
}

// periods returns a table of the periods of the group. For each period, it shows how many
// node-seconds the same work would take without sharing (Zeng 2009, formulas 5 and 6).
func (g *Group) periods() *Table {
	w := g.Gain()
	t := &Table{Name: "Periods of " + groupName(g.Names), Headings: "period	length (s)	SL of " + g.Names[0] + "	alone (node-s)	jobs on the same nodes",
		Notes: fillTemplate("Alone, with one process per node, the jobs would take % node-seconds. On shared nodes, they take %, so U = %. SL is the slowdown of a job on the shared nodes.", decimal(w.Alone), decimal(w.Used), decimal(w.U))}
	for i := range w.Periods {
		p := &w.Periods[i]
		running := ""
		for _, r := range p.Running {
			running += g.Names[r+1] + " (SL " + decimal(g.MatchedSlowdown(r)) + ") "
		}
		t.Rows = append(t.Rows, &Row{Cells: fillTemplate("%	%	%	%	%", itoa(i+1), decimal(p.To-p.From), decimal(p.Slowdown), decimal(p.Alone), running)})
	}
	return t
}

// groupName joins the IDs of the jobs in a group. The first one is the primary.
func groupName(names []string) string {
	if len(names) == 1 {
		return names[0] + " alone"
	}
	return "{" + names[0] + " + " + strings.Join(names[1:], ", ") + "}"
}

// millionths converts a number of millionths, as stored in the log, to a float64.
func millionths(v int64) float64 { return float64(v) / 1e6 }
