package generator

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

const markupPath = "backfill-lab/ui/vugu/markup"

// slim shortens the code that Vugu's generator wrote. For every node, that code has a literal and a
// call, which add about 1 KB to the program. A function of ui/vugu/markup does the same in one call.
//
// slim also drops white space with a line break between two tags, as JSX does, because such white
// space only indents the markup. To keep a space between two tags, write them on one line. slim drops
// loop keys that no component uses. It also drops unused imports; the import `log` alone would add the
// code that formats dates. An element of a loop with a vg-key becomes a row of ui/vugu/markup, which is
// built only if its key has changed.
//
// slim finds the places to change in the syntax tree. It leaves all other code unchanged, including
// code of an unexpected form.
func slim(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := slimmer{src: src, base: fset.File(f.Pos()).Base()}
	ast.Inspect(f, s.visit)
	if len(s.edits) > 0 {
		s.replace(f.Name.End(), f.Name.End(), "\n\nimport "+strconv.Quote(markupPath))
	}
	out, err := s.apply()
	if err != nil {
		return nil, err
	}
	if out, err = dropImports(out); err != nil {
		return nil, err
	}
	return format.Source(out)
}

// edit replaces the bytes of the source from `from` up to `to` by a text.
type edit struct {
	from, to int
	text     string
}

// slimmer collects the edits of one file.
type slimmer struct {
	src       []byte // the source of the file
	base      int    // position of the first byte of src in the token.FileSet
	edits     []edit
	keepSpace []ast.Node // blocks in which white space is significant
}

// replace records an edit.
func (s *slimmer) replace(from, to token.Pos, text string) {
	s.edits = append(s.edits, edit{int(from) - s.base, int(to) - s.base, text})
}

// code returns the source text of a node.
func (s *slimmer) code(n ast.Node) string {
	return string(s.src[int(n.Pos())-s.base : int(n.End())-s.base])
}

// apply returns the source with all recorded edits applied.
func (s *slimmer) apply() ([]byte, error) {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range s.edits {
		if e.from < at {
			return nil, fmt.Errorf("two edits of the generated code overlap at byte %d", e.from)
		}
		out = append(append(out, s.src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, s.src[at:]...), nil
}

// visit records the edits for one node of the syntax tree.
func (s *slimmer) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.RangeStmt:
		s.shortenLoop(n)
	case *ast.BlockStmt:
		s.fillGaps(n)
		for i := 0; i < len(n.List); {
			i += max(1, s.shortenStatements(n.List[i:]))
		}
	}
	return true
}

// fillGaps adds an empty text node to an element wherever a conditional shows nothing, and after a
// list at the end of the element. Vugu matches old and new children by position. Without these
// nodes, it would create all later siblings anew, and a field among them would lose the focus. Vugu
// would also still show the old children of an element that has become empty.
func (s *slimmer) fillGaps(b *ast.BlockStmt) {
	if !s.isChildren(b) {
		return
	}
	const empty = "markup.Text(vgparent, \"\")\n"
	for _, st := range b.List {
		if i, ok := st.(*ast.IfStmt); ok && i.Else == nil {
			s.replace(i.End(), i.End(), " else {\n"+empty+"}")
		}
	}
	end := len(b.List)
	for end >= 2 && s.isIndentation(b.List[end-2:end]) {
		end -= 2
	}
	if _, ok := b.List[end-1].(*ast.RangeStmt); ok {
		s.replace(b.Rbrace, b.Rbrace, empty)
	}
}

// isIndentation reports whether two statements add a text node that only indents the markup.
func (s *slimmer) isIndentation(list []ast.Stmt) bool {
	node, ok := s.literal(list[0])
	if !ok || node["Data"] == nil || s.code(list[1]) != "vgparent.AppendChild(vgn)" {
		return false
	}
	pos := node["Data"].Pos()
	for _, n := range s.keepSpace {
		if n.Pos() <= pos && pos < n.End() {
			return false
		}
	}
	text := stringValue(node["Data"])
	return strings.TrimSpace(text) == "" && strings.Contains(text, "\n")
}

// shortenStatements shortens the statements at the start of the list and returns how many of them it has handled.
func (s *slimmer) shortenStatements(list []ast.Stmt) int {
	if b, ok := list[0].(*ast.BlockStmt); ok {
		return s.shortenProperty(b)
	}
	if len(list) >= 3 && s.shortenComponent(list) {
		return 3
	}
	if len(list) >= 2 && s.shortenNode(list) {
		return 2
	}
	return s.shortenEvent(list[0])
}

// shortenNode shortens the statement `vgn = &vugu.VGNode{...}` and the call that adds the node to its parent. It
// returns false if the list begins with other statements.
func (s *slimmer) shortenNode(list []ast.Stmt) bool {
	node, ok := s.literal(list[0])
	if !ok {
		return false
	}
	text := ""
	switch args, kind := s.nodeArgs(node); {
	case s.isIndentation(list[:2]):
	case kind == 3 && s.code(list[1]) == "vgparent.AppendChild(vgn)":
		text = "markup.Element(vgparent, " + args + ")"
		if len(list) > 2 && s.belongsToNode(list[2]) {
			text = "vgn = " + text
		}
	case kind == 3 && s.code(list[1]) == "vgout.Out = append(vgout.Out, vgn)":
		text = "vgn = markup.Root(vgout, " + args + ")\n_ = vgn" // the variable is unused if there are no children
	case kind == 1 && s.code(list[1]) == "vgparent.AppendChild(vgn)":
		text = "markup.Text(vgparent, " + args + ")"
	default:
		return false
	}
	if name := stringValue(node["Data"]); name == "pre" || name == "textarea" {
		for _, n := range list[2:] {
			if !s.belongsToNode(n) {
				break
			}
			s.keepSpace = append(s.keepSpace, n)
		}
	}
	s.replace(list[0].Pos(), list[1].End(), text)
	return true
}

// belongsToNode reports whether a statement belongs to the previous node: it sets a field of the
// node or adds its children.
func (s *slimmer) belongsToNode(st ast.Stmt) bool {
	if b, ok := st.(*ast.BlockStmt); ok && s.isProperty(b) {
		return true
	}
	return s.isChildren(st) || strings.HasPrefix(s.code(st), "vgn.")
}

// isChildren reports whether a statement is the block that adds the children of a node.
func (s *slimmer) isChildren(st ast.Stmt) bool {
	b, ok := st.(*ast.BlockStmt)
	return ok && len(b.List) > 0 && s.code(b.List[0]) == "vgparent := vgn"
}

// literal returns the fields of the literal in `vgn = &vugu.VGNode{...}`.
func (s *slimmer) literal(st ast.Stmt) (map[string]ast.Expr, bool) {
	a, ok := st.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || s.code(a.Lhs[0]) != "vgn" {
		return nil, false
	}
	p, ok := a.Rhs[0].(*ast.UnaryExpr)
	if !ok || p.Op != token.AND {
		return nil, false
	}
	return s.members(p.X, "vugu.VGNode")
}

// members returns the fields of a struct literal of type typ. It accepts a literal without a type.
func (s *slimmer) members(e ast.Expr, typ string) (map[string]ast.Expr, bool) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok || lit.Type != nil && s.code(lit.Type) != typ {
		return nil, false
	}
	m := map[string]ast.Expr{}
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return nil, false
		}
		m[s.code(kv.Key)] = kv.Value
	}
	return m, true
}

// nodeArgs returns the arguments for a node: its name and attributes, or its text. It also returns
// the kind of the node: 1 for text, 3 for an element, and 0 for any other node.
func (s *slimmer) nodeArgs(node map[string]ast.Expr) (string, int) {
	data, ok := node["Data"].(*ast.BasicLit)
	if !ok {
		return "", 0
	}
	kind := 0
	for field, value := range node {
		switch field {
		case "Type":
			kind, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(s.code(value), "vugu.VGNodeType("), ")"))
		case "Namespace":
			if s.code(value) != `""` {
				return "", 0
			}
		case "Data", "Attr":
		default:
			return "", 0
		}
	}
	attrs, ok := s.attrs(node["Attr"])
	if !ok || kind == 1 && attrs != "" {
		return "", 0
	}
	return data.Value + attrs, kind
}

// attrs returns the attributes in `[]vugu.VGAttribute{...}` as further arguments.
func (s *slimmer) attrs(e ast.Expr) (string, bool) {
	if e == nil || s.code(e) == "[]vugu.VGAttribute(nil)" {
		return "", true
	}
	list, ok := e.(*ast.CompositeLit)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for _, el := range list.Elts {
		a, ok := s.members(el, "vugu.VGAttribute")
		if !ok || a["Key"] == nil || a["Val"] == nil || a["Namespace"] != nil && s.code(a["Namespace"]) != `""` {
			return "", false
		}
		fmt.Fprintf(&b, ", %s, %s", s.code(a["Key"]), s.code(a["Val"]))
	}
	return b.String(), true
}

// stringValue returns the value of a string literal.
func stringValue(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)
	return text
}
