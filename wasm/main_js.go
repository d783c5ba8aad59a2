//go:build js && wasm

// Command wasm is the WebAssembly program that the browser loads. In the window of the browser, it
// runs the page. In a web worker, it runs the worker. Both use the same program, so that the
// browser downloads and compiles it only once.
package main

import (
	"github.com/vugu/vugu"

	"backfill-lab/ui/app"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/vugu/render"
	"backfill-lab/wasm/internal/host"
)

func main() {
	run := func() error { return host.Run(warmUp) }
	if browser.InPage() {
		run = runPage
	}
	if err := run(); err != nil {
		panic(err) // the page shows the text in its crash overlay
	}
}

// runPage shows the user interface until the program ends.
func runPage() error {
	root := app.New()
	ready := false
	return render.Run(root, render.Options{
		Mount: "#app",
		Setup: root.Start,
		Soon:  root.ExpectsAnswer,
		After: func() {
			if !ready {
				ready = true
				_, _ = browser.Call("labReady")
			}
			root.AfterRender()
		},
	})
}

// warmUp renders the page once and discards the result. Browsers compile a function when it is
// first called, and the page can then use the functions that this worker has compiled.
func warmUp() {
	if build, err := vugu.NewBuildEnv(noEvents{}); err == nil {
		build.RunBuild(app.New())
	}
}

// noEvents is an event environment that neither locks nor renders.
type noEvents struct{}

func (noEvents) Lock()         {}
func (noEvents) UnlockOnly()   {}
func (noEvents) UnlockRender() {}
func (noEvents) RLock()        {}
func (noEvents) RUnlock()      {}
