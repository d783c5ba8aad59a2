package main

import (
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// shippedScript is a hand-written script as it is shipped: without comments and
// white space and in shorter syntax. Names stay, so that scripts find each other
// and a stack can be read.
func shippedScript(name, source string) ([]byte, error) {
	out := api.Transform(source, api.TransformOptions{
		Sourcefile:       name,
		Loader:           api.LoaderJS,
		Target:           api.ESNext,
		MinifyWhitespace: true,
		MinifySyntax:     true,
		Charset:          api.CharsetUTF8,
	})
	for _, m := range append(out.Errors, out.Warnings...) {
		if m.Location == nil {
			return nil, fmt.Errorf("%s: %s", name, m.Text)
		}
		return nil, fmt.Errorf("%s:%d: %s", name, m.Location.Line, m.Text)
	}
	return out.Code, nil
}
