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

// TestEveryPolicyIsJudged checks that each policy outside judge.WithOwnTests has scenario files,
// and tests that call judge.Run and policytest.Scenarios. The folder of these tests and files is
// named after the policy, without hyphens.
func TestEveryPolicyIsJudged(t *testing.T) {
	for _, spec := range registry.All {
		if !slices.Contains(judge.WithOwnTests, spec.Name) {
			require.Empty(t, missingTests(t, spec.Name), "core/policy/%s (see CONTRIBUTING.md)", folderOf(spec.Name))
		}
	}
	require.Equal(t, []string{"policytest.Scenarios", "testdata"}, missingTests(t, "first-fit"), "its scenario files are in policytest/testdata")
	require.Contains(t, missingTests(t, "fcfs"), "judge.Run")
}

// folderOf returns the folder of a policy in core/policy.
func folderOf(policy string) string { return strings.ReplaceAll(policy, "-", "") }

// missingTests lists the parts that the folder of a policy lacks: the calls judge.Run and
// policytest.Scenarios in its tests, or scenario files in testdata.
func missingTests(t *testing.T, policy string) (missing []string) {
	folder := filepath.Join("..", folderOf(policy))
	tests, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	require.NoError(t, err)
	for _, call := range []string{"judge.Run", "policytest.Scenarios"} {
		pkg, function, _ := strings.Cut(call, ".")
		if !slices.ContainsFunc(tests, func(path string) bool { return callsOf(t, path, pkg, function) > 0 }) {
			missing = append(missing, call)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "testdata", "*"))
	require.NoError(t, err)
	if len(files) == 0 {
		missing = append(missing, "testdata")
	}
	return missing
}

// callsOf counts the calls of the function pkg.function in the file at path.
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
