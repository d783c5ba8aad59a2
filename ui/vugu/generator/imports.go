package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// features is the import path under which each feature of the page has its folder.
const features = "backfill-lab/ui/"

var componentTag = regexp.MustCompile(`<([a-z]+):[A-Z]\w*`)

// importFeatures imports the packages that the component tags of markup name, such as
// jobs for <jobs:Panel>. Vugu leaves that to Go code within markup, which this project
// does not use.
func importFeatures(markup, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	named := map[string]bool{}
	for _, tag := range componentTag.FindAllSubmatch(markup, -1) {
		if name := string(tag[1]); used[name] {
			named[name] = true
		}
	}
	s := slimmer{src: src, base: fset.File(f.Pos()).Base()}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		s.replace(f.Name.End(), f.Name.End(), "\n\nimport "+strconv.Quote(features+name))
	}
	return s.apply()
}
