package lesson

import (
	"fmt"
	"strings"

	"backfill-lab/core/replay"
	"backfill-lab/core/scenario/raw"
)

// Format returns a lesson with the given scenario as indented JSON. If scenario is nil, the text has no scenario.
// Parse, or ParseDraft for a draft, reads the text back as the same lesson, apart from Name and DraftID.
func Format(l *Lesson, scenario []byte) []byte {
	w := &writer{}
	w.out = append(w.out, "{\n"...)
	w.text("title", l.Title)
	w.text("language", l.Lang())
	w.text("paper", l.Paper)
	w.text("summary", l.Summary)
	if l.Brief {
		w.raw("brief", "true")
	}
	w.list("text", l.Text)
	if scenario != nil {
		w.raw("scenario", strings.ReplaceAll(strings.TrimSpace(string(scenario)), "\n", "\n  "))
	}
	w.steps(l.Steps)
	w.questions(l.Questions)
	w.text("play", l.Play)
	if l.Exercise != nil {
		w.raw("exercise", string(l.Exercise))
	}
	return append(w.out[:len(w.out)-2], "\n}\n"...) // without the last comma
}

// writer writes JSON fields, each followed by a comma and a newline.
type writer struct {
	out    []byte
	indent string // indentation of the object that has the fields
}

func (w *writer) raw(name, value string) {
	w.out = append(w.out, "  "+w.indent...)
	w.out = raw.Quote(w.out, name)
	w.out = append(w.out, ": "+value+",\n"...)
}

func (w *writer) text(name, value string) { w.raw(name, quoted(value)) }

func (w *writer) list(name string, texts []string) {
	var lines []string
	for _, t := range texts {
		lines = append(lines, w.indent+"    "+quoted(t))
	}
	w.raw(name, "[\n"+strings.Join(lines, ",\n")+"\n  "+w.indent+"]")
}

func (w *writer) steps(steps []Step) {
	var all []string
	for _, s := range steps {
		all = append(all, fmt.Sprintf("    {\n      \"text\": %s,\n      \"policy\": %d,\n      \"place\": %s\n    }", quoted(s.Text), s.Policy, place(&s.Place)))
	}
	w.raw("steps", "[\n"+strings.Join(all, ",\n")+"\n  ]")
}

// place returns the place of an event as a JSON object.
func place(p *replay.EventRef) string {
	out := fmt.Sprintf(`{"time": %d, "event": %s`, p.Time, quoted(p.Event))
	if p.Job != "" {
		out += `, "job": ` + quoted(p.Job)
	}
	if p.Nth > 0 {
		out += fmt.Sprintf(`, "nth": %d`, p.Nth)
	}
	return out + "}"
}

// questions writes the questions of a lesson. It writes a single question at the end as the field
// "question", which earlier versions of the page also read. Otherwise it writes the list
// "questions".
func (w *writer) questions(all []Question) {
	if len(all) == 1 && all[0].After == 0 {
		w.raw("question", question(&all[0], "  "))
		return
	}
	var out []string
	for i := range all {
		out = append(out, "    "+question(&all[i], "    "))
	}
	if len(out) > 0 {
		w.raw("questions", "[\n"+strings.Join(out, ",\n")+"\n  ]")
	}
}

// question returns a question as a JSON object with the given indentation.
func question(q *Question, indent string) string {
	w := &writer{indent: indent}
	w.text("text", q.Text)
	w.list("choices", q.Choices)
	w.raw("answer", fmt.Sprint(q.Answer))
	w.text("because", q.Because)
	if q.Replies != nil {
		w.list("replies", q.Replies)
	}
	if q.After > 0 {
		w.raw("after", fmt.Sprint(q.After))
	}
	if q.Place != nil {
		w.raw("policy", fmt.Sprint(q.Policy))
		w.raw("place", place(q.Place))
	}
	if len(q.Check) > 0 {
		w.raw("check", string(q.Check))
	}
	return "{\n" + string(w.out[:len(w.out)-2]) + "\n" + indent + "}"
}

func quoted(text string) string { return string(raw.Quote(nil, text)) }
