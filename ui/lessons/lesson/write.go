package lesson

import (
	"fmt"
	"strings"

	"backfill-lab/core/scenario/raw"
)

// Format returns a lesson with the given scenario as indented JSON. Parse returns the
// same lesson.
func Format(l *Lesson, scenario []byte) []byte {
	w := &writer{}
	w.out = append(w.out, "{\n"...)
	w.text("title", l.Title)
	w.text("language", l.Lang())
	w.text("paper", l.Paper)
	w.text("summary", l.Summary)
	w.list("text", l.Text)
	w.raw("scenario", strings.ReplaceAll(strings.TrimSpace(string(scenario)), "\n", "\n  "))
	w.steps(l.Steps)
	w.question(&l.Question)
	w.text("play", l.Play)
	return append(w.out[:len(w.out)-2], "\n}\n"...) // without the last comma
}

// writer writes JSON fields, each followed by a comma and a newline.
type writer struct {
	out    []byte
	indent string
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
		place := fmt.Sprintf(`{"time": %d, "event": %s`, s.Place.Time, quoted(s.Place.Event))
		if s.Place.Job != "" {
			place += `, "job": ` + quoted(s.Place.Job)
		}
		if s.Place.Nth > 0 {
			place += fmt.Sprintf(`, "nth": %d`, s.Place.Nth)
		}
		all = append(all, fmt.Sprintf("    {\n      \"text\": %s,\n      \"policy\": %d,\n      \"place\": %s}\n    }", quoted(s.Text), s.Policy, place))
	}
	w.raw("steps", "[\n"+strings.Join(all, ",\n")+"\n  ]")
}

func (w *writer) question(q *Question) {
	in := &writer{indent: "  "}
	in.text("text", q.Text)
	in.list("choices", q.Choices)
	in.raw("answer", fmt.Sprint(q.Answer))
	in.text("because", q.Because)
	if q.Replies != nil {
		in.list("replies", q.Replies)
	}
	if len(q.Check) > 0 {
		in.raw("check", string(q.Check))
	}
	w.raw("question", "{\n"+string(in.out[:len(in.out)-2])+"\n  }")
}

func quoted(text string) string { return string(raw.Quote(nil, text)) }
