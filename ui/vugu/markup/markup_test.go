package markup_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"

	"backfill-lab/ui/vugu/markup"
)

type component struct{}

func (*component) Build(*vugu.BuildIn) *vugu.BuildOut { return nil }

// The functions of package markup build the same tree as the code that Vugu's own generator writes.
func TestTreeEqualsVugus(t *testing.T) {
	want := &vugu.BuildOut{}
	vgn := &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: "", Data: "div", Attr: []vugu.VGAttribute{{Namespace: "", Key: "id", Val: "a"}}}
	want.Out = append(want.Out, vgn)
	vgparent := vgn
	vgn = &vugu.VGNode{Type: vugu.VGNodeType(1), Data: "\n"}
	vgparent.AppendChild(vgn)
	vgn = &vugu.VGNode{Type: vugu.VGNodeType(3), Namespace: "", Data: "input", Attr: []vugu.VGAttribute(nil)}
	vgparent.AppendChild(vgn)
	vgn.Prop = append(vgn.Prop, vugu.VGProperty{Key: "value", JSONVal: []byte(`"x"`)})
	c := &component{}
	want.Components = append(want.Components, c)
	vgn = &vugu.VGNode{Component: c}
	vgparent.AppendChild(vgn)

	got := &vugu.BuildOut{}
	root := markup.Root(got, "div", "id", "a")
	markup.Text(root, "\n")
	markup.Property(markup.Element(root, "input"), "value", "x")
	markup.Component(got, root, c)
	require.Equal(t, want, got)
}

func TestOn(t *testing.T) {
	n := &vugu.VGNode{}
	called := ""
	markup.On(n, "input", func(vugu.DOMEvent) { called += "input " })
	markup.On(n, "blur", func(vugu.DOMEvent) { called += "blur" })
	for _, h := range n.DOMEventHandlerSpecList {
		require.False(t, h.Capture || h.Passive)
		h.Func(nil)
	}
	require.Equal(t, "input blur", called)
}

func TestPropertyWithoutJSONPanics(t *testing.T) {
	require.Panics(t, func() { markup.Property(&vugu.VGNode{}, "value", func() {}) })
}

// Every string survives the conversion to JSON and back.
func TestProperty(t *testing.T) {
	for value, want := range map[any]string{"": `""`, "plain 1.5 text": `"plain 1.5 text"`, `a "b" \`: `"a \"b\" \\"`, "é\n<": `"é\n`, true: "true", 3: "3"} {
		n := &vugu.VGNode{}
		markup.Property(n, "value", value)
		require.Contains(t, string(n.Prop[0].JSONVal), want)
		if s, ok := value.(string); ok {
			var got string
			require.NoError(t, json.Unmarshal(n.Prop[0].JSONVal, &got))
			require.Equal(t, s, got)
		}
	}
}
