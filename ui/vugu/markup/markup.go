// Package markup builds Vugu nodes for the generated Build methods. For every node, the code of Vugu's
// own generator adds about 1 KB to the program. The functions for nodes, properties and events do the
// same in one call (see ui/vugu/generator/slim.go). They must not be inlined, because that would
// enlarge the program again.
//
// Package render also uses this package, to find the elements that have not changed.
package markup

import (
	"encoding/json"

	"github.com/vugu/vugu"
)

// Root adds the root element of a component.
//
//go:noinline
func Root(out *vugu.BuildOut, name string, attrs ...string) *vugu.VGNode {
	n := element(name, attrs)
	out.Out = append(out.Out, n)
	return n
}

// Element adds an element; attrs alternates names and values.
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

// Text adds a text node.
//
//go:noinline
func Text(parent *vugu.VGNode, text string) {
	parent.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: text})
}

// Property sets a property of the DOM element, such as `checked`. The attribute of the same
// name would set only its initial value.
//
//go:noinline
func Property(n *vugu.VGNode, name string, value any) {
	var text []byte
	if s, ok := value.(string); ok && needsNoEscapes(s) { // most strings are plain, and this takes a tenth of the time of json.Marshal
		text = append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
	} else {
		var err error
		if text, err = json.Marshal(value); err != nil {
			panic(err)
		}
	}
	n.Prop = append(n.Prop, vugu.VGProperty{Key: name, JSONVal: text})
}

// needsNoEscapes reports whether a string needs no escapes in JSON.
func needsNoEscapes(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// On adds f as a handler of an event of the element n. Each event also marks n and its ancestors as
// touched; see Touched.
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

// touched contains the elements in which an event occurred since the last drawing, and their
// ancestors.
var touched = map[*vugu.VGNode]bool{}

// Touched reports whether an event occurred in the element since the last call of Reset. The
// browser may then show something that was not drawn, such as typed text.
func Touched(n *vugu.VGNode) bool { return touched[n] }

// Reset sets Touched to false for all elements. It must be called after each drawing.
func Reset() { clear(touched) }

// Component adds a component that is already registered in the build environment.
//
//go:noinline
func Component(out *vugu.BuildOut, parent *vugu.VGNode, c vugu.Builder) {
	out.Components = append(out.Components, c)
	parent.AppendChild(&vugu.VGNode{Component: c})
}
