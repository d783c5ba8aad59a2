package markup

import "github.com/vugu/vugu"

// row is an element of a loop with a key, which says all that the element shows. It is
// not built where the drawing before has one with the same key.
type row struct {
	key   string
	build func(parent *vugu.VGNode) // nil: it is built
	root  *vugu.VGNode              // as it was built: what is in it knows this as its parent
}

// rows is the rows of this drawing, drawn those of the one before.
var rows, drawn = map[*vugu.VGNode]*row{}, map[*vugu.VGNode]*row{}

// pending is the rows of this drawing of which it is not known whether they are needed.
var pending []*vugu.VGNode

// Row adds an element that build adds to a parent, when it is needed.
//
//go:noinline
func Row(parent *vugu.VGNode, key string, build func(parent *vugu.VGNode)) {
	n := &vugu.VGNode{Type: vugu.ElementNode}
	parent.AppendChild(n)
	rows[n] = &row{key: key, build: build}
	pending = append(pending, n)
}

// Again makes a row what the one was that the drawing before has in its place, and
// reports whether it could: the keys are equal, and there was no event in it.
func Again(before, n *vugu.VGNode) bool {
	a, b := drawn[before], rows[n]
	if a == nil || b == nil || a.key != b.key || touched[a.root] {
		return false
	}
	b.build, b.root = nil, a.root
	b.root.Parent = n
	become(n, before)
	return true
}

// Make builds an element if it is a row that is not built.
func Make(n *vugu.VGNode) {
	r := rows[n]
	if r == nil || r.build == nil {
		return
	}
	var parent vugu.VGNode
	r.build(&parent)
	r.build, r.root = nil, parent.FirstChild
	become(n, r.root)
	r.root.Parent = n
}

// MakeRows builds the rows that are not built; then those of another drawing may come.
func MakeRows() {
	for len(pending) > 0 { // a row in a row is pending when that one is built
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		Make(n)
	}
	drawn, rows = rows, drawn
	clear(rows)
}

// become makes an element what another is, in its own place.
func become(n, other *vugu.VGNode) {
	parent, before, after := n.Parent, n.PrevSibling, n.NextSibling
	*n = *other
	n.Parent, n.PrevSibling, n.NextSibling = parent, before, after
}
