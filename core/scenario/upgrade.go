package scenario

import (
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// upgrades[i] converts a text from version i+1 to version i+2. A new version of the format adds its
// conversion here, so that Parse handles only the latest version.
var upgrades = [Version - 1]func(data []byte) ([]byte, error){}

// Upgrade converts the text of a scenario to the current version of the format.
func Upgrade(data []byte) ([]byte, error) {
	r, _, err := upgradeToCurrent(data)
	if err != nil {
		return nil, err
	}
	return r.Data, nil
}

// upgradeToCurrent converts a text to the current version. It returns a reader for the result, and
// its top-level value.
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

// version returns the format version of a text.
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
