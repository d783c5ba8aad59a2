// Package ui_test checks which packages of the page import which.
package ui_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allowedImports maps each package under ui to the packages under ui that it may import. A feature
// may import shared packages, but no other feature. Package app may import all packages. Test files
// are not checked.
var allowedImports = map[string]string{
	"app": "*",

	"jobs":     feature,
	"workload": feature + " plot",
	"machine":  feature,
	"policies": feature + " link plot",
	"charts":   feature + " link",
	"results":  feature + " plot",
	"explain":  feature + " plot",
	"lessons":  feature + " link lessons/lesson",
	"files":    feature + " link lessons/lesson",

	"experiments": feature,

	"session":             "browser document link protocol widgets",
	"session/sessiontest": "document protocol session",
	"widgets":             "protocol vugu/markup",
	"document":            "lessons/lesson plot protocol",
	"worker":              "lessons/lesson plot protocol",
	"worker/search":       "protocol worker",
	"protocol":            "",
	"link":                "",
	"lessons/lesson":      "",
	"glossary":            "",
	"plot":                "",
	"browser":             "",

	"vugu/generator": "",
	"vugu/markup":    "",
	"vugu/vjson":     "",
	"vugu/render":    "browser vugu/markup",
	"vugu/traps":     "browser vugu/markup",
	"vugu/traps/cmd": "browser vugu/render vugu/traps",
}

// feature lists the packages that every feature may import.
const feature = "session document widgets protocol browser glossary vugu/markup"

func TestLayers(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		dir := filepath.ToSlash(filepath.Dir(path))
		allowed, known := allowedImports[dir]
		require.True(t, known, "%s: say in this test what %s may import", path, dir)
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			imported, ours := strings.CutPrefix(name, "backfill-lab/ui/")
			if ours && allowed != "*" && !strings.Contains(" "+allowed+" ", " "+imported+" ") {
				t.Errorf("%s imports ui/%s, which this test does not allow", path, imported)
			}
		}
		return nil
	})
	require.NoError(t, err)
}
