package link

import (
	"strconv"
	"strings"
)

// Fragment is what stands behind the "#" of an address.
type Fragment struct {
	Version  int // 0: it says none, so it is none of ours
	View     View
	Lesson   string // payload of the lesson that is open, where the page has it not by its name
	Payload  string
	Policies []string // that run in the place of the scenario's; said once, by who calls the page
	Others   []Option // that this version does not know
}

// View is what is seen of a scenario.
type View struct {
	Window bool // From and To count; else the whole run is shown
	From   int64
	To     int64
	Cursor int64  // -1: none
	Job    string // id of the selected one, empty: none
	Tab    string // empty: jobs
	Lesson string // name of the one that is open, empty: none
	Step   int    // its page, from 0
	Colour string // by what jobs are coloured, empty: each by itself
	Base   int    // the schedule from which starts differ then, from 0
}

// Option is name=value.
type Option struct{ Name, Value string }

// Whole is the view of a scenario just opened.
var Whole = View{Cursor: -1}

// Parse reads a fragment. Options that make no sense are left out.
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

// String writes the fragment; empty when it says nothing.
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

// plain reports whether a byte stands for itself in an address.
func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~,", c) >= 0
}

func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; plain(c) {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
		}
	}
	return b.String()
}

// unescape leaves alone what is no escape.
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
