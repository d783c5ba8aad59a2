package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Vugu escapes texts with package html, which also knows the 2231 names of
// characters that only html.UnescapeString asks for: 20 KB of the download.
const (
	entitiesFile  = "src/html/entity.go"
	entitiesStart = "var entityMaps = sync.OnceValues("
	noEntities    = `package html

const longestEntityWithoutSemicolon = 6

func entityMaps() (map[string]rune, map[string][2]rune) { return nil, nil }
`
)

// withoutEntities writes what `go build -overlay` needs to compile html without
// the names, into dir. It is empty for a toolchain that keeps them elsewhere.
func withoutEntities(goroot, dir string) (string, error) {
	file := filepath.Join(goroot, filepath.FromSlash(entitiesFile))
	src, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(src, []byte(entitiesStart)) {
		return "", nil
	}
	instead := filepath.Join(dir, "entity.go")
	if err := os.WriteFile(instead, []byte(noEntities), 0o644); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{file: instead}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o644)
}
