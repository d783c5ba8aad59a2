package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// vuguHooks are methods that Vugu calls by itself, Compute before every render. A
// button's handler of such a name would run unasked.
var vuguHooks = []string{"Init", "Compute", "Rendered", "Destroy"}

// refuseHooks fails when a component of the folder has a method of such a name.
func refuseHooks(dir string, markup []string) error {
	var components []string
	for _, f := range markup {
		components = append(components, strings.TrimSuffix(filepath.Base(f), ".vugu"))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && slices.Contains(vuguHooks, fn.Name.Name) && slices.Contains(components, receiver(fn)) {
				return fmt.Errorf("%s: Vugu calls %s.%s by itself on renders; choose another name", filepath.Base(f), receiver(fn), fn.Name.Name)
			}
		}
	}
	return nil
}

// receiver is the name of the type a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return ""
	}
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
