package traps

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"backfill-lab/ui/browser"
)

// Row is a keyed row with its own state.
type Row struct{ ID int }

// Label returns the label of the row.
func (r *Row) Label() string { return "row " + strconv.Itoa(r.ID) }

// Panic panics in a guarded handler.
func (c *Page) Panic() {
	defer browser.Recover("the panic button")
	panic("on purpose")
}

// Crash panics without a guard.
func (c *Page) Crash() { panic("crash on purpose") }

// CrashWorker ends the worker.
func (c *Page) CrashWorker() { c.send("crash") }

// PanicWorker panics in a guarded handler of the worker.
func (c *Page) PanicWorker() { c.send("panic") }

// Burn keeps the worker busy for a second and sends it messages meanwhile. (It must not be named
// Compute, Init, Rendered or Destroy, because Vugu calls methods with these names by itself.)
func (c *Page) Burn() {
	c.Ticks = 0
	c.send("busy")
	for range 5 {
		c.send("tick")
	}
}

// Echo sends a megabyte to the worker and back.
func (c *Page) Echo() {
	big := make([]byte, 1<<20)
	for i := range big {
		big[i] = byte(i)
	}
	c.post(browser.Message{Kind: "echo", Bufs: [][]byte{big, nil, []byte("end")}})
}

// Pick opens the file dialog.
func (c *Page) Pick() {
	if err := browser.PickFile(".txt,.gz", c.take); err != nil {
		c.Picked = err.Error()
	}
}

// Save downloads a file.
func (c *Page) Save() {
	if err := browser.Download("trap.txt", "text/plain", []byte("saved\n")); err != nil {
		c.Picked = err.Error()
	}
}

func (c *Page) take(f browser.FileRef) {
	c.post(browser.Message{Kind: "file", File: f})
}

func (c *Page) send(kind string) { c.post(browser.Message{Kind: kind}) }

func (c *Page) post(m browser.Message) {
	if err := c.worker.Post(m); err != nil {
		c.Busy = err.Error()
	}
}

func (c *Page) receive(m browser.Message) {
	c.env.Lock()
	defer c.env.UnlockRender()
	switch m.Kind {
	case "tick":
		c.Ticks++
	case "file":
		c.Picked = string(m.Head)
	case "echo":
		ok := len(m.Bufs) == 3 && len(m.Bufs[0]) == 1<<20 && m.Bufs[0][1<<20-1] == 255 && len(m.Bufs[1]) == 0
		c.Busy = fmt.Sprintf("echo %v %s", ok, m.Bufs[2])
	case "busy":
		c.Busy = fmt.Sprintf("done after %d ticks", c.Ticks)
	default:
		c.Busy = m.Kind + ": " + string(m.Head)
	}
}

// Work runs in the worker and handles the messages of the page.
func Work() error {
	return browser.Listen(func(m browser.Message) {
		switch m.Kind {
		case "panic":
			panic("worker on purpose")
		case "crash":
			go func() { panic("worker crash on purpose") }()
		case "busy":
			go compute()
		case "file":
			go measure(m.File)
		default:
			_ = browser.Post(m)
		}
	})
}

// compute computes for a second in steps, handling messages in between.
func compute() {
	defer browser.Recover("the computation")
	for range 34 {
		for start := time.Now(); time.Since(start) < 30*time.Millisecond; {
		}
		browser.Yield()
	}
	_ = browser.Post(browser.Message{Kind: "busy"})
}

func measure(f browser.FileRef) {
	defer browser.Recover("the file")
	n, err := io.Copy(io.Discard, io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		panic(err)
	}
	head := fmt.Sprintf("%s: %d of %d bytes", f.Name(), n, f.Size())
	_ = browser.Post(browser.Message{Kind: "file", Head: []byte(head)})
}

// TryEdges calls the small functions of package browser and shows their results.
func (c *Page) TryEdges() {
	var said []string
	say := func(name string, v any) { said = append(said, fmt.Sprintf("%s=%v", name, v)) }

	say("set", browser.Local.Set("trap", "kept"))
	v, _ := browser.Local.Get("trap")
	say("get", v)
	browser.Local.Remove("trap")
	_, ok := browser.Local.Get("trap")
	say("gone", !ok)

	say("hash", browser.SetFragment("v=1&a=b%20c"))
	say("read", browser.Fragment())
	say("dark", browser.MatchesMedia("(prefers-color-scheme: dark)"))
	say("theme", browser.SetRootAttr("data-theme", "dark"))
	say("focus", browser.Focus("wait"))
	say("nobody", browser.Focus("nobody"))

	err := browser.Expose("labTrapDouble", func(args []any) {
		say("bytes", args[0])
		say("text", args[1])
	})
	say("expose", err)
	_, err = browser.Call("labTrapDouble", []byte{1, 2, 255}, "é")
	say("call", err)
	_, err = browser.Call("labNothing")
	say("missing", err != nil)
	c.Said = strings.Join(said, " ")
}

// Watch shows on the page when the dark mode setting or the fragment of the address changes.
func (c *Page) Watch() {
	follow := func(what string) {
		c.env.Lock()
		defer c.env.UnlockRender()
		c.Said = what
	}
	err := browser.OnMediaChange("(prefers-color-scheme: dark)", func(dark bool) { follow(fmt.Sprint("dark ", dark)) })
	if err == nil {
		err = browser.OnFragmentChange(func(fragment string) { follow("fragment " + fragment) })
	}
	if err != nil {
		c.Said = err.Error()
	}
}
