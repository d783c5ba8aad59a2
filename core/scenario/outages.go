package scenario

import (
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
)

// parseOutage parses one item of the field "blocks", which lists the outages of the machine:
//
//	{"from": 3600, "to": 7200, "procs": 8, "label": "new switch"}
func (r *reader) parseOutage(m *Machine, row int, v raw.Value) {
	at := spot{part: "machine, blocks", row: row}
	if row > cluster.MaxOutages {
		r.TooMany(v, spot{part: "machine, blocks"}, "at most "+strconv.Itoa(cluster.MaxOutages))
		return
	}
	b := cluster.Outage{From: -1, To: -1}
	unknown := r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "from":
			b.From = r.WholeNumber(v, at.Field(name), 0, job.MaxTime)
		case "to":
			b.To = r.WholeNumber(v, at.Field(name), 1, job.MaxTime)
		case "procs":
			b.Procs = int(r.WholeNumber(v, at.Field(name), 1, cluster.MaxSlots))
		case "label":
			b.Label = r.ShortText(v, at.Field(name))
		default:
			return false
		}
		return true
	})
	for _, missing := range []struct {
		fieldMissing bool
		name         string
	}{{b.From < 0, "from"}, {b.To < 0, "to"}, {b.Procs < 1, "procs"}} {
		if missing.fieldMissing {
			r.Fail(raw.Value{At: v.At}, at.Field(missing.name), "a whole number")
		}
	}
	m.Outages = append(m.Outages, b)
	m.OutagesUnknown = appendUnknown(m.OutagesUnknown, row, unknown)
}

func (w *writer) writeOutages(m *Machine) {
	if len(m.Outages) == 0 {
		return
	}
	w.field("blocks").inline('[')
	for i, b := range m.Outages {
		w.next().inline('{')
		w.field("from").int(b.From)
		w.field("to").int(b.To)
		w.field("procs").int(int64(b.Procs))
		w.textField("label", b.Label)
		if i < len(m.OutagesUnknown) {
			w.writeUnknownFields(m.OutagesUnknown[i])
		}
		w.close('}')
	}
	w.close(']')
}
