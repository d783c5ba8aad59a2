package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// instead are files of the standard library that the program is compiled without,
// and what stands in their place.
var instead = map[string]string{
	"src/html/entity.go":              noEntities,
	"src/internal/godebug/godebug.go": noSettings,
}

// Vugu escapes texts with package html, which also knows the 2231 names of
// characters that only html.UnescapeString asks for: 20 KB of the download.
const noEntities = `package html

const longestEntityWithoutSemicolon = 6

func entityMaps() (map[string]rune, map[string][2]rune) { return nil, nil }
`

// Packages time and math/rand ask for settings of the environment variable GODEBUG.
// A page has no environment, so the answer is always the default; reading and
// counting settings, and the metrics that the count links, are 30 KB of the download.
const noSettings = `package godebug

type Setting struct{ name string }

func New(name string) *Setting { return &Setting{name} }

func (s *Setting) Name() string       { return s.name }
func (s *Setting) Undocumented() bool { return false }
func (s *Setting) String() string     { return s.name + "=" }
func (s *Setting) Value() string      { return "" }
func (s *Setting) IncNonDefault()     {}
`

// sortOnce are files that make package slices sort everything by one copy of its
// algorithm, instead of one for each type: 40 KB of the download. The copy is that
// of package sort, made by the library from the same template, so it compares and
// swaps the same places, and equal elements end where they did.
var sortOnce = map[string]string{
	"src/slices/zsortordered.go": `package slices

import "cmp"

func pdqsortOrdered[E cmp.Ordered](data []E, a, b, limit int) {
	pdqsort_func(lessSwap{
		func(i, j int) bool { return cmp.Less(data[i], data[j]) },
		func(i, j int) { data[i], data[j] = data[j], data[i] },
	}, a, b, limit)
}
`,
	"src/slices/zsortanyfunc.go": `package slices

type lessSwap struct {
	Less func(i, j int) bool
	Swap func(i, j int)
}

func swapping[E any](data []E, cmp func(a, b E) int) lessSwap {
	return lessSwap{
		func(i, j int) bool { return cmp(data[i], data[j]) < 0 },
		func(i, j int) { data[i], data[j] = data[j], data[i] },
	}
}

func pdqsortCmpFunc[E any](data []E, a, b, limit int, cmp func(a, b E) int) {
	pdqsort_func(swapping(data, cmp), a, b, limit)
}

func stableCmpFunc[E any](data []E, n int, cmp func(a, b E) int) {
	stable_func(swapping(data, cmp), n)
}

`,
}

// withoutFiles is what makes package fmt print without package os, which links
// files, their errors, pipes and processes: 22 KB of the download. What is printed
// goes where panics go, to the browser's console.
var withoutFiles = map[string]*strings.Replacer{
	"src/fmt/print.go": strings.NewReplacer("\t\"os\"\n", "", "os.Stdout", "console{}", "\n// Printf formats", `
type console struct{}

func (console) Write(text []byte) (int, error) {
	print(string(text))
	return len(text), nil
}

func (console) Read([]byte) (int, error) { return 0, io.EOF }

// Printf formats`),
	"src/fmt/scan.go": strings.NewReplacer("\t\"os\"\n", "", "os.Stdin", "console{}"),
}

// replaced is all files of the library that the program is compiled without, and
// what stands in their place.
func replaced(goroot string) (map[string]string, error) {
	algorithm, err := os.ReadFile(filepath.Join(goroot, "src", "sort", "zsortfunc.go"))
	if err != nil {
		return nil, err
	}
	_, algorithm, _ = bytes.Cut(algorithm, []byte("\npackage sort\n"))
	all, err := switchedOff(goroot)
	if err != nil {
		return nil, err
	}
	for name, text := range instead {
		all[name] = text
	}
	for name, text := range sortOnce {
		all[name] = text
	}
	all["src/slices/zsortanyfunc.go"] += string(algorithm)
	for name, edit := range withoutFiles {
		text, err := os.ReadFile(filepath.Join(goroot, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		all[name] = edit.Replace(string(text))
	}
	return all, nil
}

// writeOverlay writes what `go build -overlay` needs into dir. It is empty for a
// toolchain whose library may be another.
func writeOverlay(goroot, dir string) (string, error) {
	if !knownToolchain() {
		return "", nil
	}
	library, err := replaced(goroot)
	if err != nil {
		return "", err
	}
	files := map[string]string{}
	for name, text := range library {
		file := filepath.Join(goroot, filepath.FromSlash(name))
		if _, err := os.Stat(file); err != nil {
			return "", err
		}
		files[file] = filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(files[file], []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o644)
}
