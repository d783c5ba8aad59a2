package traps

import (
	"fmt"
	"strings"

	"backfill-lab/ui/bridge"
)

// TryEdges runs the small functions of the bridge and writes what they answered.
func (c *Page) TryEdges() {
	var said []string
	say := func(name string, v any) { said = append(said, fmt.Sprintf("%s=%v", name, v)) }

	say("set", bridge.Local.Set("trap", "kept"))
	v, _ := bridge.Local.Get("trap")
	say("get", v)
	bridge.Local.Remove("trap")
	_, ok := bridge.Local.Get("trap")
	say("gone", !ok)

	say("hash", bridge.SetHash("v=1&a=b%20c"))
	say("read", bridge.Hash())
	say("dark", bridge.Media("(prefers-color-scheme: dark)"))
	say("theme", bridge.SetRootAttr("data-theme", "dark"))
	say("focus", bridge.Focus("wait"))
	say("nobody", bridge.Focus("nobody"))

	err := bridge.Expose("labTrapDouble", func(args []any) {
		say("bytes", args[0])
		say("text", args[1])
	})
	say("expose", err)
	_, err = bridge.Call("labTrapDouble", []byte{1, 2, 255}, "é")
	say("call", err)
	_, err = bridge.Call("labNothing")
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
	err := bridge.OnMedia("(prefers-color-scheme: dark)", func(dark bool) { follow(fmt.Sprint("dark ", dark)) })
	if err == nil {
		err = bridge.OnHash(func(fragment string) { follow("fragment " + fragment) })
	}
	if err != nil {
		c.Said = err.Error()
	}
}
