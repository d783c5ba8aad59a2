package document

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

// Block is an outage: some processors are unavailable for a while. It holds the texts as
// typed.
type Block struct {
	Texts [len(BlockFields)]string
	Kept  scenario.Fields // unknown fields of the outage in the scenario file
}

// BlockFields names the elements of Block.Texts.
var BlockFields = [4]string{"from", "to", "procs", "label"}

const blockLabel = 3

// BlocksOf returns the outages of a scenario as texts.
func BlocksOf(m *scenario.Machine) (out []Block) {
	for i, b := range m.Blocks {
		x := Block{Texts: [4]string{strconv.FormatInt(b.From, 10), strconv.FormatInt(b.To, 10), strconv.Itoa(b.Procs), b.Label}}
		if i < len(m.BlocksKept) {
			x.Kept = m.BlocksKept[i]
		}
		out = append(out, x)
	}
	return out
}

// BlockField returns the Problem.Field of a text of outage k.
func BlockField(k, what int) string { return fmt.Sprintf("block-%d-%s", k, BlockFields[what]) }

// BlockText returns the index in Texts of the first text of outage k.
func (d *Doc) BlockText(k int) int { return d.MoreTexts() + pairsText + 1 + len(BlockFields)*k }

// AddBlock returns the document with one more outage: one processor for an hour, starting
// at the end of the last outage. The first outage starts at the first submission.
func (d Doc) AddBlock() Doc {
	from := d.Rows.Sum().First
	if n := len(d.Blocks); n > 0 {
		if v, err := strconv.ParseInt(d.Blocks[n-1].Texts[1], 10, 64); err == nil {
			from = v
		}
	}
	b := Block{Texts: [4]string{strconv.FormatInt(from, 10), strconv.FormatInt(from+3600, 10), "1", "maintenance"}}
	d.Blocks = append(slices.Clip(d.Blocks), b)
	return d
}

// DropBlock returns the document without outage k.
func (d Doc) DropBlock(k int) Doc {
	d.Blocks = slices.Delete(slices.Clone(d.Blocks), k, k+1)
	return d
}

// Value parses the outage. If a number is invalid, it returns the index of that text, an
// error, and a default outage that every machine accepts.
func (b *Block) Value() (out protocol.Block, what int, err error) {
	out = protocol.Block{From: 0, To: 1, Procs: 1, Label: b.Texts[blockLabel]}
	var n [blockLabel]int64
	for i := range n {
		v, bad := strconv.ParseInt(b.Texts[i], 10, 64)
		if bad != nil || v < 0 || i == 2 && v > cluster.MaxSlots {
			return out, i, fmt.Errorf("expected a whole number, got %q", b.Texts[i])
		}
		n[i] = v
	}
	return protocol.Block{From: n[0], To: n[1], Procs: int(n[2]), Label: out.Label}, 0, nil
}

// blocks parses and checks the outages of a machine that is valid without them. It appends
// them to m.
func (d *Doc) blocks(m *protocol.Machine) (bad []Problem) {
	c := cluster.Machine{Nodes: m.Nodes, Processors: m.Processors, Cores: m.Cores}
	for k := range d.Blocks {
		b, what, err := d.Blocks[k].Value()
		if err != nil {
			bad = append(bad, generalProblem(BlockField(k, what), fmt.Sprintf("machine, block %d, %s: %v", k+1, BlockFields[what], err)))
		}
		m.Blocks, c.Blocks = append(m.Blocks, b), append(c.Blocks, cluster.Block(b))
	}
	var wrong *cluster.Invalid
	if bad != nil || !errors.As(c.Validate(), &wrong) {
		return bad
	}
	field := wrong.Field
	for k := range d.Blocks {
		for what, name := range BlockFields {
			if strings.EqualFold(wrong.Field, fmt.Sprintf("block %d, %s", k+1, name)) {
				field = BlockField(k, what)
			}
		}
	}
	return []Problem{generalProblem(field, wrong.Error())}
}
