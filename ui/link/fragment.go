package link

import (
	"strconv"
	"strings"
)

// Fragment is the part of an address after "#".
type Fragment struct {
	Version  int // 0 if the fragment has no version, and so was not made by the page
	View     View
	Lesson   string   // payload of the open lesson; empty for a lesson of the project, which View.Lesson names
	Payload  string   // payload of the scenario; "" means the scenario of the lesson or, without a lesson, the first example
	Policies []string // policies that replace those of the scenario; only authors of links set them, the page never does
	Others   []Option // options of a frame (see Frame), and options that this version does not know
}

// View describes what a link restores besides the scenario: window of time, cursor, selected job, open
// panel, lesson and colours.
type View struct {
	Window bool   // show From to To; false shows the whole run
	From   int64  // in seconds
	To     int64  // in seconds
	Cursor int64  // -1 if there is none
	Job    string // ID of the selected job, empty if there is none
	Tab    string // empty means jobs
	Lesson string // name of the open lesson, empty if there is none
	Step   int    // current page of the lesson, from 0
	Write  bool   // the lesson is being written, so it may be incomplete
	Colour string // property that determines the colour of jobs; empty if each job has its own
	Base   int    // index of the schedule with which start times are compared
}

// Option is an option of a fragment, such as tab=machine. Its value has no percent escapes.
type Option struct{ Name, Value string }

// Whole is the view that shows the whole run, without a cursor or a selected job.
var Whole = View{Cursor: -1}

// Parse parses a fragment. It ignores options with invalid values.
func Parse(fragment string) Fragment {
	f := Fragment{View: Whole}
	for part := range strings.SplitSeq(fragment, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		f.read(Option{unescape(name), unescape(value)})
	}
	return f
}

// String returns the fragment as text, without Policies. The text is empty if all other values are
// defaults.
func (f Fragment) String() string {
	var b strings.Builder
	add := func(name, value string) {
		b.WriteString("&" + escape(name) + "=" + escape(value))
	}
	for _, o := range f.Others {
		add(o.Name, o.Value)
	}
	for _, o := range options {
		if value := o.write(&f); value != "" {
			add(o.name, value)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "v=" + strconv.Itoa(Version) + b.String()
}

const hex = "0123456789ABCDEF"

// isUnreserved reports whether byte c appears in links without a percent escape.
func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~,", c) >= 0
}

// escape replaces each byte of s with a percent escape, except the bytes for which isUnreserved is true.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
		}
	}
	return b.String()
}

// unescape decodes percent escapes. It leaves invalid ones unchanged.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
