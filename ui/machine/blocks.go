package machine

import (
	"fmt"
	"strings"

	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// BlockRow is an outage as rendered: a row of fields. Problem joins the errors of its
// fields; K is its index.
type BlockRow struct {
	K      int
	Fields []widgets.Field

	Problem, ProblemID, DropID, DropLabel string
}

var blockLabels = [len(document.BlockFields)]string{"From", "To", "Processors", "Label"}

// BlockRows returns the outages of the machine.
func (c *Machine) BlockRows() (out []BlockRow) {
	d := c.Doc()
	for k := range d.Blocks {
		id := fmt.Sprintf("block-%d", k)
		x := BlockRow{K: k, ProblemID: id + "-problem", DropID: id + "-drop", DropLabel: fmt.Sprintf("Remove block %d", k+1)}
		for what, text := range d.Blocks[k].Texts {
			f := widgets.Field{ID: document.BlockField(k, what), Label: fmt.Sprintf("%s, block %d", blockLabels[what], k+1), Text: text, Place: d.BlockText(k) + what}
			if f.SetProblem(c.Problem(-1, f.ID)); what == len(blockLabels)-1 {
				f.Help = "label"
			}
			x.Fields, x.Problem = append(x.Fields, f), strings.TrimPrefix(x.Problem+"; "+f.Problem, "; ")
		}
		x.Problem = strings.Trim(x.Problem, "; ")
		out = append(out, x)
	}
	return out
}

// HasBlocks reports whether the machine has outages.
func (c *Machine) HasBlocks() bool { return len(c.Doc().Blocks) > 0 }

// AddBlock adds an outage and moves the keyboard focus to its start time.
func (c *Machine) AddBlock() {
	k := len(c.Doc().Blocks)
	c.Do("", c.Doc().AddBlock())
	c.Focus = document.BlockField(k, 0)
}

// DropBlock removes outage k.
func (c *Machine) DropBlock(k int) {
	c.Do("", c.Doc().DropBlock(k))
	c.Focus = "add-block"
}
