// Package markup is not a language of its own and nobody calls it by hand: the
// generated Build methods do. Vugu writes every node out, a kilobyte of program
// each; these functions do the same in one call (see ui/vugu/generator/slim.go).
//
// They must not be inlined, which would give the kilobytes back.
package markup

import (
	"encoding/json"

	"github.com/vugu/vugu"
)

// Root begins a component with its one element.
//
//go:noinline
func Root(out *vugu.BuildOut, name string, attrs ...string) *vugu.VGNode {
	n := element(name, attrs)
	out.Out = append(out.Out, n)
	return n
}

// Element adds an element; attrs are names and values by turns.
//
//go:noinline
func Element(parent *vugu.VGNode, name string, attrs ...string) *vugu.VGNode {
	n := element(name, attrs)
	parent.AppendChild(n)
	return n
}

func element(name string, attrs []string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: name}
	for i := 0; i+1 < len(attrs); i += 2 {
		n.Attr = append(n.Attr, vugu.VGAttribute{Key: attrs[i], Val: attrs[i+1]})
	}
	return n
}

// Text adds a text.
//
//go:noinline
func Text(parent *vugu.VGNode, text string) {
	parent.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: text})
}

// Property sets a property of the browser's object, such as `checked`, where an
// attribute would only be its default.
//
//go:noinline
func Property(n *vugu.VGNode, name string, value any) {
	var text []byte
	if s, ok := value.(string); ok && plain(s) { // most are, and this is a tenth of the work
		text = append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
	} else {
		var err error
		if text, err = json.Marshal(value); err != nil {
			panic(err)
		}
	}
	n.Prop = append(n.Prop, vugu.VGProperty{Key: name, JSONVal: text})
}

// plain reports whether a text stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// On has the browser's event call f.
//
//go:noinline
func On(n *vugu.VGNode, event string, f func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{EventType: event, Func: func(e vugu.DOMEvent) {
		for at := n; at != nil; at = at.Parent {
			touched[at] = true
		}
		f(e)
	}})
}

// touched is the elements that had an event since the last drawing, or in which one had.
var touched = map[*vugu.VGNode]bool{}

// Touched reports whether an element had an event since Settle: the browser may show
// there what was typed or ticked, and not what was drawn.
func Touched(n *vugu.VGNode) bool { return touched[n] }

// Settle is called when all is drawn.
func Settle() { clear(touched) }

// Component adds a component that the environment knows already.
//
//go:noinline
func Component(out *vugu.BuildOut, parent *vugu.VGNode, c vugu.Builder) {
	out.Components = append(out.Components, c)
	parent.AppendChild(&vugu.VGNode{Component: c})
}
