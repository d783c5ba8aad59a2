package docs

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// wide renders code blocks and tables so that they scroll on their own, since they may be
// wider than a small screen. The keyboard can reach them. A code block with a file name
// after its language, which the tests use, shows that name.
type wide struct{}

// RegisterFuncs registers the renderers of code blocks and tables with goldmark.
func (wide) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, code)
	r.Register(ast.KindCodeBlock, code)
	r.Register(tables.KindTable, table)
}

func code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if file := fileOf(node, source); file != "" {
		_, _ = w.WriteString(`<p class="file">` + file + `</p>`)
	}
	_, _ = w.WriteString(`<pre tabindex="0"><code>`)
	_, _ = w.Write(util.EscapeHTML(node.Lines().Value(source)))
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

func table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// fileOf returns the file name after the language of a code block, "" if there is none.
func fileOf(node ast.Node, source []byte) string {
	n, fenced := node.(*ast.FencedCodeBlock)
	if !fenced || n.Info == nil {
		return ""
	}
	_, file, _ := strings.Cut(string(n.Info.Value(source)), " ")
	return file
}
