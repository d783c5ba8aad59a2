package metrics

import (
	"io"
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// Meta is a line about where numbers come from: the program's version, the
// hash of the scenario.
type Meta struct{ Key, Value string }

// WriteJSON writes values as a JSON object: the meta lines in their order, the
// options, then "metrics" with one member a metric in the order of the table,
// null where a metric does not apply. Equal values give equal bytes.
func WriteJSON(w io.Writer, values []Value, o Options, meta []Meta) error {
	buf := append(make([]byte, 0, 4096), "{\n"...)
	for _, m := range meta {
		buf = member(buf, "  ", m.Key)
		buf = append(raw.Quote(buf, m.Value), ",\n"...)
	}
	buf = options(buf, o)
	buf = append(buf, "  \"metrics\": {"...)
	for i, v := range values {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = member(append(buf, '\n'), "    ", v.Metric.Name)
		if v.OK {
			buf = strconv.AppendFloat(buf, v.V, 'f', -1, 64)
		} else {
			buf = append(buf, "null"...)
		}
	}
	buf = append(buf, "\n  }\n}\n"...)
	_, err := w.Write(buf)
	return err
}

func options(buf []byte, o Options) []byte {
	buf = append(buf, "  \"options\": {"...)
	for i, x := range []struct {
		name  string
		value float64
	}{
		{"tau", float64(o.Tau)}, {"high-load", float64(o.HighLoad)}, {"warmup", o.Warmup}, {"cooldown", o.Cooldown},
		{"short-max", float64(o.ShortMax)}, {"medium-max", float64(o.MediumMax)},
	} {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = strconv.AppendFloat(member(buf, "", x.name), x.value, 'f', -1, 64)
	}
	return append(buf, "},\n"...)
}

// member appends a name and its colon.
func member(buf []byte, indent, name string) []byte {
	return append(raw.Quote(append(buf, indent...), name), ": "...)
}
