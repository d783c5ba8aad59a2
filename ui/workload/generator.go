package workload

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/knob"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// generatorForm is the form of a workload model, with a preview of the jobs that it generates.
type generatorForm struct {
	open        bool
	from        *scenario.Generator // the document's generator from which the form last copied its settings
	model, seed string              // name of the workload model, and text of the field seed
	typed       map[string]string   // knob name to text; models share knobs of the same name

	previewState
}

// GeneratorIsOpen reports whether the form is open.
func (c *Workload) GeneratorIsOpen() bool { return c.gen.open }

// GeneratorExpanded returns the aria-expanded value of the button of the form.
func (c *Workload) GeneratorExpanded() string { return fmt.Sprint(c.gen.open) }

// ToggleGenerator opens or closes the form. The form keeps typed text.
func (c *Workload) ToggleGenerator() {
	c.gen.open = !c.gen.open
	c.preview()
}

// copyGenerator copies the settings of the document's generator into the form if this generator has changed
// since the last call.
func (g *generatorForm) copyGenerator(d *document.Doc) {
	if d.Base == nil || d.Base.Workload.Generator == nil || d.Base.Workload.Generator == g.from {
		return
	}
	g.from = d.Base.Workload.Generator
	g.model, g.seed, g.typed = g.from.Name, strconv.FormatInt(g.from.Seed, 10), maps.Clone(g.from.Parameters)
}

// Model returns the selected workload model.
func (c *Workload) Model() *generator.Spec {
	if spec, err := registry.Find(c.gen.model); err == nil {
		return spec
	}
	return registry.All[0]
}

// Names of the fields that are not knobs of a model.
const (
	modelField = "model"
	seedField  = "seed"
)

// basicFields is the number of fields above the preview: model, number of jobs and seed.
const basicFields = 3

// UsualFields returns the fields that most users change: model, number of jobs and seed. The
// preview is directly below these fields, so that it is visible without scrolling.
func (c *Workload) UsualFields() []widgets.Field { return c.modelFields()[:basicFields] }

// ModelFields returns the fields of all other parameters of the model.
func (c *Workload) ModelFields() []widgets.Field { return c.modelFields()[basicFields:] }

// modelFields returns all fields: model, number of jobs, seed, then the other knobs.
func (c *Workload) modelFields() []widgets.Field {
	g, spec := &c.gen, c.Model()
	about := registry.Settings{Model: spec.Name}
	lines := about.Describe()
	first := widgets.Field{Name: modelField, Text: spec.Name, Kind: knob.Choice, Help: strings.Join(lines[:len(lines)-1], "; ")}
	for _, s := range registry.All {
		first.Options, first.OptionTitles = append(first.Options, s.Name), append(first.OptionTitles, s.Title)
	}
	out := append(make([]widgets.Field, 0, len(spec.Knobs)+2), first)
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		f := widgets.KnobField("", g.text(k), k, spec.Knobs)
		_, err := spec.Settings(map[string]string{k.Name: f.Text})
		f.Text = c.TextOf("generate-"+k.Name, f.Text)
		if bad, ok := g.err.(*knob.BadKnob); ok && err == nil && bad.Knob == k.Name {
			err = bad
		}
		f.SetError(err)
		out = append(out, f)
	}
	f := widgets.Field{Name: seedField, Text: g.seed, Help: "0 to 4294967295; the same seed and settings give the same jobs on every computer"}
	_, err := g.seedNumber()
	f.SetError(err)
	out = append(out, f)
	copy(out[basicFields:], out[basicFields-1:])
	out[basicFields-1] = f
	for i := range out {
		f := &out[i]
		if f.ID = "generate-" + f.Name; f.Label == "" {
			f.Label = widgets.Capitalize(f.Name)
		}
	}
	return out
}

// text returns the text of a knob: what the user typed, otherwise the default of the knob.
func (g *generatorForm) text(k *knob.Knob) string {
	if text, ok := g.typed[k.Name]; ok {
		return text
	}
	return k.Default
}

// seedNumber returns the seed as a number, or an error if the text is not a valid seed.
func (g *generatorForm) seedNumber() (int64, error) {
	v, err := strconv.ParseInt(g.seed, 10, 64)
	if err != nil || v < 0 || v > draw.MaxSeed {
		return 0, &registry.Invalid{Field: seedField, Expected: "0 to " + strconv.FormatInt(draw.MaxSeed, 10), Got: strconv.Quote(g.seed)}
	}
	return v, nil
}

// SetModelField stores what the user typed or selected in the field f.
func (c *Workload) SetModelField(e vugu.DOMEvent, f widgets.Field) {
	text := e.PropString("target", "value")
	if f.IsSwitch() {
		text = fmt.Sprint(e.PropBool("target", "checked"))
	}
	switch g := &c.gen; f.Name {
	case modelField:
		g.model = text
	case seedField:
		g.seed = text
	default:
		if g.typed == nil {
			g.typed = map[string]string{}
		}
		if f.Duration {
			text = c.TypeDuration(f.ID, text)
		}
		g.typed[f.Name] = text
	}
	c.preview()
}

// SetRandomSeed sets a random seed below a million. Apart from the choice of the seed, the generator is
// deterministic. The form shows the seed and the scenario stores it, so the same jobs can be generated
// again.
func (c *Workload) SetRandomSeed() {
	c.gen.seed = strconv.Itoa(int(browser.Random() % 1_000_000))
	c.preview()
}

// settings returns the generator settings that the form specifies, for the current machine. It omits
// knobs that have their default. If the form is invalid, it returns an error.
func (c *Workload) settings() (o *registry.Settings, err error) {
	g, spec := &c.gen, c.Model()
	o = &registry.Settings{Model: spec.Name, Procs: c.Doc().Slots(), PerNode: c.Doc().SlotsPerNode()}
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		if text := g.text(k); text != k.Default {
			if o.Knobs == nil {
				o.Knobs = map[string]string{}
			}
			o.Knobs[k.Name] = text
		}
	}
	if o.Seed, err = g.seedNumber(); err == nil {
		err = o.Check()
	}
	return o, err
}

// modelResources returns the extra resources that jobs of the model request, nil if there are none.
func (c *Workload) modelResources() []cluster.Resource {
	spec := c.Model()
	if o, err := c.settings(); err == nil && spec.Resources != nil {
		if v, err := spec.Settings(o.Knobs); err == nil {
			return spec.Resources(v)
		}
	}
	return nil
}

// GeneratorMachineText says for which machine the jobs are generated, and which extra resources the machine gets
// with these jobs. If the machine is invalid, it says so.
func (c *Workload) GeneratorMachineText() string {
	slots := c.Doc().Slots()
	if slots == 0 {
		return "Fix the machine settings first (Machine tab)."
	}
	text := fmt.Sprintf("The jobs are generated to fit the machine, which has %s. To change the machine, use the Machine tab.", format.Count(slots, "processor"))
	list := c.modelResources()
	if len(list) == 0 {
		return text
	}
	text += " If you use these jobs, the machine gets these extra resources:"
	for _, r := range list {
		text += " " + r.Name + " (" + format.Whole(int(r.Capacity)) + "),"
	}
	if len(c.Doc().Resources) > 0 {
		return text + " instead of its current ones."
	}
	return strings.TrimSuffix(text, ",") + "."
}

// GeneratorCommandText returns a sentence with the command line that generates the same jobs. It returns
// "" if the form is invalid.
func (c *Workload) GeneratorCommandText() string {
	o, err := c.settings()
	if err != nil {
		return ""
	}
	text := "This command generates the same jobs: backfill generate -model " + o.Model + " -nodes " + strconv.Itoa(o.Procs/o.PerNode) + " -seed " + strconv.FormatInt(o.Seed, 10)
	if o.PerNode > 1 {
		text += " -cores " + strconv.Itoa(o.PerNode)
	}
	for _, k := range c.Model().Knobs {
		if v, ok := o.Knobs[k.Name]; ok {
			text += " -set " + k.Name + "=" + v
		}
	}
	return text + "."
}

// Generate asks the worker to draw the jobs. They replace the jobs of the document, as a single
// undo step. If the form is invalid, Generate moves the keyboard focus to the error.
func (c *Workload) Generate() {
	o, err := c.settings()
	if err != nil || c.gen.err != nil {
		for _, f := range c.modelFields() {
			if f.Problem != "" {
				c.Focus = f.ID
				return
			}
		}
		return
	}
	title := c.Model().Title
	c.GenerateJobs(c.withGenerator(o), func(d document.Doc, opened *protocol.Opened) {
		now := *c.Doc()
		if now.Base == nil || now.Base.Workload.Generator == nil { // the title and the text of the scenario describe the jobs that are replaced
			now.Title, now.Text = "Generated jobs", ""
		}
		now.Rows, now.Origin, now.Base, now.Resources, now.Slowdown = d.Rows, d.Origin, d.Base, d.Resources, d.Slowdown
		now.MachineIsProposed = false
		now.Source, now.Changes = "the model "+title, nil
		c.Replace(now)
		c.Notice = format.Count(opened.Jobs, "job") + " generated. Undo restores the previous jobs."
	})
}

// withGenerator returns the scenario with its jobs replaced by a generator that has the settings o.
func (c *Workload) withGenerator(o *registry.Settings) *scenario.Scenario {
	s, d := c.Doc().Scenario(), c.Doc()
	if s.Workload.File != nil { // the data rules apply to the jobs of the file, which are replaced
		s.Workload.File, s.Rules = nil, s.Rules.AfterDataRules()
	}
	s.SetGenerator(o)
	d.CopyMachineSize(&s.Machine)
	if list := c.modelResources(); len(list) > 0 {
		s.Machine.Resources, s.Machine.ResourcesUnknown = list, nil
	}
	s.Policies = []scenario.Policy{{Name: "fcfs"}} // a placeholder, which never runs: the policies of the document may be invalid
	return &s
}

// Provenance says how the jobs were generated, and whether links and files contain the generator or
// the jobs. It returns "" if the jobs were not generated, or if they have been edited since.
func (c *Workload) Provenance() string {
	d := c.Doc()
	if d.Base == nil || d.Base.Workload.Generator == nil || !d.Rows.Same(d.Origin) {
		return ""
	}
	text := ""
	for _, line := range d.Base.GeneratorSettings().Describe() {
		text += line + ". "
	}
	if d.Generated() {
		return text + "Links and saved scenarios contain the model, its parameters and the seed instead of the jobs."
	}
	return text + "The machine has changed since. Links and saved scenarios contain the jobs themselves."
}
