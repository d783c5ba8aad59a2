package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// Keep says which jobs stay by what they ask for. It looks at jobs as the other
// rules leave them. The zero value keeps all; values compare with ==.
type Keep struct {
	Procs    Span  `json:"procs,omitzero"`
	Runtime  Span  `json:"runtime,omitzero"`  // seconds
	Estimate Span  `json:"estimate,omitzero"` // seconds
	User     Names `json:"user,omitempty"`
	Class    Names `json:"class,omitempty"`
}

// KeepFields names what Keep looks at, in the order of its text form.
var KeepFields = [5]string{"procs", "runtime", "estimate", "user", "class"}

// Has reports whether a job stays.
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

// Set takes the text of a field; empty text lifts the condition.
func (k *Keep) Set(field, text string) (err error) {
	switch field {
	case "procs":
		k.Procs, err = ParseSpan(text)
	case "runtime":
		k.Runtime, err = ParseSpan(text)
	case "estimate":
		k.Estimate, err = ParseSpan(text)
	case "user":
		k.User = Names(text)
	case "class":
		k.Class = Names(text)
	default:
		err = fmt.Errorf("expected one of %s, got %q", strings.Join(KeepFields[:], ", "), field)
	}
	return err
}

// Get returns the text of a field, empty where it sets no condition.
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

// String lists the conditions, as in "procs=1:16 user=ann".
func (k Keep) String() string {
	var parts []string
	for _, f := range KeepFields {
		if text := k.Get(f); text != "" {
			parts = append(parts, f+"="+text)
		}
	}
	return strings.Join(parts, " ")
}

// Span is the whole numbers from From to To, both among them; the zero value is
// all. To 0 is no upper bound.
type Span struct{ From, To int64 }

func (s Span) has(v int64) bool { return v >= s.From && (s.To == 0 || v <= s.To) }

// ParseSpan reads FROM:TO, either side of which may be empty, or one number.
// Empty text is the span that has all.
func ParseSpan(text string) (Span, error) {
	var s Span
	if text == "" {
		return s, nil
	}
	from, to, two := strings.Cut(text, ":")
	ok := side(from, &s.From) && side(to, &s.To) && text != ":"
	if !two {
		s.To = s.From
	}
	if ok = ok && (to == "" || s.To > 0) && (two || s.To > 0); !ok || s.To != 0 && s.From > s.To {
		return Span{}, fmt.Errorf("expected FROM:TO, whole numbers with FROM not above TO and TO at least 1, or one number, got %q", text)
	}
	return s, nil
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

// MarshalText returns String.
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText returns ParseSpan.
func (s *Span) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSpan(string(text))
	return err
}

// Names is names with commas between them, of which one must fit; no text fits
// all.
type Names string

func (n Names) has(name string) bool {
	return n == "" || slices.Contains(strings.Split(string(n), ","), name)
}
