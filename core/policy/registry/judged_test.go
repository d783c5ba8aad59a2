package registry_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/registry"
)

// TestEveryPolicyIsJudged checks that each policy outside judge.ByName has tests that call
// judge.Run and policytest.Scenarios, and scenario files. They lie in the folder that has
// the name of the policy without hyphens.
func TestEveryPolicyIsJudged(t *testing.T) {
	for _, spec := range registry.All {
		if slices.Contains(judge.ByName, spec.Name) {
			continue
		}
		folder := strings.ReplaceAll(spec.Name, "-", "")
		judged, scenarios := 0, 0
		tests, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
		require.NoError(t, err)
		for _, path := range tests {
			judged += callsOf(t, path, "judge", "Run")
			scenarios += callsOf(t, path, "policytest", "Scenarios")
		}
		require.Positive(t, judged, "policy %s: core/policy/%s needs a test that calls judge.Run (see CONTRIBUTING.md)", spec.Name, folder)
		require.Positive(t, scenarios, "policy %s: core/policy/%s needs a test that calls policytest.Scenarios", spec.Name, folder)
		cases, err := filepath.Glob(filepath.Join("..", folder, "testdata", "*"))
		require.NoError(t, err)
		require.NotEmpty(t, cases, "policy %s: core/policy/%s/testdata needs scenario files with cases worked by hand", spec.Name, folder)
	}
}

// callsOf counts the calls of a function of a package in a file.
func callsOf(t *testing.T, path, pkg, function string) (n int) {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	ast.Inspect(f, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == function {
				if id, ok := sel.X.(*ast.Ident); ok && id.Name == pkg {
					n++
				}
			}
		}
		return true
	})
	return n
}
