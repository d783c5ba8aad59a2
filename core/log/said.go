package log

import (
	"strings"
	"unicode"

	"backfill-lab/core/job"
)

// MaxText is the maximum number of characters of a text in a log. Longer texts are cut.
const MaxText = 200

// Said is the reason for a start that the policy states in its own words. X is the number of the
// text, see Log.Text.
var Said = NewReason(CodeInfo{Name: "said", X: Text, Sentence: "{job} started. The policy gives this reason: {x}."})

// SaidWaiting is the reason for a wait that the policy states in its own words. X is the number of
// the text, see Log.Text.
var SaidWaiting = NewReason(CodeInfo{Name: "said-waiting", X: Text, Sentence: "{job} waits. The policy gives this reason: {x}."})

// Unsaid is the reason for a start if the policy states its reasons in its own words, but stated
// none for this start.
var Unsaid = NewReason(CodeInfo{Name: "unsaid", Sentence: "{job} started. The policy gives no reason."})

// hasText reports whether a reason with code c quotes the policy's own words.
func (c Code) hasText() bool { return Codes[c].X == Text }

// texts holds the reasons that a policy has stated in its own words. It stores each text once.
type texts struct {
	list   []string         // by number: a text
	number map[string]int64 // by text: its index in list; nil until it is needed
}

// ReasonInWords adds the words of a policy to the log, unless the log has them already, and returns a reason that
// refers to them. If there are no words, it returns a reason with the code NoReason. ReasonInWords replaces line breaks
// and other control characters by spaces, removes a final period, and cuts the words to MaxText characters.
func (l *Log) ReasonInWords(words string) Reason {
	words = strings.TrimSuffix(singleLine(words), ".")
	if words == "" {
		return Reason{Other: job.None}
	}
	t := &l.texts
	if t.number == nil {
		t.number = map[string]int64{}
		for i, s := range t.list {
			t.number[s] = int64(i)
		}
	}
	n, known := t.number[words]
	if !known {
		n = int64(len(t.list))
		t.list = append(t.list, words)
		t.number[words] = n
	}
	return Reason{Said, job.None, n, 0}
}

// singleLine returns text on one line, without spaces around it, cut to MaxText characters. It
// replaces control characters by spaces, and invalid UTF-8 by "?".
func singleLine(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?")))
	if r := []rune(text); len(r) > MaxText {
		return string(r[:MaxText-1]) + "…"
	}
	return text
}

// Text returns text number n of the log, or "" if there is none.
func (l *Log) Text(n int64) string {
	if n < 0 || n >= int64(len(l.texts.list)) {
		return ""
	}
	return l.texts.list[n]
}
