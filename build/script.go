package main

import (
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// shippedScript is a hand-written script as it is shipped: without comments and
// white space, in shorter syntax, with short names inside of functions. Those that
// other scripts call stay.
func shippedScript(name, source string) ([]byte, error) {
	out := api.Transform(source, api.TransformOptions{
		Sourcefile:        name,
		Loader:            api.LoaderJS,
		Target:            api.ESNext,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		Charset:           api.CharsetUTF8,
	})
	if faults := append(out.Errors, out.Warnings...); len(faults) > 0 {
		line := 0
		if at := faults[0].Location; at != nil {
			line = at.Line
		}
		return nil, fmt.Errorf("%s:%d: %s", name, line, faults[0].Text)
	}
	return out.Code, nil
}
