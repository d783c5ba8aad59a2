package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// inputs are the places a site is made of.
var inputs = []string{"core", "ui", "wasm", "public", "docs", "build", "index.html", "CONTRIBUTING.md", "go.mod", "go.sum"}

// fingerprint is a short text that changes whenever an input of the site does.
// Names, sizes and times are enough: this only saves work, `site` never asks.
func fingerprint(root string, t target) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), t.pkg, t.lines, t.quick)
	for _, in := range inputs {
		err := walkFiles(root, in, func(p string, info fs.FileInfo) error {
			if isInput(p) {
				fmt.Fprintln(h, p, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// isInput leaves out tests, what the build writes, and generated Go (its .vugu
// file counts instead). The lock file says which packer and decoder there are.
func isInput(p string) bool {
	if strings.HasPrefix(p, "build/") {
		ours := strings.HasPrefix(p, "build/docs/") || filepath.Ext(p) == ".go" && strings.Count(p, "/") == 1
		return p == "build/browser/package-lock.json" || ours && !isTest(p)
	}
	return !isTest(p) && !strings.HasSuffix(p, "_gen.go")
}

func stampPath(root string, t target) string {
	name := strings.NewReplacer("/", "-", "\\", "-").Replace(t.out)
	return filepath.Join(root, "build", "cache", name+".stamp")
}

// ensureSite builds the site when it is missing or older than its inputs.
func ensureSite(root string, t target) error {
	print, err := fingerprint(root, t)
	if err != nil {
		return err
	}
	stamp, _ := os.ReadFile(stampPath(root, t))
	_, err = os.Stat(filepath.Join(root, filepath.FromSlash(t.out), "index.html"))
	if err == nil && bytes.Equal(stamp, []byte(print)) {
		return nil
	}
	fmt.Println("building the site ...")
	return buildSite(root, t)
}
