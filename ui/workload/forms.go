package workload

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// shaping is the operations on all jobs: their forms, and the one under way.
type shaping struct {
	open  string            // the operation whose form is open
	typed map[string]string // by id of the field
	tried bool              // what is missing is told as well

	turn  int // rises with all that makes what is worked out aside out of date
	look  document.Look
	seen  bool // look is of the form
	fault error
}

// Task is an operation as rendered.
type Task struct {
	I                              int
	ID, Title, Open, Help, Act, By string
	Fields                         []widgets.Field
	Says                           string
}

// Tasks returns the operations.
func (c *Workload) Tasks() (out []Task) {
	for i := range operations {
		o := &operations[i]
		t := Task{I: i, ID: "op-" + o.id, Title: o.title, Open: "false", Act: o.act}
		if o.id == c.work.open {
			t.Open, t.Help, t.By = "true", o.help, "The command does the same with "+o.flags+"."
			t.Fields, t.Says = c.blanks(o), c.foretold()
		}
		out = append(out, t)
	}
	return out
}

// IsOpen reports whether the form is to be seen.
func (t *Task) IsOpen() bool { return t.Open == "true" }

// blanks returns the fields of a form.
func (c *Workload) blanks(o *operation) []widgets.Field {
	out := make([]widgets.Field, 0, len(o.fields))
	rules := scenario.Rules{}
	for i, b := range o.fields {
		if b.idle(c.jobsSeen.at) {
			continue
		}
		f := widgets.Field{ID: "op-" + o.id + "-" + b.name, Name: b.name, Label: b.label, Help: b.help, Kind: b.kind, Place: i}
		f.Text = c.filled(o, b.name)
		problem := ""
		if err := b.read(f.Text, &rules); err != nil && (f.Text != "" || c.work.tried) {
			problem = err.Error()
		}
		f.SetProblem(problem)
		out = append(out, f)
	}
	if err := c.work.fault; err != nil {
		out[0].SetProblem(err.Error())
	}
	return out
}

// filled returns the text of a field: what was typed, else what the scenario says.
func (c *Workload) filled(o *operation, name string) string {
	if text, ok := c.work.typed["op-"+o.id+"-"+name]; ok {
		return text
	}
	switch name {
	case "warmup":
		return strconv.FormatFloat(c.Doc().Warmup, 'g', -1, 64)
	case "cooldown":
		return strconv.FormatFloat(c.Doc().Cooldown, 'g', -1, 64)
	}
	return ""
}

// rules returns what the form of an operation says.
func (c *Workload) rules(o *operation) (scenario.Rules, error) {
	rules := scenario.Rules{}
	for _, b := range o.fields {
		if err := b.read(c.filled(o, b.name), &rules); err != nil {
			return rules, err
		}
	}
	if rules.Rules == (workload.Rules{}) && o.id != trim {
		return rules, errors.New("expected something in at least one of the fields, got nothing")
	}
	return rules, nil
}

// Begin opens the form of an operation, or closes it.
func (c *Workload) Begin(i int) {
	w := &c.work
	w.tried = false
	if id := operations[i].id; w.open != id {
		w.open = id
	} else {
		w.open = ""
	}
	c.foresee()
}

// Fill takes what was typed in a form.
func (c *Workload) Fill(e vugu.DOMEvent, f widgets.Field) {
	if c.work.typed == nil {
		c.work.typed = map[string]string{}
	}
	c.work.typed[f.ID] = e.PropString("target", "value")
	if f.IsSwitch() {
		c.work.typed[f.ID] = fmt.Sprint(e.PropBool("target", "checked"))
	}
	c.foresee()
}

// operation returns the one whose form is open, nil if there is none.
func (w *shaping) operation() *operation {
	for i := range operations {
		if operations[i].id == w.open {
			return &operations[i]
		}
	}
	return nil
}

// empty empties the form of an operation.
func (w *shaping) empty(o *operation) {
	for _, b := range o.fields {
		delete(w.typed, "op-"+o.id+"-"+b.name)
	}
}

// foresee works out aside what the form that is open would do.
func (c *Workload) foresee() {
	w := &c.work
	w.turn++
	w.seen, w.fault = false, nil
	o := w.operation()
	if o == nil || c.Tab != "workload" || c.Env == nil {
		return
	}
	if rules, err := c.rules(o); err == nil && o.id != trim {
		go c.look(*c.Doc(), rules.Rules, w.turn)
	}
}

func (c *Workload) look(d document.Doc, rules workload.Rules, turn int) {
	defer browser.Recover("looking at the jobs")
	look, err := d.Look(rules, session.Paced(func() bool { return turn == c.work.turn }))
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if turn == c.work.turn {
		c.work.look, c.work.seen, c.work.fault = look, err == nil, err
	}
}

// foretold says what the form that is open would do.
func (c *Workload) foretold() string {
	l := &c.work.look
	if !c.work.seen {
		return ""
	}
	text := fmt.Sprintf("%s of %s jobs stay", widgets.Commas(l.Stay), widgets.Commas(l.Of))
	if l.Unjudged > 0 {
		text += fmt.Sprintf(", and %s with invalid cells", widgets.Commas(l.Unjudged))
	}
	if load := l.Load(c.Doc().Slots()); load > 0 {
		text += fmt.Sprintf("; the load they offer is %.2f", load)
	}
	return text + "."
}

// Operate does what the form says.
func (c *Workload) Operate(i int) {
	o, w := &operations[i], &c.work
	rules, err := c.rules(o)
	if err == nil && o.id == trim {
		c.trim(rules)
		return
	}
	if err == nil && w.fault == nil && c.Editing.Phase == "" {
		w.tried = false
		d, look := *c.Doc(), document.Look{}
		c.InSteps(o.title, d.Rows.Len(), func(pause func(int) error) (shaped document.Doc, err error) {
			shaped, look, err = d.Shape(rules.Rules, pause)
			return shaped, err
		}, func(shaped document.Doc, err error) { c.shaped(o, shaped, look, err) })
		return
	}
	w.tried = true
	for _, f := range c.blanks(o) {
		if f.Problem != "" {
			c.Focus = f.ID
			return
		}
	}
	if err != nil {
		w.fault = err
		c.Focus = "op-" + o.id + "-" + o.fields[0].name
	}
}

// trim has the metrics leave jobs out.
func (c *Workload) trim(rules scenario.Rules) {
	c.work.empty(&operations[len(operations)-1]) // from now on the scenario says it
	d := *c.Doc()
	d.Warmup, d.Cooldown = rules.Warmup, rules.Cooldown
	c.Do("", d)
}

// shaped takes what became of the jobs; it is one step back.
func (c *Workload) shaped(o *operation, d document.Doc, look document.Look, err error) {
	if err != nil {
		c.work.fault = err
		return
	}
	c.work.empty(o) // so that a second press does not do it twice
	c.Events.JobsReplaced()
	c.Do("", d)
	c.Notice = fmt.Sprintf("%s of %s jobs have stayed. Undo brings the others back.", widgets.Commas(look.Stay), widgets.Commas(look.Of))
	if look.Stay == look.Of {
		c.Notice = fmt.Sprintf("Applied to all %s jobs. Undo reverts it.", widgets.Commas(look.Of))
	}
}
