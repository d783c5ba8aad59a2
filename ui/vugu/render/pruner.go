package render

import (
	"bytes"
	"slices"

	"github.com/vugu/vugu"

	"backfill-lab/ui/vugu/markup"
)

// pruner removes the content of unchanged elements from each drawing, because Vugu would write it to the
// browser again. Vugu does not touch the children of an element in the browser if the element has no
// children in the drawing.
type pruner struct {
	before, now *vugu.BuildResults // the previous drawing (nil at first) and the current one
	omitted     []omitted          // what was removed from the current drawing, put back after it is rendered
}

// omitted holds the children or the HTML that pruner removed from an element for a drawing.
type omitted struct {
	node, child *vugu.VGNode // the element and its first child
	html        *string      // InnerHTML of the element, nil if it has none
}

// draw calls render with those parts of the build results `now` that differ from the previous drawing.
func (k *pruner) draw(now *vugu.BuildResults, render func(*vugu.BuildResults) error) error {
	k.now = now
	if k.before != nil {
		k.prune(k.before.Out.Out[0], now.Out.Out[0])
	}
	markup.MakeRows()
	shorten(now, now.Out.Out[0])
	err := render(now)
	for _, l := range k.omitted {
		l.node.FirstChild, l.node.InnerHTML = l.child, l.html
	}
	clear(k.omitted)
	k.omitted, k.before = k.omitted[:0], now
	markup.Reset()
	return err
}

// prune compares a node b with the node a in the same position of the previous drawing, and
// removes all unchanged content of b. It reports whether b and everything below it are
// unchanged.
func (k *pruner) prune(a, b *vugu.VGNode) bool {
	if markup.Reuse(a, b) {
		k.omit(b)
		return true
	}
	markup.Build(b)
	a, b = rootElement(k.before, a), rootElement(k.now, b)
	if a.Type != b.Type || a.Data != b.Data || a.Namespace != b.Namespace {
		return false // Vugu replaces the element in the browser
	}
	sameEvents := keepHandlers(a, b)
	inside := k.pruneInside(a, b) && !markup.Touched(a)
	if inside && b.Type == vugu.ElementNode && !b.IsTemplate() {
		k.omit(b)
	}
	return inside && sameEvents && slices.Equal(a.Attr, b.Attr) && slices.EqualFunc(a.Prop, b.Prop, sameProperty)
}

// omit removes the content of an element for this drawing.
func (k *pruner) omit(n *vugu.VGNode) {
	k.omitted = append(k.omitted, omitted{n, n.FirstChild, n.InnerHTML})
	n.FirstChild, n.InnerHTML = nil, nil
}

// pruneInside prunes the children of b. It reports whether all of them are unchanged.
func (k *pruner) pruneInside(a, b *vugu.VGNode) bool {
	if a.InnerHTML != nil || b.InnerHTML != nil {
		return a.InnerHTML != nil && b.InnerHTML != nil && *a.InnerHTML == *b.InnerHTML
	}
	all := true
	x, y := a.FirstChild, b.FirstChild
	for ; x != nil && y != nil; x, y = x.NextSibling, y.NextSibling {
		all = k.prune(x, y) && all
	}
	return all && x == y
}

// rootElement returns the root element of n if n is a component, otherwise n itself.
func rootElement(r *vugu.BuildResults, n *vugu.VGNode) *vugu.VGNode {
	for n.Component != nil {
		n = r.ResultFor(n.Component).Out[0]
	}
	return n
}

func sameProperty(a, b vugu.VGProperty) bool {
	return a.Key == b.Key && bytes.Equal(a.JSONVal, b.JSONVal)
}

// keepHandlers copies the event handlers of b into the list of a, which Vugu has registered, and makes
// b use this list. If a and b handle different events, it does nothing and returns false.
func keepHandlers(a, b *vugu.VGNode) bool {
	x, y := a.DOMEventHandlerSpecList, b.DOMEventHandlerSpecList
	if !slices.EqualFunc(x, y, func(x, y vugu.DOMEventHandlerSpec) bool {
		return x.EventType == y.EventType && x.Capture == y.Capture && x.Passive == y.Passive
	}) {
		return false
	}
	copy(x, y)
	b.DOMEventHandlerSpecList = x
	return true
}
