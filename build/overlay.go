package main

import (
	"encoding/json"
	"os"
	"path/filepath"
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

// writeOverlay writes what `go build -overlay` needs into dir. It is empty for a
// toolchain whose library may be another.
func writeOverlay(goroot, dir string) (string, error) {
	if !knownToolchain() {
		return "", nil
	}
	files := map[string]string{}
	for name, text := range instead {
		file := filepath.Join(goroot, filepath.FromSlash(name))
		if _, err := os.Stat(file); err != nil {
			return "", err
		}
		files[file] = filepath.Join(dir, filepath.Base(name))
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
