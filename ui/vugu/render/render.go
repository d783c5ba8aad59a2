// Package render decides when Vugu builds and draws the page: at most once per frame of the
// browser, even if several events occurred. Vugu's own loop would render for every event.
package render

import (
	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"

	"backfill-lab/ui/browser"
)

// Options configures Run.
type Options struct {
	// Mount is the selector of the element that the root component replaces.
	Mount string
	// Setup is called once before the first render. Code that changes the state of the page
	// outside of a Vugu event must call env.Lock() before and env.UnlockRender() after it.
	Setup func(env vugu.EventEnv)
	// After is called after every render, without the lock, for example to draw charts. (Vugu
	// calls its own Rendered hook neither for the root nor for components inside components.)
	After func()
	// ExpectsAnswer reports whether new data that changes the whole page is expected within a frame
	// or two. If so, Run postpones drawing.
	ExpectsAnswer func() bool
}

// maxPostponed is the largest number of frames by which Run postpones drawing.
const maxPostponed = 2

// Run shows root and draws it again after each change. It returns nil once Vugu stops sending render
// requests, or the first error.
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
	var kept pruner
	for {
		built := build.RunBuild(root)
		if kept.before == nil {
			browser.Yield() // building the first drawing takes long: let the browser handle events before it is drawn
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
		for n := 0; n < maxPostponed && o.ExpectsAnswer != nil && o.ExpectsAnswer(); n++ {
			browser.NextFrame()
		}
	}
}

// drain receives Vugu's render requests and combines them into one, so that the queue does
// not fill up while Run waits for a frame.
func drain(renderer *domrender.JSRenderer, dirty chan<- struct{}) {
	defer close(dirty)
	for renderer.EventWait() {
		select {
		case dirty <- struct{}{}:
		default:
		}
	}
}
