package workload

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/cluster"
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

// generating is the form of a workload model, and what it would draw.
type generating struct {
	open        bool
	from        *scenario.Generator // of the document, whose values the form took over
	model, seed string
	typed       map[string]string // by knob; models share those of one name

	sample
}

// Making reports whether the form is to be seen.
func (c *Workload) Making() bool { return c.gen.open }

// GenerateOpen returns the value of aria-expanded of the button for it.
func (c *Workload) GenerateOpen() string { return fmt.Sprint(c.gen.open) }

// FoldGenerator opens or closes it; what was typed stays.
func (c *Workload) FoldGenerator() {
	c.gen.open = !c.gen.open
	c.preview()
}

// takeOver shows the values of the document's generator, if that is another one.
func (g *generating) takeOver(d *document.Doc) {
	if d.Base == nil || d.Base.Workload.Generator == nil || d.Base.Workload.Generator == g.from {
		return
	}
	g.from = d.Base.Workload.Generator
	g.model, g.seed, g.typed = g.from.Name, strconv.FormatInt(g.from.Seed, 10), maps.Clone(g.from.Parameters)
}

// Model returns the model chosen.
func (c *Workload) Model() *generator.Spec {
	if spec, err := registry.Find(c.gen.model); err == nil {
		return spec
	}
	return registry.All[0]
}

const (
	model = "model"
	seed  = "seed"
)

// usual is how many fields most people change: the model, the number of jobs and
// the seed.
const usual = 3

// UsualFields returns those; ModelFields is the rest of the model's parameters. The
// preview stands between them, where it is seen.
func (c *Workload) UsualFields() []widgets.Field { return c.modelFields()[:usual] }

// ModelFields returns the parameters of the model but for the number of jobs.
func (c *Workload) ModelFields() []widgets.Field { return c.modelFields()[usual:] }

// modelFields returns the model, the number of jobs, the seed and all other knobs.
func (c *Workload) modelFields() []widgets.Field {
	g, spec := &c.gen, c.Model()
	about := registry.Order{Model: spec.Name}
	lines := about.Describe()
	first := widgets.Field{Name: model, Text: spec.Name, Kind: knob.Choice, Help: strings.Join(lines[:len(lines)-1], "; ")}
	for _, s := range registry.All {
		first.Options = append(first.Options, s.Name)
	}
	out := append(make([]widgets.Field, 0, len(spec.Knobs)+2), first)
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		f := widgets.KnobField("", g.text(k), k)
		_, err := spec.Settings(map[string]string{k.Name: f.Text})
		if bad, ok := g.fault.(*knob.BadKnob); ok && err == nil && bad.Knob == k.Name {
			err = bad
		}
		f.SetError(err)
		out = append(out, f)
	}
	f := widgets.Field{Name: seed, Text: g.seed, Help: "0 to 4294967295; the same seed draws the same jobs, everywhere"}
	_, err := g.number()
	f.SetError(err)
	out = append(out, f)
	copy(out[usual:], out[usual-1:])
	out[usual-1] = f
	for i := range out {
		f := &out[i]
		f.ID, f.Label = "generate-"+f.Name, f.Name
	}
	return out
}

// text returns the text of a knob: what was typed, else its default.
func (g *generating) text(k *knob.Knob) string {
	if text, ok := g.typed[k.Name]; ok {
		return text
	}
	return k.Default
}

// number returns the seed.
func (g *generating) number() (int64, error) {
	v, err := strconv.ParseInt(g.seed, 10, 64)
	if err != nil || v < 0 || v > draw.MaxSeed {
		return 0, &registry.Invalid{Field: seed, Expected: "0 to " + strconv.FormatInt(draw.MaxSeed, 10), Got: strconv.Quote(g.seed)}
	}
	return v, nil
}

// SetModelField takes what was typed in a field.
func (c *Workload) SetModelField(e vugu.DOMEvent, f widgets.Field) {
	text := e.PropString("target", "value")
	if f.IsSwitch() {
		text = fmt.Sprint(e.PropBool("target", "checked"))
	}
	switch g := &c.gen; f.Name {
	case model:
		g.model = text
	case seed:
		g.seed = text
	default:
		if g.typed == nil {
			g.typed = map[string]string{}
		}
		g.typed[f.Name] = text
	}
	c.preview()
}

// AnotherSeed takes a seed by chance. It is the only thing here that is left to
// it, and stands in the form and in the scenario.
func (c *Workload) AnotherSeed() {
	c.gen.seed = strconv.Itoa(int(browser.Random() % 1_000_000))
	c.preview()
}

// order returns what the form says, for the machine as it stands.
func (c *Workload) order() (o *registry.Order, err error) {
	g, spec := &c.gen, c.Model()
	o = &registry.Order{Model: spec.Name, Procs: c.Doc().Slots(), PerNode: c.Doc().PerNode()}
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		if text := g.text(k); text != k.Default {
			if o.Knobs == nil {
				o.Knobs = map[string]string{}
			}
			o.Knobs[k.Name] = text
		}
	}
	if o.Seed, err = g.number(); err == nil {
		err = o.Check()
	}
	return o, err
}

// brings returns the extra resources that the jobs of the model ask for.
func (c *Workload) brings() []cluster.Resource {
	spec := c.Model()
	if o, err := c.order(); err == nil && spec.Resources != nil {
		if v, err := spec.Settings(o.Knobs); err == nil {
			return spec.Resources(v)
		}
	}
	return nil
}

// MachineSays says for which machine jobs are drawn, and what becomes of it.
func (c *Workload) MachineSays() string {
	slots := c.Doc().Slots()
	if slots == 0 {
		return "Fix the machine settings first (Machine tab)."
	}
	text := "The jobs are drawn for the machine as it is, with " + widgets.Commas(slots) + " processors, and fit it; the tab Machine changes it."
	list := c.brings()
	if len(list) == 0 {
		return text
	}
	text += " The machine gets the resources that they ask for,"
	for _, r := range list {
		text += " " + r.Name + " with " + widgets.Commas(int(r.Capacity)) + ","
	}
	if len(c.Doc().Resources) > 0 {
		return text + " in the place of those that it has."
	}
	return text + " which it has not."
}

// GenerateFlags says how the command draws the same.
func (c *Workload) GenerateFlags() string {
	o, err := c.order()
	if err != nil {
		return ""
	}
	text := "The command draws the same with generate -model " + o.Model + " -nodes " + strconv.Itoa(o.Procs/o.PerNode) + " -seed " + strconv.FormatInt(o.Seed, 10)
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

// Generate has the worker draw the jobs and takes them, as one step back.
func (c *Workload) Generate() {
	o, err := c.order()
	if err != nil || c.gen.fault != nil {
		for _, f := range c.modelFields() {
			if f.Problem != "" {
				c.Focus = f.ID
				return
			}
		}
		return
	}
	title := c.Model().Title
	c.DrawJobs(c.ordered(o), func(d document.Doc, opened *protocol.Opened) {
		now := *c.Doc()
		if now.Base == nil || now.Base.Workload.Generator == nil { // what was said of other jobs is not true of these
			now.Title, now.Text = "Generated jobs", ""
		}
		now.Rows, now.Origin, now.Base, now.Resources, now.Slowdown = d.Rows, d.Origin, d.Base, d.Resources, d.Slowdown
		now.Source = "the model " + title
		c.Replace(now)
		c.Notice = widgets.Commas(opened.Jobs) + " jobs drawn. Undo brings the former ones back."
	})
}

// ordered returns the scenario with the jobs of an order in the place of its own.
func (c *Workload) ordered(o *registry.Order) *scenario.Scenario {
	s, d := c.Doc().Scenario(), c.Doc()
	if s.Workload.File != nil { // its rules were applied to its jobs
		s.Workload.File, s.Rules = nil, s.Rules.Spent()
	}
	s.DrawnBy(o)
	d.SizeMachine(&s.Machine)
	if list := c.brings(); len(list) > 0 {
		s.Machine.Resources, s.Machine.ResourcesKept = list, nil
	}
	s.Policies = []scenario.Policy{{Name: "fcfs"}} // it is not run: those of the document may be half-typed
	return &s
}

// Provenance says how the jobs were drawn, if they were, and what that is good for.
func (c *Workload) Provenance() string {
	d := c.Doc()
	if d.Base == nil || d.Base.Workload.Generator == nil || !d.Rows.Same(d.Origin) {
		return ""
	}
	text := ""
	for _, line := range d.Base.Order().Describe() {
		text += line + ". "
	}
	if d.Generated() {
		return text + "Links and saved scenarios name model, parameters and seed in the place of the jobs."
	}
	return text + "The machine was changed since: links and saved scenarios hold the jobs themselves."
}
