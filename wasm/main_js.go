//go:build js && wasm

// Command wasm is the WebAssembly program that the browser loads. In the window of the browser, it
// runs the page. In a web worker, it runs the worker. Both use the same program, so that the
// browser downloads and compiles it only once.
package main

import (
	"runtime"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/ui/app"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/vugu/render"
	"backfill-lab/wasm/internal/host"
)

// unusedMemory enlarges the heap. The Go runtime collects garbage whenever the heap has doubled, so it
// collects a small heap less often if unused memory is added. An edit then takes a seventh less processor time, and
// moving through the jobs table takes a third less. A higher SetGCPercent would also apply to the
// large heaps of long traces.
var unusedMemory []byte

// These are the sizes of unusedMemory in bytes. The first worker runs the scenario of the page, so its
// heap is larger than the heap of the page. With the larger size, the charts of 30,000 jobs appear 8 %
// sooner after an edit.
const usualUnused, firstWorkerUnused = 16 << 20, 64 << 20

func main() {
	unused := usualUnused
	if browser.IsFirstWorker() {
		unused = firstWorkerUnused
	}
	// The allocation waits for a second, because it would delay the first drawing of the page by a tenth of a second.
	time.AfterFunc(time.Second, func() { unusedMemory = make([]byte, unused) })
	run := func() error { return host.Run(warmUp) }
	if browser.InPage() {
		run = runPage
	}
	if err := run(); err != nil {
		panic(err) // the page shows the text in its crash overlay
	}
	runtime.KeepAlive(unusedMemory)
}

// runPage shows the user interface until the program ends.
func runPage() error {
	browser.Yield() // starting the Go runtime takes long: let the browser handle events before the page is built
	root := app.New()
	ready := false
	return render.Run(root, render.Options{
		Mount:         "#app",
		Setup:         root.Start,
		ExpectsAnswer: root.ExpectsAnswer,
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
