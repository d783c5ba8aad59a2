package markup

import "github.com/vugu/vugu"

// row is a keyed element of a loop. The key determines everything that the element shows. The
// element is not built again if the previous drawing has a row with the same key in the same
// position.
type row struct {
	key   string
	build func(parent *vugu.VGNode) // nil after the row was built
	root  *vugu.VGNode              // the element that build added; the tree has a copy of it, but root stays the Parent of its children
}

// rows holds the rows of the current drawing, and drawn the rows of the previous drawing.
var rows, drawn = map[*vugu.VGNode]*row{}, map[*vugu.VGNode]*row{}

// pending lists the rows of the current drawing that may still have to be built.
var pending []*vugu.VGNode

// Row adds an element that is built only if necessary. In that case, MakeRows or Build calls the given function, which
// adds the element to the given parent.
func Row(parent *vugu.VGNode, key string, build func(parent *vugu.VGNode)) {
	n := &vugu.VGNode{Type: vugu.ElementNode}
	parent.AppendChild(n)
	rows[n] = &row{key: key, build: build}
	pending = append(pending, n)
}

// rowOf returns the row of element n if n is a row of the current drawing that has not been built, otherwise nil. Such
// an element has no name yet, so rowOf returns nil for an element with a name, without a look-up in the map.
func rowOf(n *vugu.VGNode) *row {
	if n.Data != "" || n.Type != vugu.ElementNode {
		return nil
	}
	return rows[n]
}

// Reuse reuses the row `before` of the previous drawing for n and returns true. It returns false if
// the rows have different keys or an event occurred in the row. Then n has to be built.
func Reuse(before, n *vugu.VGNode) bool {
	b := rowOf(n)
	if b == nil {
		return false
	}
	a := drawn[before]
	if a == nil || a.key != b.key || touched[a.root] {
		return false
	}
	b.build, b.root = nil, a.root
	b.root.Parent = n
	replaceNode(n, before)
	return true
}

// Build builds n if it is a row that has not been built.
func Build(n *vugu.VGNode) {
	r := rowOf(n)
	if r == nil || r.build == nil {
		return
	}
	var parent vugu.VGNode
	r.build(&parent)
	r.build, r.root = nil, parent.FirstChild
	replaceNode(n, r.root)
	r.root.Parent = n
}

// MakeRows builds the remaining rows and prepares for the next drawing.
func MakeRows() {
	for len(pending) > 0 { // building a row can add rows inside it
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		Build(n)
	}
	drawn, rows = rows, drawn
	clear(rows)
}

// replaceNode copies other to n, except for the position in the tree.
func replaceNode(n, other *vugu.VGNode) {
	parent, before, after := n.Parent, n.PrevSibling, n.NextSibling
	*n = *other
	n.Parent, n.PrevSibling, n.NextSibling = parent, before, after
}
