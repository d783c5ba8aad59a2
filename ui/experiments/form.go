package experiments

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/knob"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/widgets"
)

// Names of the form's fields. The name of a field for a knob is knobField followed by the name of the knob.
const (
	titleField    = "title"
	loadsField    = "loads"
	offeredField  = "offered"
	seedsField    = "seeds"
	nameField     = "name"
	modelField    = "model"
	nodesField    = "nodes"
	warmupField   = "warmup"
	cooldownField = "cooldown"
	knobField     = "knob "
)

// CanEdit reports whether the form can show the definition.
func (c *Experiments) CanEdit() bool { return c.draft != nil }

// text returns a text field. workloadIndex is the index of the workload that the field belongs to, or 0 if it belongs
// to none.
func text(id, name, label, value, help string, workloadIndex int) widgets.Field {
	return widgets.Field{ID: id, Name: name, Label: label, Text: value, Help: help, Place: workloadIndex, Invalid: "false"}
}

// TitleFields returns the field for the title of the experiment, in a list.
func (c *Experiments) TitleFields() []widgets.Field {
	return []widgets.Field{text("x-title", titleField, "Title", c.draft.Title, "", 0)}
}

// LoadAndSeedFields returns the fields for load factors, offered loads and seeds.
func (c *Experiments) LoadAndSeedFields() []widgets.Field {
	x := c.draft
	loads := append([]widgets.Field{text(loadsID, loadsField, "Load factors", x.Loads, c.loadFieldHelp(), 0)}, c.offeredField()...)
	return c.markInvalid(append(loads, text(seedsID, seedsField, "Seeds", x.Seeds, "Such as 1-10 or 1, 2, 5. For a generated workload, each seed gives different jobs of the same kind, and more seeds give narrower confidence intervals. Listed jobs do not depend on the seed", 0)))
}

// SetField stores the text that the user typed in field f: the title, load factors, offered loads or seeds.
func (c *Experiments) SetField(e vugu.DOMEvent, f widgets.Field) {
	x := c.draft
	if f.Name == offeredField {
		c.setOffered(e.PropString("target", "value"))
		return
	}
	to := map[string]*string{titleField: &x.Title, loadsField: &x.Loads, seedsField: &x.Seeds}[f.Name]
	*to = e.PropString("target", "value")
	c.handleEdit()
}

// WorkloadRow is a workload as the form shows it.
type WorkloadRow struct {
	I         int // index of the workload
	ID, Title string
	About     string          // describes the model and its changed settings, or the scenario
	Fields    []widgets.Field // fields that are always shown
	Knobs     []widgets.Field // empty while they are folded away
	IsModel   bool            // a model generates the jobs; false if the workload is a scenario
}

// Workloads returns the workloads as the form shows them.
func (c *Experiments) Workloads() (out []WorkloadRow) {
	for i := range c.draft.Workloads {
		w := &c.draft.Workloads[i]
		id := workloadID(i)
		r := WorkloadRow{I: i, ID: id, Title: w.Name, IsModel: w.Model != nil}
		r.Fields = []widgets.Field{text(id+"-name", nameField, "Name", w.Name, "", i)}
		if w.Model != nil {
			spec := w.Model.spec()
			r.About = spec.Title + w.Model.changedText(spec)
			r.Fields = append(r.Fields, w.Model.fields(id, i, spec)...)
			if c.Unfolded(id + "-more") {
				r.Knobs = w.Model.moreFields(id, i, spec)
			}
		} else {
			r.About = aboutScenario(w.Scenario)
		}
		c.markInvalid(r.Fields)
		c.markInvalid(r.Knobs)
		out = append(out, r)
	}
	return out
}

// spec returns the description of the model's generator, or of the first generator in the registry if the name is
// unknown.
func (m *model) spec() *generator.Spec {
	if s, err := registry.Find(m.Name); err == nil {
		return s
	}
	return registry.All[0]
}

// fields returns the fields that the form always shows: model, jobs, nodes, warm-up and cool-down.
func (m *model) fields(id string, i int, spec *generator.Spec) []widgets.Field {
	name := text(id+"-model", modelField, "Model", m.Name, "", i)
	name.Kind = knob.Choice
	for _, s := range registry.All {
		name.Options = append(name.Options, s.Name)
	}
	return []widgets.Field{name, m.knob(id, i, spec, 0), text(id+"-nodes", nodesField, "Nodes", m.Nodes, "", i),
		text(id+"-warmup", warmupField, "Warm-up, %", m.Warmup, "Percentage of the jobs that the metrics leave out at the beginning", i),
		text(id+"-cooldown", cooldownField, "Cool-down, %", m.Cooldown, "Percentage of the jobs that the metrics leave out at the end", i)}
}

// moreFields returns the fields below “More settings”: all knobs except the number of jobs.
func (m *model) moreFields(id string, i int, spec *generator.Spec) (out []widgets.Field) {
	for k := range spec.Knobs[1:] {
		out = append(out, m.knob(id, i, spec, k+1))
	}
	return out
}

// changedText lists the settings below “More settings” that differ from the defaults of the model. The caller appends
// the list to a description of the workload. If all settings have their defaults, changedText returns "".
func (m *model) changedText(spec *generator.Spec) string {
	var changed []string
	for k := range spec.Knobs[1:] {
		o := &spec.Knobs[k+1]
		if v, ok := m.Knobs[o.Name]; ok && v != o.Default {
			changed = append(changed, o.Setting(v))
		}
	}
	if changed == nil {
		return ""
	}
	return ", with " + strings.Join(changed, "; ") + "."
}

// knob returns the field for the knob spec.Knobs[n].
func (m *model) knob(id string, i int, spec *generator.Spec, n int) widgets.Field {
	k := &spec.Knobs[n]
	value, ok := m.Knobs[k.Name]
	if !ok {
		value = k.Default
	}
	f := widgets.KnobField(id+"-knob-"+k.Name, value, k, spec.Knobs)
	f.Name, f.Place, f.Invalid = knobField+k.Name, i, "false"
	f.Duration = false
	return f
}

// aboutScenario describes a scenario that the form cannot show, or says that it is invalid.
func aboutScenario(text string) string {
	s, err := scenario.Parse([]byte(text))
	if err != nil {
		return "The scenario is invalid: " + err.Error()
	}
	jobs := format.Count(len(s.Workload.Jobs), "job")
	if g := s.Workload.Generator; g != nil {
		jobs = "Jobs of the model " + g.Name
	}
	return fmt.Sprintf("%s on %s. Edit the scenario as text, or open it in the page.", jobs, format.Count(s.Machine.Nodes, "node"))
}

// SetWorkload stores the value that the user typed or selected in a field of a workload.
func (c *Experiments) SetWorkload(e vugu.DOMEvent, f widgets.Field) {
	if c.draft == nil || f.Place >= len(c.draft.Workloads) { // the form was changed since it was drawn
		return
	}
	w := &c.draft.Workloads[f.Place]
	value := e.PropString("target", "value")
	if f.IsSwitch() {
		value = strconv.FormatBool(e.PropBool("target", "checked"))
	}
	switch name, isKnob := strings.CutPrefix(f.Name, knobField); {
	case f.Name == nameField:
		w.Name = value
	case isKnob:
		w.Model.Knobs[name] = value
	case f.Name == modelField:
		w.Model.Name = value
		w.Model.dropUnknown()
	default:
		m := w.Model
		*map[string]*string{nodesField: &m.Nodes, warmupField: &m.Warmup, cooldownField: &m.Cooldown}[f.Name] = value
	}
	c.handleEdit()
}

// dropUnknown removes the values of knobs that the model does not have.
func (m *model) dropUnknown() {
	spec := m.spec()
	maps.DeleteFunc(m.Knobs, func(name, _ string) bool {
		for _, k := range spec.Knobs {
			if k.Name == name {
				return false
			}
		}
		return true
	})
}

// freeName returns the name, followed by a number if a workload already has this name.
func (c *Experiments) freeName(name string) string {
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try += " " + strconv.Itoa(n)
		}
		used := false
		for _, w := range c.draft.Workloads {
			used = used || w.Name == try
		}
		if !used {
			return try
		}
	}
}

// AddModel adds a workload whose jobs Lublin's model generates.
func (c *Experiments) AddModel() {
	c.draft.Workloads = append(c.draft.Workloads, newModel(c.freeName("lublin")))
	c.handleEdit()
}

// DropWorkload removes a workload.
func (c *Experiments) DropWorkload(i int) {
	if x := c.draft; i < len(x.Workloads) {
		c.changeDraft("Removed "+x.Workloads[i].Name+".", func() { x.Workloads = append(x.Workloads[:i:i], x.Workloads[i+1:]...) })
	}
}

// AddCurrent adds the current scenario of the page as a workload.
func (c *Experiments) AddCurrent() {
	if w, ok := c.current(); ok {
		w.Name = c.freeName(w.Name)
		c.draft.Workloads = append(c.draft.Workloads, w)
		c.handleEdit()
		c.message = "Added the current scenario."
	}
}

// StartFromCurrent replaces the workloads and policies with those of the current scenario.
func (c *Experiments) StartFromCurrent() {
	w, ok := c.current()
	if !ok {
		return
	}
	c.changeDraft("Replaced workloads and policies with those of the current scenario.", func() {
		if c.draft == nil {
			c.draft = c.template()
		}
		c.draft.Workloads, c.draft.Policies = []draftWorkload{w}, c.currentPolicies()
	})
}

// current returns the current scenario as a workload. If it cannot be used, current shows the reason as a
// message and returns false.
func (c *Experiments) current() (draftWorkload, bool) {
	if c.Plan == nil {
		c.message = "The current scenario has errors. Fix them first."
		return draftWorkload{}, false
	}
	s, err := scenario.Parse(c.Doc().File(c.Plan))
	if err != nil {
		c.message = "The current scenario cannot be used: " + err.Error()
		return draftWorkload{}, false
	}
	name := s.Title
	if name == "" {
		name = "current scenario"
	}
	s.Policies, s.Title, s.Text, s.View, s.Changes = nil, "", "", "", nil
	return readWorkload(name, scenario.Format(s)), true
}

// OpenFile lets the user select a file with a definition, and opens it.
func (c *Experiments) OpenFile() {
	_ = browser.PickFile(".json,.txt", func(f browser.FileRef) {
		go func() {
			defer browser.Recover("opening a definition")
			data := make([]byte, f.Size())
			_, err := f.ReadAt(data, 0)
			c.Env.Lock()
			defer c.Env.UnlockRender()
			if err != nil && int64(len(data)) != f.Size() {
				c.message = f.Name() + " could not be read: " + err.Error()
				return
			}
			c.undoable("Opened "+f.Name()+".", func() { c.SetText(string(data)) })
		}()
	})
}
