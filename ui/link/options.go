package link

import (
	"slices"
	"strconv"
	"strings"
)

// option is an option that this version of the page knows. Its read function stores the value of the option in a
// fragment. Its write function returns the value of the option in a fragment, or "" to omit the option.
type option struct {
	name  string
	read  func(f *Fragment, value string)
	write func(f *Fragment) string
}

// options lists the options in the order in which they are written.
var options = []option{
	{"v", func(f *Fragment, s string) { f.Version, _ = strconv.Atoi(s) }, neverWritten}, // String writes it before all others
	{"policy", func(f *Fragment, s string) { f.Policies = splitList(s) }, neverWritten},
	textOption("lesson", func(f *Fragment) *string { return &f.View.Lesson }),
	{"step", readNatural(func(f *Fragment) *int { return &f.View.Step }), func(f *Fragment) string {
		if f.View.Lesson == "" && f.View.Step == 0 {
			return ""
		}
		return strconv.Itoa(f.View.Step)
	}},
	{"t", readWindow, func(f *Fragment) string {
		if !f.View.Window {
			return ""
		}
		return strconv.FormatInt(f.View.From, 10) + "," + strconv.FormatInt(f.View.To, 10)
	}},
	{"at", readCursor, func(f *Fragment) string {
		if f.View.Cursor < 0 {
			return ""
		}
		return strconv.FormatInt(f.View.Cursor, 10)
	}},
	textOption("job", func(f *Fragment) *string { return &f.View.Job }),
	textOption("colour", func(f *Fragment) *string { return &f.View.Colour }),
	{"base", readNatural(func(f *Fragment) *int { return &f.View.Base }), func(f *Fragment) string {
		if f.View.Base == 0 {
			return ""
		}
		return strconv.Itoa(f.View.Base)
	}},
	{"tab", func(f *Fragment, s string) { f.View.Tab = s }, func(f *Fragment) string {
		if f.View.Tab == "jobs" {
			return ""
		}
		return f.View.Tab
	}},
	{"write", func(f *Fragment, s string) { f.View.Write = s == "1" }, func(f *Fragment) string {
		if !f.View.Write {
			return ""
		}
		return "1"
	}},
	textOption("l", func(f *Fragment) *string { return &f.Lesson }),
	textOption("s", func(f *Fragment) *string { return &f.Payload }),
}

// neverWritten is the write function of two options: v, which String writes itself, and policy, which String omits.
func neverWritten(*Fragment) string { return "" }

// textOption returns an option that stores its value unchanged in a field of the fragment. The option calls field to
// get a pointer to this field.
func textOption(name string, field func(*Fragment) *string) option {
	return option{name, func(f *Fragment, s string) { *field(f) = s }, func(f *Fragment) string { return *field(f) }}
}

// readNatural returns the read function of an option whose value is a number of at least 0. The read function calls
// field to get a pointer to the field for this number.
func readNatural(field func(*Fragment) *int) func(*Fragment, string) {
	return func(f *Fragment, s string) {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			*field(f) = n
		}
	}
}

func readWindow(f *Fragment, s string) {
	first, second, _ := strings.Cut(s, ",")
	from, err1 := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(second, 10, 64)
	if err1 == nil && err2 == nil && from < to {
		f.View.Window, f.View.From, f.View.To = true, from, to
	}
}

func readCursor(f *Fragment, s string) {
	if t, err := strconv.ParseInt(s, 10, 64); err == nil && t >= 0 {
		f.View.Cursor = t
	}
}

// read applies an option to the fragment. It stores an unknown option in Others.
func (f *Fragment) read(o Option) {
	i := slices.IndexFunc(options, func(known option) bool { return known.name == o.Name })
	if i < 0 {
		f.Others = append(f.Others, o)
		return
	}
	options[i].read(f, o.Value)
}

// Frame holds the options for a page that is embedded in another page (in an HTML frame): embed=1, show=
// and lock=. The option allow= belongs to them too, but only public/js/embedding.js reads it. All of these
// options stay in the fragment when the user edits the scenario.
type Frame struct {
	Embed bool     // the page is embedded
	Show  []string // visible parts, see Parts; empty for all
	Lock  []string // panels that cannot be edited, or "all"
}

// Parts lists the parts of the page that Frame.Show may name, in addition to the panels on
// the left side.
var Parts = []string{"charts", "player", "scores", "compare", "why"}

// frameOptions maps the name of each frame option to the function that stores its value.
var frameOptions = map[string]func(*Frame, string){
	"embed": func(f *Frame, v string) { f.Embed = v == "1" },
	"show":  func(f *Frame, v string) { f.Show = splitList(v) },
	"lock":  func(f *Frame, v string) { f.Lock = splitList(v) },
	"allow": func(*Frame, string) {}, // handled by public/js/embedding.js
}

// splitList splits a comma-separated list.
func splitList(text string) (out []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Frame returns the frame options in the fragment.
func (f Fragment) Frame() (out Frame) {
	for _, o := range f.Others {
		if take := frameOptions[o.Name]; take != nil {
			take(&out, o.Value)
		}
	}
	return out
}

// Unframed returns the fragment without frame options, for opening the lab in its own window.
func (f Fragment) Unframed() Fragment {
	var others []Option
	for _, o := range f.Others {
		if frameOptions[o.Name] == nil {
			others = append(others, o)
		}
	}
	f.Others = others
	return f
}
