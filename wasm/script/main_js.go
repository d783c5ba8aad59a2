//go:build js && wasm

// Command script is the program of a worker that runs policies written as scripts and searches for
// counterexamples. The page loads it only when it needs one of these.
package main

import (
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/ui/worker"
	"backfill-lab/ui/worker/search"
	"backfill-lab/wasm/internal/host"
)

func main() {
	script.SetInterpreter(interp.New)
	worker.UseSearch(search.New)
	panic(host.Run(func() {})) // the page shows the text in its crash overlay
}
