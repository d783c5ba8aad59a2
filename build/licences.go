package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// addLicences adds a file with the licences of the npm packages in each of the licensed scripts.
func addLicences(root string, _ target, a *assets) error {
	for _, name := range licensed {
		packages, err := packagesIn(root, name)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		for _, p := range packages {
			text, err := os.ReadFile(filepath.Join(browserDir(root), "node_modules", filepath.FromSlash(p), "LICENSE"))
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
