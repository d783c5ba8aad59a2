// Package render is not for state or markup: it only decides when Vugu builds and
// draws. Vugu's own loop renders once for every event; this one renders at most
// once a frame, however many events came in between.
package render

import (
	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"

	"backfill-lab/ui/browser"
)

// Options of a page.
type Options struct {
	// Mount is the selector of the element that the root replaces.
	Mount string
	// Setup runs once before the first render. Whoever changes state outside of a
	// Vugu event does so between env.Lock() and env.UnlockRender().
	Setup func(env vugu.EventEnv)
	// After runs after every render, outside its lock: the place to draw charts
	// into host elements. (Vugu's own Rendered misses the root and grandchildren.)
	After func()
	// Soon reports whether news will come within a frame or two that has all drawn
	// anew: drawing waits for it.
	Soon func() bool
}

// patience is how many frames drawing waits for news.
const patience = 2

// Run shows root until the program ends; it returns only with an error.
func Run(root vugu.Builder, o Options) error {
	renderer, err := domrender.New(o.Mount)
	if err != nil {
		return err
	}
	build, err := vugu.NewBuildEnv(renderer.EventEnv())
	if err != nil {
		return err
	}
	if o.Setup != nil {
		o.Setup(renderer.EventEnv())
	}
	dirty := make(chan struct{}, 1)
	go drain(renderer, dirty)
	var kept keeper
	for {
		built := build.RunBuild(root)
		if kept.before == nil {
			browser.Yield() // the first drawing is long: the page has a turn in the midst of it
		}
		if err := kept.draw(built, renderer.Render); err != nil {
			return err
		}
		if o.After != nil {
			browser.Guard("drawing", o.After)
		}
		if _, ok := <-dirty; !ok {
			return nil
		}
		browser.NextFrame()
		for n := 0; n < patience && o.Soon != nil && o.Soon(); n++ {
			browser.NextFrame()
		}
	}
}

// drain empties Vugu's event queue into one mark, so that nothing piles up while
// a frame is awaited.
func drain(renderer *domrender.JSRenderer, dirty chan<- struct{}) {
	defer close(dirty)
	for renderer.EventWait() {
		select {
		case dirty <- struct{}{}:
		default:
		}
	}
}
