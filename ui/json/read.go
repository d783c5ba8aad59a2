package json

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// Unmarshal reads JSON into what v points to. Members that v does not know are
// skipped, null leaves what is not a pointer, a list or a map as it is. With an
// error, v may be filled in part.
func Unmarshal(text []byte, v any) error {
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return errors.New("json: a place to read into must be a pointer")
	}
	x, err := raw.Check(text)
	if err != nil {
		return fmt.Errorf("json: %w", err)
	}
	return read(x, to.Elem(), "")
}

func read(x raw.Value, to reflect.Value, path string) error {
	if to.Type() == rawMessage {
		to.SetBytes([]byte(x.Text))
		return nil
	}
	if x.Kind() == raw.Null {
		switch to.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
			to.SetZero()
		}
		return nil
	}
	if to.Kind() == reflect.Pointer {
		if to.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
		}
		return read(x, to.Elem(), path)
	}
	if done, err := readText(x, to, path); done {
		return err
	}
	if to.Kind() == reflect.Interface && to.NumMethod() == 0 {
		to.Set(reflect.ValueOf(plain(x)))
		return nil
	}
	var ok bool
	switch x.Kind() {
	case raw.Switch:
		if ok = to.Kind() == reflect.Bool; ok {
			to.SetBool(x.Text == "true")
		}
	case raw.Text:
		if ok = to.Kind() == reflect.String; ok {
			to.SetString(x.Word())
		}
	case raw.Number:
		ok = number(x, to)
	case raw.Array:
		if to.Kind() == reflect.Slice {
			return list(x, to, path)
		}
	case raw.Object:
		switch {
		case to.Kind() == reflect.Struct:
			return members(x, to, path)
		case to.Kind() == reflect.Map && to.Type().Key().Kind() == reflect.String:
			return table(x, to, path)
		}
	}
	if !ok {
		return mismatch(x, to, path)
	}
	return nil
}

func mismatch(x raw.Value, to reflect.Value, path string) error {
	return &Mismatch{Path: path, Want: to.Type().String(), Got: x.Shown()}
}

// readText reads a value that has a text form.
func readText(x raw.Value, to reflect.Value, path string) (done bool, err error) {
	u, ok := to.Addr().Interface().(encoding.TextUnmarshaler)
	if !ok {
		return false, nil
	}
	if x.Kind() != raw.Text {
		return true, mismatch(x, to, path)
	}
	return true, u.UnmarshalText([]byte(x.Word()))
}

// number reads a number unless the type does not hold it.
func number(x raw.Value, to reflect.Value) bool {
	switch {
	case to.CanInt():
		n, err := strconv.ParseInt(x.Text, 10, to.Type().Bits())
		if err == nil {
			to.SetInt(n)
		}
		return err == nil
	case to.CanUint():
		n, err := strconv.ParseUint(x.Text, 10, to.Type().Bits())
		if err == nil {
			to.SetUint(n)
		}
		return err == nil
	case to.CanFloat():
		f, err := strconv.ParseFloat(x.Text, to.Type().Bits())
		if err == nil {
			to.SetFloat(f)
		}
		return err == nil
	}
	return false
}

// list reads into a new slice, so that no old member shows through.
func list(x raw.Value, to reflect.Value, path string) error {
	n := 0
	for range x.Items() {
		n++
	}
	all := reflect.MakeSlice(to.Type(), n, n)
	for i, item := range x.Items() {
		if err := read(item, all.Index(i), path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	to.Set(all)
	return nil
}

// table adds to a map.
func table(x raw.Value, to reflect.Value, path string) error {
	t := to.Type()
	if to.IsNil() {
		to.Set(reflect.MakeMap(t))
	}
	for name, item := range x.Fields() {
		v := reflect.New(t.Elem()).Elem()
		if err := read(item, v, under(path, name)); err != nil {
			return err
		}
		to.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), v)
	}
	return nil
}

func members(x raw.Value, to reflect.Value, path string) error {
	list := fields(to.Type())
	for name, item := range x.Fields() {
		i := slices.IndexFunc(list, func(f field) bool { return f.name == name })
		if i < 0 {
			continue
		}
		if err := read(item, to.FieldByIndex(list[i].index), under(path, name)); err != nil {
			return err
		}
	}
	return nil
}

func under(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// plain is a value as an `any` holds it: nil, bool, float64, string, []any or
// map[string]any.
func plain(x raw.Value) any {
	switch x.Kind() {
	case raw.Object:
		m := map[string]any{}
		for name, item := range x.Fields() {
			m[name] = plain(item)
		}
		return m
	case raw.Array:
		l := []any{}
		for _, item := range x.Items() {
			l = append(l, plain(item))
		}
		return l
	case raw.Text:
		return x.Word()
	case raw.Switch:
		return x.Text == "true"
	case raw.Number:
		f, _ := x.Float()
		return f
	}
	return nil
}
