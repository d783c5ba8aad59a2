package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// addLicences adds one file for each script in licensed. The file contains the licences of the npm
// packages that are part of the script.
func addLicences(root string, _ target, a *assets) error {
	for _, name := range licensed {
		packages, err := packagesIn(root, name)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		for _, p := range packages {
			text, err := licenceOf(filepath.Join(browserDir(root), "node_modules", filepath.FromSlash(p)))
			if err != nil {
				return fmt.Errorf("the licence of %s: %w", p, err)
			}
			fmt.Fprintf(&out, "%s\n\n%s\n\n", p, bytes.TrimSpace(text))
		}
		if err := a.write(strings.TrimSuffix(strings.TrimPrefix(name, "public/"), ".js")+".LICENSE", out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// licenceOf returns the licence of the npm package in a folder. If the package contains no file LICENSE,
// it returns the comment about licences at the beginning of the package's script.
func licenceOf(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
	if !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil, err
	}
	var about struct{ Main string }
	if err := json.Unmarshal(data, &about); err != nil {
		return nil, err
	}
	script, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(about.Main)))
	if err != nil {
		return nil, err
	}
	notice, _, ended := bytes.Cut(script, []byte("*/"))
	if !ended || !bytes.HasPrefix(notice, []byte("/*!")) {
		return nil, fmt.Errorf("expected a file LICENSE, or a comment about licences at the beginning of %s", about.Main)
	}
	return notice[len("/*!"):], nil
}

// npmInput matches the path of a file in an npm package. Its group matches the name of the package.
var npmInput = regexp.MustCompile(`node_modules/((?:@[^/]+/)?[^/]+)/`)

// packagesIn returns the names of the npm packages that a script contains, sorted.
func packagesIn(root, name string) ([]string, error) {
	options := bundleOptions(root, name, false)
	options.Metafile = true
	built := api.Build(options)
	if len(built.Errors) > 0 {
		return nil, fmt.Errorf("%s: %s", name, built.Errors[0].Text)
	}
	var meta struct {
		Outputs map[string]struct {
			Inputs map[string]struct{ BytesInOutput int }
		}
	}
	if err := json.Unmarshal([]byte(built.Metafile), &meta); err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, out := range meta.Outputs {
		for input, size := range out.Inputs {
			if all := npmInput.FindAllStringSubmatch(input, -1); all != nil && size.BytesInOutput > 0 {
				found[all[len(all)-1][1]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}
