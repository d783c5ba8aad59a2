package workload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// operationForms holds the forms of the operations on all jobs, and a prediction of what the open
// operation would do.
type operationForms struct {
	open  string            // id of the operation whose form is open, "" if none is
	typed map[string]string // field id to text
	tried bool              // the button was pressed: empty fields now show errors too

	version     int                 // increases with every change that makes a running forecast outdated
	forecast    document.Prediction // predicted effect of the open operation
	hasForecast bool                // forecast belongs to the current texts of the form
	err         error               // error of the whole form or of the forecast, nil if there is none
}

// Operation is an operation on all jobs, as rendered.
type Operation struct {
	I int // index in operations
	// Open is the aria-expanded value. CommandHelp says with which flags the command backfill does the same.
	ID, Title, Open, Help, ButtonText, CommandHelp string
	Fields                                         []widgets.Field
	Forecast                                       string // what the open operation would do, in words; "" if unknown
}

// Operations returns the operations. Only the open operation has fields.
func (c *Workload) Operations() (out []Operation) {
	for i := range operations {
		o := &operations[i]
		t := Operation{I: i, ID: "op-" + o.id, Title: o.title, Open: "false", ButtonText: o.button}
		if o.id == c.work.open {
			t.Open, t.Help, t.CommandHelp = "true", o.help, c.commandText(o)
			t.Fields, t.Forecast = c.fields(o), c.forecastText()
		}
		out = append(out, t)
	}
	return out
}

// Compares reports whether the form has a button that compares the schedules before and after the
// operation.
func (t *Operation) Compares() bool { return t.ID == "op-"+walls }

// CompareWalls compares the schedules of all policies before and after wall times are scaled.
func (c *Workload) CompareWalls() {
	text := func(name string) string { return c.work.typed["op-"+walls+"-"+name] }
	c.compareWalls(text("factor"), text("overrun"))
}

// IsOpen reports whether the form of the operation is open.
func (t *Operation) IsOpen() bool { return t.Open == "true" }

// fields returns the fields of the form of an operation, with their errors. It omits fields that have no
// effect on these jobs.
func (c *Workload) fields(o *operation) []widgets.Field {
	out := make([]widgets.Field, 0, len(o.fields))
	rules := scenario.Rules{}
	for i, b := range o.fields {
		if b.hasNoEffect(c.stats.survey) {
			continue
		}
		f := widgets.Field{ID: "op-" + o.id + "-" + b.name, Name: b.name, Label: b.label, Help: b.help, Kind: b.kind, Place: i, Options: b.options}
		f.Text = c.fieldText(o, b.name)
		problem := ""
		if err := b.read(c.inSeconds(&b, f.Text), &rules); err != nil && (f.Text != "" || c.work.tried) {
			problem = err.Error()
		}
		f.SetProblem(problem)
		out = append(out, f)
	}
	if err := c.work.err; err != nil {
		out[0].SetProblem(err.Error())
	}
	return out
}

// fieldText returns the text of a field: what the user typed; otherwise, for warm-up and cool-down, the value
// in the scenario; otherwise "".
func (c *Workload) fieldText(o *operation, name string) string {
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

// inSeconds returns the text of a field with its times converted to seconds. In the form of the operation cut, the
// text is a time. In the form of the filter, it is a duration, or two durations with a colon between them.
func (c *Workload) inSeconds(b *operationField, text string) string {
	if !b.times {
		return text
	}
	if b.name == "from" || b.name == "to" {
		return c.sinceFirst(text)
	}
	if from, to, ok := strings.Cut(text, ":"); ok {
		return session.InSeconds(from, format.ParseDuration) + ":" + session.InSeconds(to, format.ParseDuration)
	}
	return session.InSeconds(text, format.ParseDuration)
}

// rules returns the data rules that the form of an operation specifies. It returns an error if a field is
// invalid, or if all fields are empty.
func (c *Workload) rules(o *operation) (scenario.Rules, error) {
	rules := scenario.Rules{}
	for _, b := range o.fields {
		if err := b.read(c.inSeconds(&b, c.fieldText(o, b.name)), &rules); err != nil {
			return rules, err
		}
	}
	if rules.Rules == (workload.Rules{}) && o.id != trim {
		return rules, errors.New("expected a value in at least one field, got none")
	}
	if w := &rules.Window; *w != (workload.Window{}) { // the times of the rule count from time 0, the typed times from the first submission
		if w.From > 0 {
			w.From += c.firstSubmit()
		}
		if w.To > 0 {
			w.To += c.firstSubmit()
		}
	}
	return rules, nil
}

// ToggleOperation opens the form of operation i and closes any other form. If the form of operation
// i is already open, it closes this form.
func (c *Workload) ToggleOperation(i int) {
	w := &c.work
	w.tried = false
	if id := operations[i].id; w.open != id {
		w.open = id
	} else {
		w.open = ""
	}
	c.updateForecast()
}

// SetOperationField stores the text that the user typed in a field of an operation.
func (c *Workload) SetOperationField(e vugu.DOMEvent, f widgets.Field) {
	if c.work.typed == nil {
		c.work.typed = map[string]string{}
	}
	c.work.typed[f.ID] = e.PropString("target", "value")
	if f.IsSwitch() {
		c.work.typed[f.ID] = fmt.Sprint(e.PropBool("target", "checked"))
	}
	c.updateForecast()
}

// operation returns the operation whose form is open, nil if there is none.
func (w *operationForms) operation() *operation {
	for i := range operations {
		if operations[i].id == w.open {
			return &operations[i]
		}
	}
	return nil
}

// clear removes the text that the user typed in the form of an operation.
func (w *operationForms) clear(o *operation) {
	for _, b := range o.fields {
		delete(w.typed, "op-"+o.id+"-"+b.name)
	}
}

// updateForecast computes in the background what the open operation would do. It computes nothing if the form
// is invalid, or for the operation trim, which changes no job.
func (c *Workload) updateForecast() {
	w := &c.work
	w.version++
	w.hasForecast, w.err = false, nil
	o := w.operation()
	if o == nil || c.Tab != "workload" || c.Env == nil {
		return
	}
	if rules, err := c.rules(o); err == nil && o.id != trim {
		go c.forecast(*c.Doc(), rules.Rules, w.version)
	}
}

// forecast predicts the effect of rules on a document and stores the prediction. It stops if the form changes
// meanwhile. The version in c.work then differs from the given version.
func (c *Workload) forecast(d document.Doc, rules workload.Rules, version int) {
	defer browser.Recover("previewing the change to the jobs")
	result, err := d.PredictRules(rules, session.PauseFunc(func() bool { return version == c.work.version }))
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if version == c.work.version {
		c.work.forecast, c.work.hasForecast, c.work.err = result, err == nil, err
	}
}

// forecastText says what the open operation would do.
func (c *Workload) forecastText() string {
	l := &c.work.forecast
	if !c.work.hasForecast {
		return ""
	}
	if c.work.open == walls {
		return c.scaledText(l)
	}
	text := remaining(l)
	if l.Skipped > 0 {
		text += fmt.Sprintf("; %s with invalid cells %s unchanged", format.Count(l.Skipped, "job"), format.SingularOrPlural(l.Skipped, "stays", "stay"))
	}
	if load := l.Load(c.Doc().Slots()); load > 0 {
		text += fmt.Sprintf("; offered load %.2f", load)
	}
	return text + "." + c.windowText()
}

// ApplyOperation applies operation i to the jobs, or marks the errors in its form.
func (c *Workload) ApplyOperation(i int) {
	o, w := &operations[i], &c.work
	rules, err := c.rules(o)
	if err == nil && o.id == trim {
		c.trim(rules)
		return
	}
	if err == nil && w.err == nil && c.EditProgress.Phase == "" {
		w.tried = false
		d, counts := *c.Doc(), document.Prediction{}
		c.InSteps(o.title, d.Rows.Len(), func(pause func(int) error) (shaped document.Doc, err error) {
			shaped, counts, err = d.ApplyRules(rules.Rules, pause)
			return shaped, err
		}, func(shaped document.Doc, err error) { c.applyResult(o, rules.Rules, shaped, counts, err) })
		return
	}
	w.tried = true
	for _, f := range c.fields(o) {
		if f.Problem != "" {
			c.Focus = f.ID
			return
		}
	}
	if err != nil {
		w.err = err
		c.Focus = "op-" + o.id + "-" + o.fields[0].name
	}
}

// trim sets the percentages of the first and last jobs that the metrics leave out.
func (c *Workload) trim(rules scenario.Rules) {
	c.work.clear(&operations[len(operations)-1]) // the form then shows the values of the scenario
	d := *c.Doc()
	d.Warmup, d.Cooldown = rules.Warmup, rules.Cooldown
	c.Do("", d)
}

// applyResult replaces the document by the result of an operation, as a single undo step. If the operation failed,
// it shows the error in the form.
func (c *Workload) applyResult(o *operation, rules workload.Rules, d document.Doc, counts document.Prediction, err error) {
	if err != nil {
		c.work.err = err
		return
	}
	c.work.clear(o) // the form is empty, so pressing the button again does not apply the operation again
	var before *protocol.Ran
	if c.IsComplete() {
		before = c.Ran
	}
	c.Events.JobsReplaced()
	c.Do("", d)
	c.Notice = remaining(&counts) + ". Undo restores the removed jobs."
	if counts.Remaining == counts.Total {
		c.Notice = "Applied to " + format.SingularOrPlural(counts.Total, "the only job", "all "+format.Count(counts.Total, "job")) + ". Undo reverts it."
	}
	if o.id == walls {
		c.Notice = counts.ScaledText(rules) + " Undo reverts it."
	}
	c.ReportChange(before)
}

// remaining says how many jobs remain. The text has no full stop.
func remaining(l *document.Prediction) string {
	return format.Whole(l.Remaining) + " of " + format.Count(l.Total, "job") + " " + format.SingularOrPlural(l.Remaining, "remains", "remain")
}
