package render

import (
	"strings"

	"github.com/vugu/vugu"
)

// longest is how many bytes an attribute may have: Vugu ends the program at 16 KB.
const longest = 16_000

// bound cuts attributes that are longer, of a node and of all in it. Names in files of
// strangers may be of any length.
func (k *keeper) bound(n *vugu.VGNode) {
	n = resolved(k.now, n)
	for i := range n.Attr {
		if a := &n.Attr[i]; len(a.Val) > longest {
			a.Val = strings.ToValidUTF8(a.Val[:longest], "")
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		k.bound(c)
	}
}
