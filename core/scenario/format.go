package scenario

import (
	"maps"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// Format returns the scenario as JSON, with one line per job. It omits most fields that have their
// default values. Equal scenarios give equal bytes, from which Parse returns an equal scenario.
func Format(s *Scenario) []byte {
	w := &writer{}
	w.open('{')
	w.field("version").int(Version)
	w.textField("title", s.Title)
	w.textField("text", s.Text)
	if s.Calendar != nil {
		w.writeCalendar(s.Calendar)
	}
	w.field("machine")
	w.writeMachine(&s.Machine)
	w.field("workload")
	w.writeWorkload(s)
	if s.Slowdown != nil {
		w.writeSlowdown(s.Slowdown)
	}
	if !s.Rules.isDefault() {
		w.field("rules")
		w.writeRules(&s.Rules)
	}
	if len(s.Changes) > 0 {
		w.field("changes").inline('[')
		for _, text := range s.Changes {
			w.next().text(text)
		}
		w.close(']')
	}
	w.field("policies")
	w.lines('[', len(s.Policies), func(i int) { w.writePolicy(&s.Policies[i]) })
	if s.View != "" {
		w.field("view").raw(s.View)
	}
	w.writeUnknownFields(s.UnknownFields)
	w.close('}')
	return append(w.out, '\n')
}

func (w *writer) writeCalendar(c *Calendar) {
	w.field("calendar").inline('{')
	w.field("start").int(c.Start)
	w.textField("zone", c.Zone)
	w.writeUnknownFields(c.UnknownFields)
	w.close('}')
}

func (w *writer) writeMachine(m *Machine) {
	w.inline('{')
	w.field("nodes").int(int64(m.Nodes))
	w.intField("processors", int64(m.Processors), 1)
	w.intField("cores", int64(m.Cores), 1)
	w.intField("jobs-per-node", int64(m.JobsPerNode), 0)
	if m.Proposed {
		w.field("proposed").raw("true")
	}
	if len(m.Resources) > 0 {
		w.field("resources").inline('[')
		for k, r := range m.Resources {
			w.next().inline('{')
			w.field("name").text(r.Name)
			w.field("capacity").int(r.Capacity)
			if k < len(m.ResourcesUnknown) {
				w.writeUnknownFields(m.ResourcesUnknown[k])
			}
			w.close('}')
		}
		w.close(']')
	}
	w.writeOutages(m)
	w.writeUnknownFields(m.UnknownFields)
	w.close('}')
}

func (w *writer) writeWorkload(s *Scenario) {
	l := &s.Workload
	w.open('{')
	switch {
	case l.Generator != nil:
		w.field("generator").text(l.Generator.Name)
		w.writeKnobs("parameters", l.Generator.Parameters)
		w.field("seed").int(l.Generator.Seed)
	case l.File != nil:
		w.field("file").text(l.File.Name)
		w.textField("sha256", l.File.SHA256)
		w.textField("partition", l.File.Partition)
		if l.File.Unit != sacct.CPUs {
			w.field("unit").text(l.File.Unit.String())
		}
		if l.File.Submit != sacct.AtSubmit {
			w.field("submit-time").text(l.File.Submit.String())
		}
		w.textField("wall-limits", l.File.Limits.String())
	default:
		w.field("jobs")
		w.lines('[', len(l.Jobs), func(i int) { w.writeJob(s, i) })
	}
	w.writeUnknownFields(l.UnknownFields)
	w.close('}')
}

func (w *writer) writeJob(s *Scenario, i int) {
	j := &s.Workload.Jobs[i]
	w.inline('{')
	w.field("id").text(j.ID)
	w.field("submit").int(j.Submit)
	w.field("procs").int(int64(j.Procs))
	w.field("estimate").int(j.Estimate)
	w.field("runtime").int(j.Runtime)
	if j.Killed {
		w.field("killed").raw("true")
	}
	if j.More != nil {
		w.writeMore(s, j.More)
	}
	if i < len(s.Workload.JobsUnknown) {
		w.writeUnknownFields(s.Workload.JobsUnknown[i])
	}
	w.close('}')
}

// writeMore writes the fields of job.More that are set.
func (w *writer) writeMore(s *Scenario, m *job.More) {
	if c := m.Speedup; c != nil && len(c.Table) > 0 {
		w.field("table").inline('[')
		for _, t := range c.Table {
			w.next().int(t)
		}
		w.close(']')
	}
	if c := m.Speedup; c != nil && c.A > 0 {
		if c.L > 0 {
			w.field("L").float(c.L)
		}
		w.field("A").float(c.A)
		w.field("sigma").float(c.Sigma)
	}
	if slices.ContainsFunc(m.Extra, func(a int64) bool { return a != 0 }) {
		w.field("resources").inline('{')
		for k, a := range m.Extra {
			if a != 0 && k < len(s.Machine.Resources) {
				w.field(s.Machine.Resources[k].Name).int(a)
			}
		}
		w.close('}')
	}
	for _, x := range job.TextFields {
		w.textField(x.Name, *x.Pointer(m))
	}
	if m.SLnos != 0 {
		w.field("slnos").float(m.SLnos)
	}
	if m.SLcrs != 0 {
		w.field("slcrs").float(m.SLcrs)
	}
	if m.NoLimit {
		w.field("no-limit").raw("true")
	}
}

func (w *writer) writeRules(r *Rules) {
	w.inline('{')
	word := func(name, value, defaultValue string) {
		if value != defaultValue {
			w.field(name).text(value)
		}
	}
	word("overrun", r.Overrun.String(), workload.Raise.String())
	word("size", r.Size.String(), workload.Requested.String())
	word("filter", r.Filter.String(), workload.NoFilter.String())
	word("zero-runtime", r.Zero.String(), workload.OneSecond.String())
	word("oversize", r.Oversize.String(), workload.DropWide.String())
	w.intField("limit", int64(r.Limit), 0)
	word("window", r.Window.String(), "")
	if r.Keep != (workload.Keep{}) {
		w.field("keep").inline('{')
		for _, f := range workload.KeepFields {
			w.textField(f, r.Keep.Get(f))
		}
		w.close('}')
	}
	if r.Shift {
		w.field("shift").raw("true")
	}
	w.floatField("load-factor", r.LoadFactor)
	w.floatField("wall-factor", r.WallFactor)
	w.floatField("warmup", r.Warmup)
	w.floatField("cooldown", r.Cooldown)
	w.writeUnknownFields(r.UnknownFields)
	w.close('}')
}

func (w *writer) writePolicy(p *Policy) {
	w.inline('{')
	w.field("name").text(p.Name)
	w.textField("title", p.Title)
	w.writeKnobs("knobs", p.Knobs)
	if p.Baseline {
		w.field("baseline").raw("true")
	}
	if p.NoChart {
		w.field("chart").raw("false")
	}
	w.writeUnknownFields(p.UnknownFields)
	w.close('}')
}

// writeKnobs writes knobs as an object, or nothing if there are none.
func (w *writer) writeKnobs(field string, set map[string]string) {
	if len(set) == 0 {
		return
	}
	w.field(field).inline('{')
	for _, knob := range slices.Sorted(maps.Keys(set)) {
		w.field(knob).writeKnob(set[knob])
	}
	w.close('}')
}

// writeKnob writes the value of a knob. Numbers, true and false have no quotes. Any other value has
// quotes.
func (w *writer) writeKnob(text string) {
	if v, err := raw.Check([]byte(text)); err == nil && v.Text == text && (v.Kind() == raw.Number || v.Kind() == raw.Boolean) {
		w.raw(text)
		return
	}
	w.text(text)
}
