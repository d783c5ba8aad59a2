package scenario

import (
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// upgrades[i] turns the text of version i+1 into that of version i+2. An old
// version is never read in another way: a new one comes with its step here.
var upgrades = [Version - 1]func(data []byte) ([]byte, error){}

// Upgrade returns the text of a scenario in the present version of the format.
func Upgrade(data []byte) ([]byte, error) {
	r, _, err := current(data)
	if err != nil {
		return nil, err
	}
	return r.data, nil
}

// current takes the steps that a text needs and returns a reader of the
// outcome.
func current(data []byte) (*reader, raw.Value, error) {
	for {
		r := &reader{data: data}
		top, err := raw.Check(data)
		if err != nil {
			return nil, top, r.syntax(err)
		}
		version := r.version(top)
		if r.err != nil || version == Version {
			return r, top, r.err
		}
		if data, err = upgrades[version-1](data); err != nil {
			return nil, top, err
		}
	}
}

// version returns the version of the format that a text is written in.
func (r *reader) version(top raw.Value) int {
	at := spot{part: "version"}
	if top.Kind() != raw.Object {
		r.fail(top, spot{part: "scenario"}, "an object in { }")
		return 0
	}
	for name, v := range top.Fields() {
		if name != "version" {
			continue
		}
		n := r.whole(v, at, 1, 1<<31)
		if n > Version {
			r.fail(v, at, "at most "+strconv.Itoa(Version)+" (a newer version of the program wrote this file)")
		}
		return int(n)
	}
	r.fail(raw.Value{At: top.At}, at, "the version of the format, "+strconv.Itoa(Version))
	return 0
}
