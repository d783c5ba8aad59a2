package app

import (
	"strconv"

	"backfill-lab/ui/browser"
)

// ToCharts leads the keyboard past the table.
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

// Expanded returns the value of aria-expanded of a menu's button.
func (c *App) Expanded(menu string) string {
	return strconv.FormatBool(c.session.Menu == menu || c.session.Drawer == menu)
}

// Dim switches between the system's theme, light and dark.
func (c *App) Dim() {
	dark := c.theme == "dark" || c.theme == "" && browser.Media("(prefers-color-scheme: dark)")
	c.theme = "dark"
	if dark {
		c.theme = "light"
	}
	browser.Local.Set("theme", c.theme)
	_ = browser.SetRootAttr("data-theme", c.theme)
}

// Class names the state of the page for the style sheet.
func (c *App) Class() string {
	class := "lab" + c.files.FrameClass()
	if c.session.Drawer != "" {
		class += " open-" + c.session.Drawer
	}
	return class
}

// Keys shows the sheet of keys.
func (c *App) Keys() { _, _ = browser.Call("labShowKeys") }

// IsNew reports whether the page shows what it opens on, so that the person may be new.
func (c *App) IsNew() bool { return c.lessons.Untouched() && !c.files.Embedded() }
