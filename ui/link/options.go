package link

import (
	"slices"
	"strconv"
	"strings"
)

// option is one that this version knows: how it is read, and its value, empty where it
// need not be said.
type option struct {
	name  string
	read  func(f *Fragment, value string)
	write func(f *Fragment) string
}

// options are in the order in which they are written.
var options = []option{
	{"v", func(f *Fragment, s string) { f.Version, _ = strconv.Atoi(s) }, unsaid}, // stands before all others
	{"policy", func(f *Fragment, s string) { f.Policies = list(s) }, unsaid},
	word("lesson", func(f *Fragment) *string { return &f.View.Lesson }),
	{"step", natural(func(f *Fragment) *int { return &f.View.Step }), func(f *Fragment) string {
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
	word("job", func(f *Fragment) *string { return &f.View.Job }),
	word("colour", func(f *Fragment) *string { return &f.View.Colour }),
	{"base", natural(func(f *Fragment) *int { return &f.View.Base }), func(f *Fragment) string {
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
	word("l", func(f *Fragment) *string { return &f.Lesson }),
	word("s", func(f *Fragment) *string { return &f.Payload }),
}

func unsaid(*Fragment) string { return "" }

func word(name string, of func(*Fragment) *string) option {
	return option{name, func(f *Fragment, s string) { *of(f) = s }, func(f *Fragment) string { return *of(f) }}
}

func natural(of func(*Fragment) *int) func(*Fragment, string) {
	return func(f *Fragment, s string) {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			*of(f) = n
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

// read takes an option, or keeps it for other versions.
func (f *Fragment) read(o Option) {
	i := slices.IndexFunc(options, func(known option) bool { return known.name == o.Name })
	if i < 0 {
		f.Others = append(f.Others, o)
		return
	}
	options[i].read(f, o.Value)
}
