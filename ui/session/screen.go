package session

// Screen holds which parts of the page are open, and the page's last message.
type Screen struct {
	Tabs   []string // names of the panels of the left side
	Tab    string   // the one that is shown
	Drawer string   // the panel open on a narrow screen: "", edit or why
	Menu   string   // the open menu: "", lessons, examples, share or export
	Notice string   // the last sentence for the person
	Focus  string   // id of the element to focus after the next render

	ColouredBy string // the property of jobs that the charts show as colour; empty: each job has its own
}

// TakeFocus returns the id of what to focus after the render, once.
func (c *Screen) TakeFocus() string {
	id := c.Focus
	c.Focus = ""
	return id
}

// CloseMenu closes the menu after a choice in it; the keyboard goes back to its button.
func (c *Screen) CloseMenu() { c.Focus, c.Menu = c.Menu, "" }

// ToggleMenu opens a menu, or closes it if it is open.
func (c *Screen) ToggleMenu(menu string) {
	if c.Menu == menu {
		menu = ""
	}
	c.Menu = menu
}
