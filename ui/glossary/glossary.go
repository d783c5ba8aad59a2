// Package glossary explains terms of HPC scheduling. The page shows the explanations in
// lessons and at metrics, and docs/guide.md lists them.
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
// "".
type Part struct{ Text, Meaning string }

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

// split splits a paragraph at the glossary words whose meaning is not in seen yet, and adds
// these meanings to seen.
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
			out = append(out, Part{text[i:to], w.meaning})
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
