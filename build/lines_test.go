package main

import (
	"bytes"
	"encoding/binary"
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
	"reflect"
	"runtime/debug"
	"time"
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
	defer func() {
		fmt.Println(recover())
		deep(5)
	}()
	reflect.ValueOf(time.Second).Method(0)
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
	require.Contains(t, said, "reflect.Value.Method is left out of this program")

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

func TestOtherTablesAreRefused(t *testing.T) {
	for _, drop := range []func([]byte) error{dropLines, dropFinder} {
		require.ErrorIs(t, drop(nil), errNoTable)
		require.ErrorIs(t, drop([]byte(tableMagic)), errNoTable)
		require.ErrorIs(t, drop(append([]byte(tableMagic), bytes.Repeat([]byte{0xff}, 100)...)), errNoTable)
		require.ErrorIs(t, drop(append([]byte(tableMagic), bytes.Repeat([]byte{1}, 100)...)), errNoTable)
		require.ErrorIs(t, drop(append([]byte(tableMagic), bytes.Repeat([]byte{0}, 400)...)), errNoTable)
	}
}

// A table whose functions are not numbered one after the other must be searched.
func TestFunctionsInAnotherOrderAreRefused(t *testing.T) {
	table := make([]byte, 96)
	binary.LittleEndian.PutUint64(table[8:], 3)
	binary.LittleEndian.PutUint64(table[64:], 72)
	for i, number := range []uint32{7, 8, 9} {
		binary.LittleEndian.PutUint32(table[72+8*i:], number)
	}
	require.True(t, inOrder(table, 3))
	require.False(t, inOrder(table, 2))
	table[80] = 9
	require.False(t, inOrder(table, 3))
}
