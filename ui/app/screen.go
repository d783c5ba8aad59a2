package app

import (
	"strconv"

	"backfill-lab/ui/browser"
)

// ToCharts moves the keyboard focus past the table to the first chart.
func (c *App) ToCharts() { c.session.Focus = "gantt-0" }

// Toggle opens or closes a drawer of a narrow screen.
func (c *App) Toggle(drawer string) {
	if c.session.Drawer == drawer {
		drawer = ""
	}
	c.session.Drawer = drawer
}

// Drop opens or closes a menu.
func (c *App) Drop(menu string) {
	c.session.ToggleMenu(menu)
	if c.session.Menu == "lessons" {
		c.lessons.WithLessons(func() {})
	}
}

// Expanded returns the aria-expanded value of the button of a menu or drawer.
func (c *App) Expanded(menu string) string {
	return strconv.FormatBool(c.session.Menu == menu || c.session.Drawer == menu)
}

// Dim switches between the light and the dark theme and saves the choice. Until the
// first switch, the page follows the system.
func (c *App) Dim() {
	dark := c.theme == "dark" || c.theme == "" && browser.Media("(prefers-color-scheme: dark)")
	c.theme = "dark"
	if dark {
		c.theme = "light"
	}
	browser.Local.Set("theme", c.theme)
	_ = browser.SetRootAttr("data-theme", c.theme)
}

// Class returns the CSS classes of the root element: embedding and the open drawer.
func (c *App) Class() string {
	class := "lab" + c.files.FrameClass()
	if c.session.Drawer != "" {
		class += " open-" + c.session.Drawer
	}
	return class
}

// Keys opens the dialog of keyboard shortcuts.
func (c *App) Keys() { _, _ = browser.Call("labShowKeys") }

// IsNew reports whether the page still shows its first example unchanged and is not
// embedded. It then offers the introduction.
func (c *App) IsNew() bool { return c.lessons.Untouched() && !c.files.Embedded() }
