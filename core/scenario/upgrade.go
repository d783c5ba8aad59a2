package scenario

import (
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// upgrades holds, at index i, a function that converts a text from version i+1 of the format to
// version i+2. Each change of the format adds a conversion here. The code after the conversion
// therefore handles only the current version.
var upgrades = [Version - 1]func(data []byte) ([]byte, error){}

// Upgrade converts the text of a scenario to the current version of the format.
func Upgrade(data []byte) ([]byte, error) {
	r, _, err := upgradeToCurrent(data)
	if err != nil {
		return nil, err
	}
	return r.Data, nil
}

// upgradeToCurrent converts a text to the current version of the format. It returns a reader of the
// new text, and the value in it.
func upgradeToCurrent(data []byte) (*reader, raw.Value, error) {
	for {
		r := newReader(data)
		top, err := r.Check()
		if err != nil {
			return nil, top, err
		}
		version := r.version(top)
		if r.Err != nil || version == Version {
			return r, top, r.Err
		}
		if data, err = upgrades[version-1](data); err != nil {
			return nil, top, err
		}
	}
}

// version returns the version of the format that the text states.
func (r *reader) version(top raw.Value) int {
	at := spot{part: "version"}
	if top.Kind() != raw.Object {
		r.Fail(top, spot{part: "scenario"}, "an object in { }")
		return 0
	}
	for name, v := range top.Fields() {
		if name != "version" {
			continue
		}
		n := r.WholeNumber(v, at, 1, 1<<31)
		if n > Version {
			r.Fail(v, at, "at most "+strconv.Itoa(Version)+" (this file was written by a newer version of the program)")
		}
		return int(n)
	}
	r.Fail(raw.Value{At: top.At}, at, "the version of the format, "+strconv.Itoa(Version))
	return 0
}
