package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// These are the sizes above which `build house` lists a function, a file or a type.
const (
	longFunction = 40  // lines
	longFile     = 350 // lines
	manyMethods  = 60
)

// codeMetrics holds the metrics that `build house` prints about the Go code and the markup in ui,
// wasm and build. Tests and generated files are not included.
type codeMetrics struct {
	fields, methods int            // fields and methods of the root component
	methodsOf       map[string]int // number of methods of each type; the key is "folder.Type"
	rootUses        int            // how often markup uses the root component, as c.App
	spacers         int            // number of empty elements that Vugu makes necessary next to lists

	// rootParams is the number of parameters that have the type of the root component. It counts
	// only functions in the package of the root component, and leaves out the methods of the root
	// component.
	rootParams int

	lines     int      // number of lines of Go code
	pairs     []string // pairs of files in the same folder whose names differ only by an inflection
	functions []string // functions with more than longFunction lines
	files     []string // files with more than longFile lines
}

// houseCommand returns the command that prints code metrics.
func houseCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "house",
		Short: "Print code metrics of ui/, wasm/ and build/",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := repoRoot()
			if err != nil {
				return err
			}
			h, err := measureCode(root)
			if err != nil {
				return err
			}
			h.print(cmd.OutOrStdout())
			return nil
		},
	}
}

// measureCode computes the metrics of the folders ui, wasm and build below root.
func measureCode(root string) (*codeMetrics, error) {
	h := &codeMetrics{methodsOf: map[string]int{}}
	names := map[string][]string{} // names of hand-written Go files, by folder
	for _, dir := range []string{"ui", "wasm", "build"} {
		err := walkFiles(root, dir, func(p string, _ fs.FileInfo) error {
			data, err := os.ReadFile(filepath.Join(root, p))
			if err != nil {
				return err
			}
			switch {
			case strings.HasSuffix(p, ".vugu"):
				h.addMarkup(string(data))
			case strings.HasSuffix(p, ".go") && !isTest(p) && !strings.HasSuffix(p, "_gen.go"):
				names[path.Dir(p)] = append(names[path.Dir(p)], strings.TrimSuffix(path.Base(p), ".go"))
				return h.addSource(p, data)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for dir, list := range names {
		for i, a := range list {
			for _, b := range list[i+1:] {
				if differByInflection(a, b) {
					h.pairs = append(h.pairs, path.Join(dir, a)+" and "+b)
				}
			}
		}
	}
	slices.Sort(h.pairs)
	return h, nil
}

// addMarkup adds the contents of a .vugu file to the metrics.
func (h *codeMetrics) addMarkup(text string) {
	h.rootUses += strings.Count(text, "c.App.")
	for _, s := range []string{` class="end"></`, "<span></span>"} {
		h.spacers += strings.Count(text, s)
	}
}

// addSource adds the contents of a Go file to the metrics.
func (h *codeMetrics) addSource(name string, data []byte) error {
	lines := strings.Count(string(data), "\n")
	h.lines += lines
	if lines > longFile {
		h.files = append(h.files, fmt.Sprintf("%s: %d lines", name, lines))
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, data, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	inRoot := path.Dir(name) == "ui/app"
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok && inRoot && t.Name.Name == "App" {
					if st, ok := t.Type.(*ast.StructType); ok {
						h.fields += st.Fields.NumFields()
					}
				}
			}
		case *ast.FuncDecl:
			h.addFunction(fset, name, d, inRoot)
		}
	}
	return nil
}

// addFunction adds a function to the metrics. The argument inRoot is true if the function is in the
// package of the root component.
func (h *codeMetrics) addFunction(fset *token.FileSet, file string, d *ast.FuncDecl, inRoot bool) {
	if n := fset.Position(d.End()).Line - fset.Position(d.Pos()).Line + 1; n > longFunction {
		h.functions = append(h.functions, fmt.Sprintf("%s: %s, %d lines", file, d.Name.Name, n))
	}
	if d.Recv != nil {
		h.methodsOf[path.Dir(file)+"."+typeName(d.Recv.List[0].Type)]++
	}
	if !inRoot {
		return
	}
	if d.Recv != nil && typeName(d.Recv.List[0].Type) == "App" {
		h.methods++
		return
	}
	for _, p := range d.Type.Params.List {
		if typeName(p.Type) == "App" {
			h.rootParams++
		}
	}
}

// typeName returns the name of a type. For a pointer type, it omits the star.
func typeName(t ast.Expr) string {
	return strings.TrimPrefix(types.ExprString(t), "*")
}

// differByInflection reports whether two file names are forms of the same word, such as share and
// sharing.
func differByInflection(a, b string) bool {
	return stem(a) == stem(b)
}

// stem returns a word without a plural or verb ending. For example, it returns decid for both
// decided and decision.
func stem(word string) string {
	word = strings.Replace(word, "ision", "idion", 1)
	for _, end := range []string{"ions", "ing", "ion", "ed", "er", "es", "s", "e"} {
		if s, ok := strings.CutSuffix(word, end); ok && len(s) >= 3 {
			return s
		}
	}
	return word
}

// print prints the metrics with their limits.
func (h *codeMetrics) print(w io.Writer) {
	say := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	say("root component: %d fields (limit 15), %d methods (limit 60)", h.fields, h.methods)
	say("parameters with the type of the root component: %d (limit 10)", h.rootParams)
	say("uses of c.App in markup: %d (limit 0)", h.rootUses)
	say("empty spacer elements: %d (limit 0)", h.spacers)
	say("hand-written Go without tests: %d lines (limit 18000)", h.lines)
	list := func(what string, all []string) {
		say("%s: %d", what, len(all))
		for _, x := range all {
			say("  %s", x)
		}
	}
	var large []string
	for _, name := range slices.Sorted(maps.Keys(h.methodsOf)) {
		if n := h.methodsOf[name]; n > manyMethods {
			large = append(large, fmt.Sprintf("%s: %d", name, n))
		}
	}
	list(fmt.Sprintf("types with more than %d methods", manyMethods), large)
	list("pairs of files whose names differ by an inflection", h.pairs)
	list(fmt.Sprintf("functions with more than %d lines", longFunction), h.functions)
	list(fmt.Sprintf("files with more than %d lines", longFile), h.files)
}
