package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"
	"pgregory.net/rapid"

	"backfill-lab/ui/vugu/markup"
)

// element models an element in the browser, and what Vugu v0.4.0 does to it.
type element struct {
	tag    string
	text   string
	attrs  map[string]string
	value  string // a DOM property
	kids   []*element
	place  string // Vugu's name of the element for event handling
	events string
}

// screen models a page with the event handlers that Vugu registered.
type screen struct {
	root     *element
	handlers map[string][]vugu.DOMEventHandlerSpec
}

func (s *screen) render(r *vugu.BuildResults) error {
	s.root = s.sync(s.root, r, r.Out.Out[0], "0")
	return nil
}

// sync works like the function with the same name in Vugu's renderer.
func (s *screen) sync(e *element, r *vugu.BuildResults, n *vugu.VGNode, place string) *element {
	n = rootElement(r, n)
	if e == nil || e.tag != n.Data || n.Type == vugu.TextNode {
		e = &element{tag: n.Data}
	}
	if n.Type == vugu.TextNode {
		return &element{text: n.Data}
	}
	e.attrs = map[string]string{}
	for _, a := range n.Attr {
		e.attrs[a.Key] = a.Val
	}
	for _, p := range n.Prop {
		e.value = string(p.JSONVal)
	}
	e.place, e.events = "", ""
	for _, h := range n.DOMEventHandlerSpecList {
		s.handlers[place] = n.DOMEventHandlerSpecList
		e.place, e.events = place, e.events+h.EventType
	}
	if n.InnerHTML != nil {
		e.kids = []*element{{text: *n.InnerHTML}}
		return e
	}
	if n.FirstChild == nil {
		return e // keep the existing children
	}
	i := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if i == len(e.kids) {
			e.kids = append(e.kids, nil)
		}
		e.kids[i] = s.sync(e.kids[i], r, c, fmt.Sprintf("%s_%d", place, i+1))
		i++
	}
	e.kids = e.kids[:i]
	return e
}

// part describes an element of a random page, with its children.
type part struct {
	Tag, Attr, Value, Text string
	Hears                  int // number of events that it handles: 0, 1 (input) or 2 (input and blur)
	Component, Row         bool
	Kids                   []*part
	called                 func(p *part)
}

// flat makes part.node build rows like other elements. The test sets it to build the expected page.
var flat bool

// node adds a part to a parent node.
func (p *part) node(out *vugu.BuildOut, parent *vugu.VGNode) {
	if p.Component {
		markup.Component(out, parent, p)
		return
	}
	build := func(parent *vugu.VGNode) { p.fill(out, markup.Element(parent, p.Tag, "class", p.Attr)) }
	if p.Row && !flat {
		key, _ := json.Marshal(p)
		markup.Row(parent, string(key), build)
	} else {
		build(parent)
	}
}

// fill adds properties, event handlers and content to the node of a part.
func (p *part) fill(out *vugu.BuildOut, n *vugu.VGNode) {
	if p.Value != "" {
		markup.Property(n, "value", p.Value)
	}
	for i, event := range []string{"input", "blur"} {
		if p.Hears > i {
			markup.On(n, event, func(vugu.DOMEvent) { p.called(p) })
		}
	}
	switch {
	case p.Text == "inner":
		n.InnerHTML = &p.Attr
	case len(p.Kids) == 0:
		markup.Text(n, p.Text) // the page never removes all children of an element, which Vugu would keep
	}
	for _, k := range p.Kids {
		k.node(out, n)
	}
}

// Build builds a component.
func (p *part) Build(*vugu.BuildIn) *vugu.BuildOut {
	out := &vugu.BuildOut{}
	p.fill(out, markup.Root(out, p.Tag, "class", p.Attr))
	return out
}

func drawPart(t *rapid.T, deep int, inRow bool, called func(*part)) *part {
	p := &part{
		Tag: rapid.SampledFrom([]string{"p", "input"}).Draw(t, "tag"), Attr: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "attr"),
		Value: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "value"), Text: rapid.SampledFrom([]string{"t", "u", "inner"}).Draw(t, "text"),
		Hears: rapid.IntRange(0, 2).Draw(t, "hears"), Component: deep < 3 && !inRow && rapid.IntRange(0, 3).Draw(t, "component") == 0, called: called,
	}
	p.Row = deep < 3 && !p.Component && rapid.Bool().Draw(t, "row")
	if inRow = inRow || p.Row; inRow {
		p.Attr += " row"
	}
	if deep > 0 && p.Text != "inner" {
		for range rapid.IntRange(0, 3).Draw(t, "kids") {
			p.Kids = append(p.Kids, drawPart(t, deep-1, inRow, called))
		}
	}
	return p
}

// changed returns a copy of p with one random change.
func changed(t *rapid.T, p *part, called func(*part)) *part {
	q := *p
	q.called = called
	q.Kids = nil
	at := rapid.IntRange(-1, len(p.Kids)-1).Draw(t, "at")
	for i, k := range p.Kids {
		if i == at {
			q.Kids = append(q.Kids, changed(t, k, called))
		} else {
			q.Kids = append(q.Kids, copyPart(k, called))
		}
	}
	if at < 0 {
		other := drawPart(t, 1, strings.HasSuffix(p.Attr, "row"), called)
		switch rapid.IntRange(0, 5).Draw(t, "what") {
		case 0:
			q.Attr = strings.Replace(p.Attr, p.Attr[:1], other.Attr[:1], 1)
		case 1:
			q.Value = other.Value
		case 2:
			q.Tag, q.Hears = other.Tag, other.Hears
		case 3:
			q.Text = other.Text
			if q.Text == "inner" {
				q.Kids = nil
			}
		case 4:
			if q.Text != "inner" {
				q.Kids = append([]*part{other}, q.Kids...)
			}
		}
	}
	return &q
}

func copyPart(p *part, called func(*part)) *part {
	q := *p
	q.called, q.Kids = called, nil
	for _, k := range p.Kids {
		q.Kids = append(q.Kids, copyPart(k, called))
	}
	return &q
}

// all returns an element and all elements inside it.
func all(e *element) (out []*element) {
	out = append(out, e)
	for _, k := range e.kids {
		out = append(out, all(k)...)
	}
	return out
}

// Drawing only the changes gives the same page as drawing everything, even if the user has typed
// into fields. The page calls the event handlers of the latest drawing.
func TestDrawingChangesEqualsDrawingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		env, err := vugu.NewBuildEnv()
		require.NoError(t, err)
		var kept pruner
		mine, whole := &screen{handlers: map[string][]vugu.DOMEventHandlerSpec{}}, &screen{handlers: map[string][]vugu.DOMEventHandlerSpec{}}
		last, of := -1, (*part)(nil)
		p := drawPart(t, 3, false, func(p *part) { last, of = 0, p })
		for step := range rapid.IntRange(1, 12).Draw(t, "steps") {
			if step > 0 {
				p = changed(t, p, func(p *part) { last, of = step, p })
			}
			require.NoError(t, kept.draw(env.RunBuild(p), mine.render))
			require.NoError(t, whole.render(buildAnew(t, p)))
			require.Equal(t, whole.root, mine.root)
			typed := rapid.Bool().Draw(t, "typed")
			b := all(whole.root)
			for i, e := range all(mine.root) {
				if e.events == "" {
					continue
				}
				for _, h := range mine.handlers[e.place] {
					last = -1
					h.Func(nil)
					require.Equal(t, e.attrs["class"], of.Attr, "the handler of another element")
					if !strings.HasSuffix(of.Attr, "row") {
						require.Equal(t, step, last, "the handler of another drawing")
					}
				}
				if typed {
					e.value, b[i].value = "typed", "typed"
				}
			}
			if !typed {
				markup.Reset()
			}
		}
	})
}

// buildAnew builds a page as if there were no previous drawing.
func buildAnew(t *rapid.T, p *part) *vugu.BuildResults {
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	flat = true
	defer func() { flat = false }()
	return env.RunBuild(p)
}

// A row is built again only if its key changed or an event occurred in it.
func TestRows(t *testing.T) {
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	var kept pruner
	var fills []string
	page := func(texts string) *rowsOf { return &rowsOf{texts, func(s string) { fills = append(fills, s) }} }
	var inputs []*vugu.VGNode
	draw := func(texts string) {
		fills = nil
		require.NoError(t, kept.draw(env.RunBuild(page(texts)), func(r *vugu.BuildResults) error {
			return nil
		}))
		inputs = nil
		for n := kept.before.Out.Out[0].FirstChild; n != nil; n = n.NextSibling {
			require.Equal(t, "tr", n.Data)
			inputs = append(inputs, n.FirstChild)
		}
	}
	draw("abc")
	require.Equal(t, []string{"c", "b", "a"}, fills)
	draw("abc")
	require.Empty(t, fills)
	draw("axc")
	require.Equal(t, []string{"x"}, fills)
	draw("xac")
	require.Equal(t, []string{"x", "a"}, fills, "rows at other positions are built again")
	inputs[1].DOMEventHandlerSpecList[0].Func(nil)
	draw("xac")
	require.Equal(t, []string{"a"}, fills, "the browser may show there what was typed")
	draw("xac")
	require.Empty(t, fills)
	inputs[1].DOMEventHandlerSpecList[0].Func(nil)
	draw("xac")
	require.Equal(t, []string{"a"}, fills)
	inputs[2].DOMEventHandlerSpecList[0].Func(nil)
	draw("xacd")
	require.Equal(t, []string{"c", "d"}, fills)
}

// rowsOf is a component with a row for every letter. Each row contains an input.
type rowsOf struct {
	letters string
	filled  func(string)
}

func (c *rowsOf) Build(*vugu.BuildIn) *vugu.BuildOut {
	out := &vugu.BuildOut{}
	root := markup.Root(out, "table")
	for _, r := range c.letters {
		markup.Row(root, string(r), func(parent *vugu.VGNode) {
			c.filled(string(r))
			markup.On(markup.Element(markup.Element(parent, "tr"), "input"), "input", func(vugu.DOMEvent) {})
		})
	}
	return out
}

// Unchanged parts are not drawn.
func TestUnchangedPartsAreNotDrawn(t *testing.T) {
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	page := func(text string) *part {
		rows := &part{Tag: "table", Component: true}
		for range 50 {
			rows.Kids = append(rows.Kids, &part{Tag: "tr", Kids: []*part{{Tag: "td", Text: "inner"}}})
		}
		return &part{Tag: "main", Kids: []*part{rows, {Tag: "p", Text: text}}}
	}
	var kept pruner
	drawn := 0
	count := func(r *vugu.BuildResults) error {
		var visit func(n *vugu.VGNode)
		visit = func(n *vugu.VGNode) {
			n = rootElement(r, n)
			drawn++
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				visit(c)
			}
		}
		drawn = 0
		visit(r.Out.Out[0])
		return nil
	}
	for i, want := range []int{1 + 101 + 2, 1, 1 + 1 + 2, 1} {
		require.NoError(t, kept.draw(env.RunBuild(page([]string{"a", "a", "b", "b"}[i])), count))
		require.Equal(t, want, drawn, "drawing %d", i)
	}
}
