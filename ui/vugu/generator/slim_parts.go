package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// shortenProperty shortens the block that sets a property:
//
//	{ b, err := vjson.Marshal(X); if err != nil { panic(err) }; vgn.Prop = append(...) }
//
// It returns the number of shortened statements: 1, or 0 if the block does something else.
func (s *slimmer) shortenProperty(b *ast.BlockStmt) int {
	name, value, ok := s.propertyParts(b)
	if !ok {
		return 0
	}
	s.replace(b.Pos(), b.End(), "markup.Property(vgn, "+s.code(name)+", "+s.code(value)+")")
	return 1
}

func (s *slimmer) isProperty(b *ast.BlockStmt) bool {
	_, _, ok := s.propertyParts(b)
	return ok
}

// propertyParts returns the name and the value in a block that sets a property.
func (s *slimmer) propertyParts(b *ast.BlockStmt) (name, value ast.Expr, ok bool) {
	if len(b.List) != 3 {
		return nil, nil, false
	}
	values, ok1 := s.call(b.List[0], "b, err", "vjson.Marshal", 1)
	prop, ok2 := s.call(b.List[2], "vgn.Prop", "append", 2)
	if !ok1 || !ok2 {
		return nil, nil, false
	}
	m, ok := s.members(prop[1], "vugu.VGProperty")
	if !ok || m["Key"] == nil || m["JSONVal"] == nil || s.code(m["JSONVal"]) != "vjson.RawMessage(b)" {
		return nil, nil, false
	}
	return m["Key"], values[0], true
}

// shortenEvent shortens the statement `vgn.DOMEventHandlerSpecList = append(...)`. It returns the number of shortened
// statements: 1, or 0 if st is another statement.
func (s *slimmer) shortenEvent(st ast.Stmt) int {
	args, ok := s.call(st, "vgn.DOMEventHandlerSpecList", "append", 2)
	if !ok {
		return 0
	}
	m, ok := s.members(args[1], "vugu.DOMEventHandlerSpec")
	if !ok || len(m) != 2 || m["EventType"] == nil || m["Func"] == nil {
		return 0
	}
	s.replace(st.Pos(), st.End(), "markup.On(vgn, "+s.code(m["EventType"])+", "+s.code(m["Func"])+")")
	return 1
}

// shortenComponent shortens the three statements that add a component. It returns false if the list begins with other
// statements.
func (s *slimmer) shortenComponent(list []ast.Stmt) bool {
	if s.code(list[0]) != "vgout.Components = append(vgout.Components, vgcomp)" {
		return false
	}
	node, ok := s.literal(list[1])
	if !ok || len(node) != 1 || node["Component"] == nil || s.code(list[2]) != "vgparent.AppendChild(vgn)" {
		return false
	}
	s.replace(list[0].Pos(), list[2].End(), "markup.Component(vgout, vgparent, "+s.code(node["Component"])+")")
	return true
}

// call returns the arguments of the call in `left = fn(...)` or `left := fn(...)`. It returns false if the
// statement st has another form, or if the number of arguments is not args.
func (s *slimmer) call(st ast.Stmt, left, fn string, args int) ([]ast.Expr, bool) {
	a, ok := st.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return nil, false
	}
	var names []string
	for _, l := range a.Lhs {
		names = append(names, s.code(l))
	}
	c, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || strings.Join(names, ", ") != left || s.code(c.Fun) != fn || len(c.Args) != args {
		return nil, false
	}
	return c.Args, true
}

// shortenLoop removes the key that Vugu's generator defines in each loop. It keeps the key if the loop
// contains components, which use it. If the element of the loop has a vg-key, shortenLoop makes it a
// row of package markup.
func (s *slimmer) shortenLoop(r *ast.RangeStmt) {
	key, ok := iterKey(r)
	if !ok || s.code(r.Body.List[1]) != "_ = vgiterkey" || usesKey(r.Body.List[2:]) {
		return
	}
	end := r.Body.List[1].End()
	if len(r.Body.List) > 2 {
		end = r.Body.List[2].Pos()
	}
	text := ""
	if id, ok := key.(*ast.Ident); !ok { // the key is a vg-key, which determines what the element shows
		text = "markup.Row(vgparent, " + s.code(key) + ", func(vgparent *vugu.VGNode) {\n"
		s.replace(r.Body.Rbrace, r.Body.Rbrace, "})\n")
	} else if id.Name == "vgiterkeyt" {
		s.replace(r.Key.Pos(), r.Key.End(), "_")
	}
	s.replace(r.Body.List[0].Pos(), end, text)
}

// iterKey returns the expression X in the statement `var vgiterkey interface{} = X` of a loop. It returns
// false if there is no such statement, or if X contains a call, which might have side effects.
func iterKey(r *ast.RangeStmt) (ast.Expr, bool) {
	if len(r.Body.List) < 2 {
		return nil, false
	}
	d, ok := r.Body.List[0].(*ast.DeclStmt)
	if !ok {
		return nil, false
	}
	v, ok := d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	if !ok || len(v.Values) != 1 || v.Names[0].Name != "vgiterkey" {
		return nil, false
	}
	plain := true
	ast.Inspect(v.Values[0], func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		plain = plain && !call
		return true
	})
	return v.Values[0], plain
}

// usesKey reports whether statements use the key of the surrounding loop. It skips inner
// loops that have their own key.
func usesKey(list []ast.Stmt) bool {
	found := false
	for _, st := range list {
		ast.Inspect(st, func(n ast.Node) bool {
			if r, ok := n.(*ast.RangeStmt); ok {
				if _, own := iterKey(r); own {
					return false
				}
			}
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == "vgiterkey"
			return true
		})
	}
	return found
}

// dropImports removes unused imports. It also removes the lines `var _ pkg.Name` at the end, which
// suppress the errors about unused imports.
func dropImports(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s := slimmer{src: src, base: fset.File(f.Pos()).Base()}
	kept := map[string]bool{} // names of packages that lines `var _` keep
	used := map[string]bool{}
	for _, d := range f.Decls {
		if name := keptPackage(d); name != "" {
			kept[name] = true
			s.replace(d.Pos(), d.End(), "")
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT || g.Lparen.IsValid() {
			continue
		}
		if name := importName(g.Specs[0].(*ast.ImportSpec)); kept[name] && !used[name] {
			s.replace(d.Pos(), d.End(), "")
		}
	}
	for _, c := range f.Comments {
		if c.Text() == "'fix' unused imports\n" {
			s.replace(c.Pos(), c.End(), "")
		}
	}
	return s.apply()
}

// keptPackage returns pkg for a declaration `var _ pkg.Name`, "" for any other declaration.
func keptPackage(d ast.Decl) string {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
		return ""
	}
	v := g.Specs[0].(*ast.ValueSpec)
	sel, ok := v.Type.(*ast.SelectorExpr)
	if !ok || len(v.Names) != 1 || v.Names[0].Name != "_" || len(v.Values) != 0 {
		return ""
	}
	if id, ok := sel.X.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// importName returns the name by which a file refers to an imported package.
func importName(i *ast.ImportSpec) string {
	if i.Name != nil {
		return i.Name.Name
	}
	p, _ := strconv.Unquote(i.Path.Value)
	return path.Base(p)
}
