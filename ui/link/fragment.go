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
		f.option(unescape(name), unescape(value))
	}
	return f
}

func (f *Fragment) option(name, value string) {
	v := &f.View
	switch name {
	case "v":
		f.Version, _ = strconv.Atoi(value)
	case "l":
		f.Lesson = value
	case "policy":
		f.Policies = list(value)
	case "s":
		f.Payload = value
	case "t":
		from, to, _ := strings.Cut(value, ",")
		a, err1 := strconv.ParseInt(from, 10, 64)
		b, err2 := strconv.ParseInt(to, 10, 64)
		if err1 == nil && err2 == nil && a < b {
			v.Window, v.From, v.To = true, a, b
		}
	case "at":
		if t, err := strconv.ParseInt(value, 10, 64); err == nil && t >= 0 {
			v.Cursor = t
		}
	case "job":
		v.Job = value
	case "tab":
		v.Tab = value
	case "lesson":
		v.Lesson = value
	case "colour":
		v.Colour = value
	case "base":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 {
			v.Base = n
		}
	case "step":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 {
			v.Step = n
		}
	default:
		f.Others = append(f.Others, Option{name, value})
	}
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
	v := f.View
	if v.Lesson != "" {
		add("lesson", v.Lesson)
	}
	if v.Lesson != "" || v.Step > 0 {
		add("step", strconv.Itoa(v.Step))
	}
	if v.Window {
		add("t", strconv.FormatInt(v.From, 10)+","+strconv.FormatInt(v.To, 10))
	}
	if v.Cursor >= 0 {
		add("at", strconv.FormatInt(v.Cursor, 10))
	}
	if v.Job != "" {
		add("job", v.Job)
	}
	if v.Colour != "" {
		add("colour", v.Colour)
	}
	if v.Base > 0 {
		add("base", strconv.Itoa(v.Base))
	}
	if v.Tab != "" && v.Tab != "jobs" {
		add("tab", v.Tab)
	}
	if f.Lesson != "" {
		add("l", f.Lesson)
	}
	if f.Payload != "" {
		add("s", f.Payload)
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
