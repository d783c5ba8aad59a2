package traps

// RowView shows a row and counts clicks itself: the count must stay with its row.
type RowView struct {
	Row *Row
	Own int
}

// More counts a click.
func (c *RowView) More() { c.Own++ }
