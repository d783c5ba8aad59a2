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

// Outage holds the texts typed for an outage, during which some processors are unavailable.
type Outage struct {
	Texts         [len(OutageFields)]string // texts of the fields in OutageFields
	UnknownFields scenario.Fields           // unknown fields of the outage in the scenario file
}

// OutageFields names the elements of Outage.Texts.
var OutageFields = [4]string{"from", "to", "procs", "label"}

const outageLabel = 3 // index of the label in Outage.Texts

// OutagesOf returns the outages of a scenario as texts.
func OutagesOf(m *scenario.Machine) (out []Outage) {
	for i, b := range m.Outages {
		x := outageOf(b)
		if i < len(m.OutagesUnknown) {
			x.UnknownFields = m.OutagesUnknown[i]
		}
		out = append(out, x)
	}
	return out
}

// outageOf returns an outage as texts.
func outageOf(b cluster.Outage) Outage {
	return Outage{Texts: [4]string{strconv.FormatInt(b.From, 10), strconv.FormatInt(b.To, 10), strconv.Itoa(b.Procs), b.Label}}
}

// OutageField returns the Problem.Field of a text of outage k. The argument `what` is the index of the text in
// OutageFields.
func OutageField(k, what int) string { return fmt.Sprintf("block-%d-%s", k, OutageFields[what]) }

// OutageTextIndex returns the index in MachineTexts of the first text of outage k.
func (d *Doc) OutageTextIndex(k int) int {
	return d.JobsPerNodeTextIndex() + pairsText + 1 + len(OutageFields)*k
}

// AddOutage returns the document with one more outage of one processor for an hour. It
// starts when the last outage ends; the first outage starts at the first submission.
func (d Doc) AddOutage() Doc {
	from := d.Rows.Summary().First
	if n := len(d.Outages); n > 0 {
		if v, err := strconv.ParseInt(d.Outages[n-1].Texts[1], 10, 64); err == nil {
			from = v
		}
	}
	b := Outage{Texts: [4]string{strconv.FormatInt(from, 10), strconv.FormatInt(from+3600, 10), "1", "maintenance"}}
	d.Outages = append(slices.Clip(d.Outages), b)
	return d
}

// DropOutage returns the document without outage k.
func (d Doc) DropOutage(k int) Doc {
	d.Outages = slices.Delete(slices.Clone(d.Outages), k, k+1)
	return d
}

// Parse parses the texts of the outage. If a number is invalid, it returns an error, the
// index `what` of that text, and a default outage that every machine accepts.
func (b *Outage) Parse() (out protocol.Outage, what int, err error) {
	out = protocol.Outage{From: 0, To: 1, Procs: 1, Label: b.Texts[outageLabel]}
	var n [outageLabel]int64
	for i := range n {
		v, bad := strconv.ParseInt(b.Texts[i], 10, 64)
		switch {
		case bad != nil || v < 0:
			return out, i, fmt.Errorf("expected a whole number, 0 or more, got %q", b.Texts[i])
		case OutageFields[i] == "procs" && v > cluster.MaxSlots:
			return out, i, fmt.Errorf("expected at most %d, got %q", cluster.MaxSlots, b.Texts[i])
		}
		n[i] = v
	}
	return protocol.Outage{From: n[0], To: n[1], Procs: int(n[2]), Label: out.Label}, 0, nil
}

// parseOutages parses and checks the outages, and appends them to m. The machine m must be valid
// without outages.
func (d *Doc) parseOutages(m *protocol.Machine) (bad []Problem) {
	c := cluster.Machine{Nodes: m.Nodes, Processors: m.Processors, Cores: m.Cores}
	for k := range d.Outages {
		b, what, err := d.Outages[k].Parse()
		if err != nil {
			bad = append(bad, machineProblem(OutageField(k, what), fmt.Sprintf("machine, outage %d, %s: %v", k+1, OutageFields[what], err)))
		} else if b.To <= b.From {
			bad = append(bad, machineProblem(OutageField(k, 1), fmt.Sprintf("machine, outage %d, to: expected a time after the start of the outage", k+1)))
		}
		m.Outages, c.Outages = append(m.Outages, b), append(c.Outages, cluster.Outage(b))
	}
	var wrong *cluster.Invalid
	if bad != nil || !errors.As(c.Validate(), &wrong) {
		return bad
	}
	field := wrong.Field
	for k := range d.Outages {
		for what, name := range OutageFields {
			if strings.EqualFold(wrong.Field, fmt.Sprintf("block %d, %s", k+1, name)) {
				field = OutageField(k, what)
			}
		}
	}
	return []Problem{machineProblem(field, strings.Replace(wrong.Error(), "block ", "outage ", 1))}
}
