// Package glossary explains terms of HPC scheduling. The page shows the explanations in lessons and as help for
// a metric, and docs/guide.md lists them.
package glossary

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Entry is a word with its explanation.
type Entry struct {
	Word    string
	Meaning string
	Forms   []string // forms of the word that lessons explain; nil if the word is too common to be explained in texts
}

// Part is a part of a text. Meaning is the explanation of Text if it is a glossary word, otherwise
// "". Tail is the punctuation after the word. No line may begin with this punctuation.
type Part struct{ Text, Meaning, Tail string }

// IsTerm reports whether the part is a word with an explanation.
func (p Part) IsTerm() bool { return p.Meaning != "" }

// In returns the entries in the language with this tag, such as en-GB. It returns nil for a
// language without a glossary.
func In(language string) []Entry {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch primary {
	case "en":
		return English
	case "de":
		return German
	}
	return nil
}

// Meaning returns the explanation of the longest English glossary word that a text contains,
// "" if it contains none.
func Meaning(text string) (meaning string) {
	longest := 0
	for _, e := range English {
		if len(e.Word) > longest && strings.Contains(text, e.Word) {
			longest, meaning = len(e.Word), e.Meaning
		}
	}
	return meaning
}

// Split splits each paragraph at the glossary words of a language. Only the first use of a
// word gets its meaning.
func Split(paragraphs []string, language string) [][]Part {
	words := formsOf(In(language))
	seen := map[string]bool{}
	out := make([][]Part, len(paragraphs))
	for i, text := range paragraphs {
		out[i] = split(text, words, seen)
	}
	return out
}

// word is one form of a glossary word, with the explanation.
type word struct{ form, meaning string }

// formsOf returns the forms of all entries, from the longest to the shortest.
func formsOf(entries []Entry) (out []word) {
	for _, e := range entries {
		for _, f := range e.Forms {
			out = append(out, word{f, e.Meaning})
		}
	}
	slices.SortStableFunc(out, func(a, b word) int { return len(b.form) - len(a.form) })
	return out
}

// split splits a paragraph at the glossary words whose meanings are not yet in seen, and adds these meanings to
// seen.
func split(text string, words []word, seen map[string]bool) (out []Part) {
	from := 0
	for i := 0; i < len(text); {
		w := wordAt(text, i, words)
		if w == nil {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		to := i + len(w.form)
		if !seen[w.meaning] {
			seen[w.meaning] = true
			if i > from {
				out = append(out, Part{Text: text[from:i]})
			}
			tail := len(text[to:]) - len(strings.TrimLeft(text[to:], ".,:;)!?"))
			out = append(out, Part{text[i:to], w.meaning, text[to : to+tail]})
			to += tail
			from = to
		}
		i = to
	}
	if from < len(text) {
		out = append(out, Part{Text: text[from:]})
	}
	return out
}

// wordAt returns the longest glossary word that begins at byte i of a text, nil if there is
// none.
func wordAt(text string, i int, words []word) *word {
	if before, _ := utf8.DecodeLastRuneInString(text[:i]); i > 0 && isLetter(before) {
		return nil
	}
	for k := range words {
		form := words[k].form
		if len(text) < i+len(form) || !equalsForm(text[i:i+len(form)], form) {
			continue
		}
		if after, _ := utf8.DecodeRuneInString(text[i+len(form):]); len(text) == i+len(form) || !isLetter(after) {
			return &words[k]
		}
	}
	return nil
}

// equalsForm reports whether a text equals a form of a word. The first letter may be a capital, as
// at the start of a sentence.
func equalsForm(text, form string) bool {
	return text == form || text[1:] == form[1:] && text[0]|0x20 == form[0]
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// English lists the terms in English. The table "Words" of docs/guide.md lists the same terms.
var English = []Entry{
	{"submit", "the job enters the queue", nil},
	{"processors", "how many processors the job needs at the same time", nil},
	{"estimate", "runtime that the user requests; the policy knows it, but not the actual runtime", []string{"estimate", "estimates", "estimated"}},
	{"runtime", "actual runtime; only the simulation knows it", []string{"runtime", "runtimes"}},
	{"wait", "time from submission to start", nil},
	{"response time", "time from submission to end", []string{"response time", "response times"}},
	{"backfill", "to start a job before jobs that are ahead of it in the queue, on processors that they cannot use yet", []string{"backfill", "backfills", "backfilled", "backfilling"}},
	{"reservation", "the planned start of a waiting job", []string{"reservation", "reservations"}},
	{"promise", "a reservation that the policy never delays", []string{"promise", "promises", "promised"}},
	{"shadow time", "the earliest time at which the first job in the queue can start, according to the estimates", []string{"shadow time"}},
	{"slack", "how much later than first planned a waiting job may start", []string{"slack"}},
	{"compression", "to move planned starts earlier, because processors became free", []string{"compression", "compress", "compresses"}},
	{"preempt", "to stop a running job, which resumes later", []string{"preempt", "preempts", "preempted", "preemption"}},
	{"moldable", "can run on different numbers of processors; the policy selects one before the start", []string{"moldable"}},
	{"fragmentation", "processors that stay free although jobs wait, because no waiting job can or may use them", []string{"fragmentation"}},
	{"outage", "a period, known in advance, in which some processors are unavailable", []string{"outage", "outages"}},
	{"utilization", "the time that processors are busy, as a share of the time that they are available", []string{"utilization"}},
	{"makespan", "time from the first submission to the last end", []string{"makespan"}},
	{"slowdown", "response time divided by runtime", []string{"slowdown", "slowdowns"}},
	{"bounded slowdown", "slowdown that counts a very short runtime as 10 s", []string{"bounded slowdown", "bounded slowdowns"}},
}

// German lists the terms for lessons in German.
var German = []Entry{
	{"Schätzung", "Laufzeit, die beim Einreichen angegeben wird; der Scheduler kennt nur sie", []string{"Schätzung", "Schätzungen"}},
	{"Laufzeit", "tatsächliche Laufzeit eines Jobs; nur die Simulation kennt sie", []string{"Laufzeit", "Laufzeiten"}},
	{"Wartezeit", "Zeit vom Einreichen eines Jobs bis zu seinem Start", []string{"Wartezeit", "Wartezeiten"}},
	{"Antwortzeit", "Zeit vom Einreichen eines Jobs bis zu seinem Ende", []string{"Antwortzeit", "Antwortzeiten"}},
	{"Backfilling", "ein Job startet vor früher eingereichten Jobs, auf Prozessoren, die diese noch nicht nutzen können", []string{"Backfilling"}},
	{"Reservierung", "geplanter Start eines wartenden Jobs", []string{"Reservierung", "Reservierungen", "reserviert"}},
	{"Zusage", "Reservierung, die der Scheduler nie verschiebt, außer auf einen früheren Zeitpunkt", []string{"Zusage", "Zusagen", "zugesagt"}},
	{"Shadow Time", "frühester Zeitpunkt, zu dem der erste Job der Warteschlange laut den Schätzungen starten kann", []string{"Shadow Time"}},
	{"Slack", "größte erlaubte Verspätung eines wartenden Jobs gegenüber seinem zuerst geplanten Start", []string{"Slack"}},
	{"Kompression", "geplante Starts werden vorgezogen, weil Prozessoren frei geworden sind", []string{"Kompression"}},
	{"formbar", "der Job kann auf verschieden vielen Prozessoren laufen; der Scheduler legt die Zahl vor dem Start fest", []string{"formbar", "formbare", "formbaren", "formbarer", "moldable"}},
	{"Fragmentierung", "trotz wartender Jobs bleiben Prozessoren frei, weil keiner dieser Jobs sie nutzen kann oder darf", []string{"Fragmentierung"}},
	{"Auslastung", "Anteil der belegten an den verfügbaren Prozessoren, über die Zeit gemittelt", []string{"Auslastung"}},
	{"Slowdown", "Antwortzeit geteilt durch die Laufzeit", []string{"Slowdown", "Slowdowns"}},
	{"Bounded Slowdown", "Slowdown, der sehr kurze Laufzeiten als 10 s zählt", []string{"Bounded Slowdown"}},
}
