package traps

import (
	"fmt"
	"strings"

	"backfill-lab/ui/browser"
)

// TryEdges runs the small functions of package browser and writes what they answered.
func (c *Page) TryEdges() {
	var said []string
	say := func(name string, v any) { said = append(said, fmt.Sprintf("%s=%v", name, v)) }

	say("set", browser.Local.Set("trap", "kept"))
	v, _ := browser.Local.Get("trap")
	say("get", v)
	browser.Local.Remove("trap")
	_, ok := browser.Local.Get("trap")
	say("gone", !ok)

	say("hash", browser.SetHash("v=1&a=b%20c"))
	say("read", browser.Hash())
	say("dark", browser.Media("(prefers-color-scheme: dark)"))
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

// Watch follows the page's dark setting and fragment.
func (c *Page) Watch() {
	follow := func(what string) {
		c.env.Lock()
		defer c.env.UnlockRender()
		c.Said = what
	}
	err := browser.OnMedia("(prefers-color-scheme: dark)", func(dark bool) { follow(fmt.Sprint("dark ", dark)) })
	if err == nil {
		err = browser.OnHash(func(fragment string) { follow("fragment " + fragment) })
	}
	if err != nil {
		c.Said = err.Error()
	}
}
