package main

import (
	"bytes"
	"compress/gzip"
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
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return buf.Len()
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
	for _, mem := range []string{
		"",
		tableMagic,
		tableMagic + strings.Repeat("\xff", 100),
		tableMagic + strings.Repeat("\x01", 100),
		tableMagic + strings.Repeat("\x00", 400),
	} {
		_, err := readFunctions([]byte(mem))
		require.ErrorIs(t, err, errNoTable)
	}
}

// threeFunctions is a table with the numbers 7, 8, 9, names at 1, 5, 6 and nothing
// around it.
func threeFunctions(t *testing.T) *functions {
	t.Helper()
	whole := append([]byte("before: "+tableMagic), make([]byte, 300)...)
	mem := whole[8:]
	head := func(i, v int) { binary.LittleEndian.PutUint64(mem[8+8*i:], uint64(v)) }
	for i, v := range []int{3, 0, 0, 72, 73, 73, 74, 75} {
		head(i, v)
	}
	for i, name := range []uint32{1, 5, 6} {
		place := 28 + 50*i
		binary.LittleEndian.PutUint32(mem[75+8*i:], uint32(7+i))
		binary.LittleEndian.PutUint32(mem[75+8*i+4:], uint32(place))
		binary.LittleEndian.PutUint32(mem[75+place:], uint32(7+i))
		binary.LittleEndian.PutUint32(mem[75+place+nameAt:], name)
	}
	f, err := readFunctions(whole)
	require.NoError(t, err)
	return f
}

func TestDiffer(t *testing.T) {
	f := threeFunctions(t)
	require.NoError(t, f.differ())
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(f.mem[f.at+at:])) }
	for i, want := range []struct{ number, place, name int }{{7, 28, 1}, {0, 50, 4}, {0, 50, 1}} {
		place := 75 + 28 + 50*i
		require.Equal(t, []int{want.number, want.place}, []int{u32(75 + 8*i), u32(75 + 8*i + 4)})
		require.Equal(t, []int{0, want.name}, []int{u32(place), u32(place + nameAt)})
	}
}

// Functions that are not numbered one after the other must be searched.
func TestFunctionsInAnotherOrderAreRefused(t *testing.T) {
	f := threeFunctions(t)
	f.listed()[8] = 9
	require.ErrorIs(t, f.differ(), errNoTable)
	f = threeFunctions(t)
	f.known(1)[numberAt] = 9
	require.ErrorIs(t, f.differ(), errNoTable)
}

func TestFinderWithoutItsModuleIsRefused(t *testing.T) {
	f := threeFunctions(t)
	require.ErrorIs(t, f.dropFinder(), errNoTable)
	module := len(f.mem)
	f.mem = binary.LittleEndian.AppendUint64(f.mem, uint64(f.at))
	f.mem = binary.LittleEndian.AppendUint64(f.mem, uint64(f.at+f.names))
	f.mem = append(f.mem, make([]byte, 8*(moduleWords-2)+100)...)
	require.ErrorIs(t, f.dropFinder(), errNoTable)
	finder := module + 8*moduleWords
	word := func(i, v int) { binary.LittleEndian.PutUint64(f.mem[module+8*i:], uint64(v)) }
	word(findfunctabAt, finder)
	word(minpcAt, 0x70000)
	word(maxpcAt, 0x90004)
	copy(f.mem[finder:], "searched")
	f.mem = append(f.mem, make([]byte, 1000)...)
	require.NoError(t, f.dropFinder())
	require.Equal(t, make([]byte, 8), f.mem[finder:finder+8])
	word(maxpcAt, 0xa0004)
	require.ErrorIs(t, f.dropFinder(), errNoTable)
}
