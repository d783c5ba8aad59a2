package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const faulty = `package main

import (
	"fmt"
	"runtime/debug"
)

var table map[string]int

func deep(n int) int {
	if n == 0 {
		table["x"] = 1
	}
	return deep(n-1) + 1
}

func main() {
	defer func() {
		fmt.Println(recover())
		fmt.Println(string(debug.Stack()))
		var keep [][]byte
		for range 200 { // the collector walks stacks by the tables that stay
			keep = append(keep[:len(keep)/2], make([]byte, 1<<20))
		}
		fmt.Println("alive", len(keep) > 0)
	}()
	deep(5)
}
`

func TestProgramWithoutLinesRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	dir := t.TempDir()
	require.NoError(t, writeFile(filepath.Join(dir, "main.go"), []byte(faulty)))
	require.NoError(t, writeFile(filepath.Join(dir, "go.mod"), []byte("module faulty\n\ngo 1.26\n")))
	file := filepath.Join(dir, "faulty.wasm")
	require.NoError(t, compileWasm(dir, ".", file))
	full, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, stack(t, node, file), "main.go:")
	lined, err := shrink(full, true)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, lined, 0o644))
	require.Contains(t, stack(t, node, file), "main.go:")
	short, err := shrink(full, false)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, short, 0o644))
	said := stack(t, node, file)
	require.NotContains(t, said, "main.go")
	require.Contains(t, said, "main.deep(")
	require.Contains(t, said, "assignment to entry in nil map")
	require.Contains(t, said, "alive true")

	require.Less(t, packed(t, lined), packed(t, full)*96/100)
	require.Less(t, packed(t, short), packed(t, lined)*92/100)
}

func packed(t *testing.T, data []byte) int {
	t.Helper()
	out, err := gzipBest(data)
	require.NoError(t, err)
	return len(out)
}

func stack(t *testing.T, node, file string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	run := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	cmd := exec.Command(node, run, file)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func TestDropLinesRefusesOtherTables(t *testing.T) {
	require.ErrorIs(t, dropLines(nil), errNoTable)
	require.ErrorIs(t, dropLines([]byte(tableMagic)), errNoTable)
	require.ErrorIs(t, dropLines(append([]byte(tableMagic), bytes.Repeat([]byte{0xff}, 100)...)), errNoTable)
	require.ErrorIs(t, dropLines(append([]byte(tableMagic), bytes.Repeat([]byte{1}, 100)...)), errNoTable)
}
