package metrics

import (
	"io"
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// Meta is a key and a value that document how the metrics were computed, such as the version of the
// program or the hash of the scenario.
type Meta struct{ Key, Value string }

// WriteJSON writes values as a JSON object: first the members of meta, then "options", then
// "metrics" in the order of the values. It writes null for a metric that does not apply. The same
// arguments always give the same bytes.
func WriteJSON(w io.Writer, values []Value, o Options, meta []Meta) error {
	buf := append(make([]byte, 0, 4096), "{\n"...)
	for _, m := range meta {
		buf = appendKey(buf, "  ", m.Key)
		buf = append(raw.Quote(buf, m.Value), ",\n"...)
	}
	buf = appendOptions(buf, o)
	buf = append(buf, "  \"metrics\": {"...)
	for i, v := range values {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = appendKey(append(buf, '\n'), "    ", v.Metric.Name)
		if v.Applies {
			buf = strconv.AppendFloat(buf, v.Number, 'f', -1, 64)
		} else {
			buf = append(buf, "null"...)
		}
	}
	buf = append(buf, "\n  }\n}\n"...)
	_, err := w.Write(buf)
	return err
}

// appendOptions appends the JSON member "options".
func appendOptions(buf []byte, o Options) []byte {
	buf = append(buf, "  \"options\": {"...)
	for i, option := range []struct {
		name  string
		value float64
	}{
		{"tau", float64(o.Tau)}, {"high-load", float64(o.HighLoad)}, {"warmup", o.Warmup}, {"cooldown", o.Cooldown},
		{"short-max", float64(o.ShortMax)}, {"medium-max", float64(o.MediumMax)},
	} {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = strconv.AppendFloat(appendKey(buf, "", option.name), option.value, 'f', -1, 64)
	}
	return append(buf, "},\n"...)
}

// appendKey appends the indentation, the quoted name and a colon to buf.
func appendKey(buf []byte, indent, name string) []byte {
	return append(raw.Quote(append(buf, indent...), name), ": "...)
}
