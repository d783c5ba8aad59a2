package docs

import (
	"bytes"
	"errors"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown converts Markdown, including tables, to HTML. It gives ids to headings.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(scrollable{}, 100))),
)

// parse converts the Markdown of a page, and sets the title, the sections, the body and the search
// entries of the page. It returns the links below each heading of level 2.
func (p *Page) parse(source []byte) ([]Part, error) {
	doc := markdown.Parser().Parse(text.NewReader(source))
	r := reader{source: source, page: p}
	if err := ast.Walk(doc, r.visit); err != nil {
		return nil, err
	}
	if p.Title == "" {
		return nil, errors.New("expected a heading of level 1")
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, doc); err != nil {
		return nil, err
	}
	p.Body = template.HTML(out.String()) // safe, because the HTML comes from files of this project
	return r.parts, nil
}

// reader walks through the syntax tree of a page. It gives ids to code in tables, converts links to
// other pages and to files of the site, and collects headings, links and search entries.
type reader struct {
	source  []byte // Markdown text of the page
	page    *Page
	parts   []Part // headings of level 2, with the links below them
	id      string // id of the current heading; empty below the title
	heading string // text of the current heading
}

// visit processes one node of the syntax tree.
func (r *reader) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Heading:
		r.addHeading(n)
	case *ast.Link:
		r.addLink(n)
	case *ast.Paragraph, *ast.TextBlock, *ast.FencedCodeBlock, *ast.CodeBlock:
		r.page.addEntry(r.id, r.heading, r.plainText(n))
	case *tables.TableRow:
		r.addRow(n)
	}
	return ast.WalkContinue, nil
}

// addHeading sets the title of the page to a heading of level 1. A heading of level 2 becomes a
// section of the page. Every heading becomes a search entry.
func (r *reader) addHeading(n *ast.Heading) {
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	r.id, r.heading = string(name), r.plainText(n)
	switch n.Level {
	case 1:
		r.page.Title, r.id = r.heading, ""
	case 2:
		r.page.Sections = append(r.page.Sections, Section{r.id, r.heading})
		r.parts = append(r.parts, Part{Title: r.heading})
	}
	r.page.addEntry(r.id, r.heading, "")
}

// addLink converts the address of a link to the address in the site. A link to another page is also
// added to the list of links below the last heading of level 2.
func (r *reader) addLink(n *ast.Link) {
	to, anchor, _ := strings.Cut(string(n.Destination), "#")
	if public, ok := strings.CutPrefix(to, "../public/"); ok {
		n.Destination = []byte("../" + public)
	}
	name, isPage := strings.CutSuffix(to, ".md")
	if !isPage || strings.Contains(to, ":") {
		return
	}
	if last := len(r.parts) - 1; last >= 0 {
		r.parts[last].Links = append(r.parts[last].Links, Link{name, r.plainText(n)})
	}
	n.Destination = []byte(name + ".html")
	if anchor != "" {
		n.Destination = append(n.Destination, "#"+anchor...)
	}
}

// addRow gives an id to each code span in the first cell of a table row, so that links can lead to
// it. The id consists of the id of the heading and the code, such as the name of a knob.
func (r *reader) addRow(n *tables.TableRow) {
	first := ""
	for c := n.FirstChild().FirstChild(); c != nil; c = c.NextSibling() {
		code := c
		if link, ok := c.(*ast.Link); ok {
			code = link.FirstChild()
		}
		if code.Kind() != ast.KindCodeSpan {
			continue
		}
		id := slug(r.plainText(code))
		if r.id != "" {
			id = r.id + "-" + id
		}
		code.SetAttributeString("id", []byte(id))
		if first == "" {
			first = id
		}
	}
	r.page.addEntry(first, r.heading, r.plainText(n))
}

// slug returns the first word of a text as an id, such as "in" for "-in FILE" and "at" for "at=T".
func slug(s string) string {
	s = strings.TrimLeft(s, "-\"")
	if end := strings.IndexAny(s, " =\""); end > 0 {
		s = s[:end]
	}
	return s
}

// plainText returns the text of a node, without markup.
func (r *reader) plainText(n ast.Node) string {
	var b strings.Builder
	if n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock {
		return string(n.Lines().Value(r.source))
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(util.ResolveEntityNames(util.UnescapePunctuations(c.Value(r.source))))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *tables.TableCell:
			b.WriteString(r.plainText(c) + " ")
		default:
			b.WriteString(r.plainText(c))
		}
	}
	return b.String()
}

// scrollable renders code blocks and tables so that each can be scrolled on its own, because they
// can be wider than a small screen. For scrolling with the keyboard, they can be focused. If a code
// block names a file after its language, the file name appears above the block.
type scrollable struct{}

// RegisterFuncs tells goldmark to use the functions of this package for code blocks and tables.
func (scrollable) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindCodeBlock, renderCode)
	r.Register(tables.KindTable, renderTable)
}

// renderCode renders a code block, with its file name above it.
func renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if file := codeFileName(node, source); file != "" {
		_, _ = w.WriteString(`<p class="file">` + file + `</p>`)
	}
	_, _ = w.WriteString(`<pre tabindex="0"><code>`)
	_, _ = w.Write(util.EscapeHTML(node.Lines().Value(source)))
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}

// renderTable renders the beginning or the end of a table.
func renderTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// codeFileName returns the file name after the language of a code block, or "" if there is none.
func codeFileName(node ast.Node, source []byte) string {
	n, fenced := node.(*ast.FencedCodeBlock)
	if !fenced || n.Info == nil {
		return ""
	}
	_, file, _ := strings.Cut(string(n.Info.Value(source)), " ")
	return file
}
