package link

import "strings"

// Frame is what a page that shows ours in a frame asks of its looks, by options of the
// fragment: embed=1, show=, lock=, allow=. They stay in it through edits.
type Frame struct {
	Embed bool
	Show  []string // parts that are seen, see Parts; empty: all
	Lock  []string // panels that are not edited, or all
}

// Parts are the parts of the page for Show besides the panels of its left side.
var Parts = []string{"charts", "player", "scores", "compare", "why"}

var frameOptions = map[string]func(*Frame, string){
	"embed": func(f *Frame, v string) { f.Embed = v == "1" },
	"show":  func(f *Frame, v string) { f.Show = list(v) },
	"lock":  func(f *Frame, v string) { f.Lock = list(v) },
	"allow": func(*Frame, string) {}, // public/js/embedding.js heeds it
}

func list(text string) (out []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Frame returns what the fragment says of the frame.
func (f Fragment) Frame() (out Frame) {
	for _, o := range f.Others {
		if take := frameOptions[o.Name]; take != nil {
			take(&out, o.Value)
		}
	}
	return out
}

// Unframed returns the fragment for a page of its own.
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
