package json

import (
	"encoding"
	"math"
	"reflect"
	"slices"
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// Marshal is the JSON of v. The names of maps are sorted, so that equal values
// give equal bytes.
func Marshal(v any) ([]byte, error) {
	w := writer{}
	w.value(reflect.ValueOf(v))
	return w.out, w.err
}

// writer stops at the first value it cannot write.
type writer struct {
	out []byte
	err error
}

func (w *writer) put(s string) { w.out = append(w.out, s...) }

func (w *writer) fail(what string) {
	if w.err == nil {
		w.err = &Unsupported{what}
	}
}

func (w *writer) value(v reflect.Value) {
	if !v.IsValid() {
		w.put("null")
		return
	}
	if v.Type() == rawMessage {
		w.raw(v.Bytes())
		return
	}
	if w.text(v) {
		return
	}
	switch k := v.Kind(); {
	case k == reflect.Pointer || k == reflect.Interface:
		w.value(v.Elem()) // of nil: not valid
	case k == reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case k == reflect.String:
		w.out = raw.Quote(w.out, v.String())
	case v.CanInt():
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case v.CanUint():
		w.out = strconv.AppendUint(w.out, v.Uint(), 10)
	case v.CanFloat():
		w.float(v.Float(), v.Type().Bits())
	case k == reflect.Struct:
		w.put("{")
		w.members(v)
		w.put("}")
	case k == reflect.Map && v.Type().Key().Kind() == reflect.String:
		w.table(v)
	case k == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		w.list(v)
	default:
		w.fail(v.Type().String())
	}
}

// raw copies JSON, which must be valid.
func (w *writer) raw(text []byte) {
	if text == nil {
		w.put("null")
		return
	}
	if _, err := raw.Check(text); err != nil && w.err == nil {
		w.err = err
	}
	w.out = append(w.out, text...)
}

// text writes a value that has a text form.
func (w *writer) text(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		return false // what it points to has its turn
	}
	m, ok := v.Interface().(encoding.TextMarshaler)
	if !ok {
		return false
	}
	b, err := m.MarshalText()
	if err != nil && w.err == nil {
		w.err = err
	}
	w.out = raw.Quote(w.out, string(b))
	return true
}

// float writes the shortest text that reads back as f.
func (w *writer) float(f float64, bits int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.fail("a number that is none")
		return
	}
	form := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		form = 'e'
	}
	w.out = strconv.AppendFloat(w.out, f, form, -1, bits)
}

func (w *writer) members(v reflect.Value) {
	first := true
	for _, f := range fields(v.Type()) {
		if x := v.FieldByIndex(f.index); !f.left(x) {
			w.name(f.name, first)
			w.value(x)
			first = false
		}
	}
}

func (w *writer) name(name string, first bool) {
	if !first {
		w.put(",")
	}
	w.out = append(raw.Quote(w.out, name), ':')
}

func (w *writer) table(v reflect.Value) {
	if v.IsNil() {
		w.put("null")
		return
	}
	var names []string
	for _, k := range v.MapKeys() {
		names = append(names, k.String())
	}
	slices.Sort(names)
	w.put("{")
	for i, name := range names {
		w.name(name, i == 0)
		w.value(v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key())))
	}
	w.put("}")
}

func (w *writer) list(v reflect.Value) {
	if v.IsNil() {
		w.put("null")
		return
	}
	w.put("[")
	for i := range v.Len() {
		if i > 0 {
			w.put(",")
		}
		w.value(v.Index(i))
	}
	w.put("]")
}
