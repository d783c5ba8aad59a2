package json

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// field is a field of a struct as its tag says.
type field struct {
	name                string
	index               []int // the way to it through embedded structs
	omitEmpty, omitZero bool
}

// known keeps the fields of every struct type met so far.
var known sync.Map

// fields lists those of a struct that have a form in JSON. The fields of an
// embedded struct without a name are among them; the struct's own hide theirs.
func fields(t reflect.Type) []field {
	if list, ok := known.Load(t); ok {
		return list.([]field)
	}
	var list, hidden []field
	for i := range t.NumField() {
		f := t.Field(i)
		x, flat, ok := described(f)
		switch {
		case flat:
			for _, y := range fields(f.Type) {
				y.index = append([]int{i}, y.index...)
				list = append(list, y)
			}
		case ok:
			x.index = f.Index
			list, hidden = append(list, x), append(hidden, x)
		}
	}
	list = slices.DeleteFunc(list, func(x field) bool {
		return len(x.index) > 1 && slices.ContainsFunc(hidden, func(y field) bool { return x.name == y.name })
	})
	known.Store(t, list)
	return list
}

// described reads the tag of a field; flat is an embedded struct without a name.
func described(f reflect.StructField) (x field, flat, ok bool) {
	tag := f.Tag.Get("json")
	name, options, _ := strings.Cut(tag, ",")
	if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
		return x, true, false
	}
	if !f.IsExported() || tag == "-" {
		return x, false, false
	}
	if x.name = name; name == "" {
		x.name = f.Name
	}
	for _, o := range strings.Split(options, ",") {
		x.omitEmpty = x.omitEmpty || o == "omitempty"
		x.omitZero = x.omitZero || o == "omitzero"
	}
	return x, false, true
}

// left tells whether the field is left out for its value.
func (f *field) left(v reflect.Value) bool {
	if f.omitZero && v.IsZero() {
		return true
	}
	if !f.omitEmpty {
		return false
	}
	switch v.Kind() {
	case reflect.Struct:
		return false
	case reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	}
	return v.IsZero()
}
