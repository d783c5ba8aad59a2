package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// Keep is a data rule that selects jobs by size, runtime, estimate, user and class. It applies
// after other rules have changed the size, runtime and estimate. The zero value selects all jobs.
// Two rules can be compared with ==.
type Keep struct {
	Procs    Span  `json:"procs,omitzero"`
	Runtime  Span  `json:"runtime,omitzero"`  // seconds
	Estimate Span  `json:"estimate,omitzero"` // seconds
	User     Names `json:"user,omitempty"`
	Class    Names `json:"class,omitempty"`
}

// KeepFields lists the names of the conditions in Keep, in the order in which String writes them.
var KeepFields = [5]string{"procs", "runtime", "estimate", "user", "class"}

// Has reports whether the rule selects a job.
func (k *Keep) Has(j *job.Job) bool {
	if !k.Procs.has(int64(j.Procs)) || !k.Runtime.has(j.Runtime) || !k.Estimate.has(j.Estimate) {
		return false
	}
	var user, class string
	if j.More != nil {
		user, class = j.More.User, j.More.Class
	}
	return k.User.has(user) && k.Class.has(class)
}

// Set sets the condition on the given field of a job, such as "user". It parses the condition from
// text. An empty text removes the condition. Runtimes and estimates may have units, as in 0:1h.
func (k *Keep) Set(field, text string) (err error) {
	switch field {
	case "procs":
		k.Procs, err = ParseSpan(text)
	case "runtime":
		k.Runtime, err = parseTimeSpan(text)
	case "estimate":
		k.Estimate, err = parseTimeSpan(text)
	case "user":
		k.User = Names(text)
	case "class":
		k.Class = Names(text)
	default:
		err = fmt.Errorf("expected one of %s, got %q", strings.Join(KeepFields[:], ", "), field)
	}
	return err
}

// Get returns the text of the condition on the given field, or "" if it is not set.
func (k *Keep) Get(field string) string {
	switch field {
	case "procs":
		return k.Procs.String()
	case "runtime":
		return k.Runtime.String()
	case "estimate":
		return k.Estimate.String()
	case "user":
		return string(k.User)
	}
	return string(k.Class)
}

// String returns all conditions as text, such as "procs=1:16 user=ann".
func (k Keep) String() string {
	var parts []string
	for _, f := range KeepFields {
		if text := k.Get(f); text != "" {
			parts = append(parts, f+"="+text)
		}
	}
	return strings.Join(parts, " ")
}

// Span is the range of whole numbers from From to To, both inclusive. To = 0 means no upper limit,
// so the zero value contains all numbers.
type Span struct{ From, To int64 }

func (s Span) has(v int64) bool { return v >= s.From && (s.To == 0 || v <= s.To) }

// ParseSpan parses FROM:TO or a single number. FROM or TO can be omitted. An empty text is the span
// of all numbers.
func ParseSpan(text string) (Span, error) {
	var s Span
	if text == "" {
		return s, nil
	}
	from, to, two := strings.Cut(text, ":")
	ok := parseBound(from, &s.From) && parseBound(to, &s.To) && text != ":"
	if !two {
		s.To = s.From
	}
	if ok = ok && (to == "" || s.To > 0) && (two || s.To > 0); !ok || s.To != 0 && s.From > s.To {
		return Span{}, fmt.Errorf("expected FROM:TO or one whole number, with FROM <= TO and TO at least 1, got %q", text)
	}
	return s, nil
}

// parseTimeSpan parses a span of durations in seconds, such as 600:1h or 02:30:00:1-12:00:00. Each duration has a form
// that format.ParseDuration accepts. Durations contain colons too, so exactly one way to divide the text must be valid.
func parseTimeSpan(text string) (Span, error) {
	if s, err := ParseSpan(text); err == nil {
		return s, nil
	}
	var found []Span
	if t, err := format.ParseDuration(text); err == nil && t > 0 {
		found = append(found, Span{t, t})
	}
	for i, c := range text {
		if c != ':' {
			continue
		}
		if s, ok := timeSpan(text[:i], text[i+1:]); ok {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return Span{}, fmt.Errorf("expected FROM:TO or one duration, such as 600:1h, with FROM <= TO and TO at least 1 s, got %q", text)
	}
	return found[0], nil
}

// timeSpan returns the span of durations from one text to another. An empty text means no limit. It reports false if a
// text is invalid, if both are empty, or if no duration is in the span.
func timeSpan(from, to string) (s Span, ok bool) {
	var errFrom, errTo error
	if from != "" {
		s.From, errFrom = format.ParseDuration(from)
	}
	if to != "" {
		s.To, errTo = format.ParseDuration(to)
	}
	isEmpty := from == "" && to == "" || to != "" && (s.To == 0 || s.To < s.From)
	return s, errFrom == nil && errTo == nil && !isEmpty
}

func (s Span) String() string {
	switch {
	case s == Span{}:
		return ""
	case s.From == s.To:
		return strconv.FormatInt(s.From, 10)
	case s.To == 0:
		return strconv.FormatInt(s.From, 10) + ":"
	case s.From == 0:
		return ":" + strconv.FormatInt(s.To, 10)
	}
	return strconv.FormatInt(s.From, 10) + ":" + strconv.FormatInt(s.To, 10)
}

// MarshalText returns the text that ParseSpan parses.
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses a text in the same way as ParseSpan.
func (s *Span) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSpan(string(text))
	return err
}

// Names is a list of names, separated by commas. It matches a job that has one of these names. An
// empty list matches every job.
type Names string

func (n Names) has(name string) bool {
	return n == "" || slices.Contains(strings.Split(string(n), ","), name)
}
