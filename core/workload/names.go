package workload

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// Each of these lists holds the names of the values of one data rule, in ascending order of the
// values.
var (
	overrunNames  = []string{"raise", "truncate", "kill"}
	sizeNames     = []string{"requested", "allocated"}
	filterNames   = []string{"none", "lindsay"}
	zeroNames     = []string{"one", "drop"}
	oversizeNames = []string{"drop", "clamp"}
)

// choice is the type of a data rule that has a fixed list of values.
type choice interface{ ~uint8 }

// ruleName returns the name of value c, or its number if the value is invalid.
func ruleName[C choice](names []string, c C) string {
	if int(c) < len(names) {
		return names[c]
	}
	return strconv.Itoa(int(c))
}

// parseRule sets *c to the value with the name in text. Its errors name the given data rule.
func parseRule[C choice](rule string, names []string, text []byte, c *C) error {
	for i, n := range names {
		if n == string(text) {
			*c = C(i)
			return nil
		}
	}
	return fmt.Errorf("%s: expected %s, got %q", rule, strings.Join(names, " or "), text)
}

// The data rules with a fixed list of values implement encoding.TextMarshaler and
// encoding.TextUnmarshaler. Marshalling never fails. The error of unmarshalling lists the valid
// names.

func (o Overrun) String() string               { return ruleName(overrunNames, o) }
func (o Overrun) MarshalText() ([]byte, error) { return []byte(o.String()), nil }
func (o *Overrun) UnmarshalText(text []byte) error {
	return parseRule("overrun", overrunNames, text, o)
}

func (s Size) String() string               { return ruleName(sizeNames, s) }
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
func (s *Size) UnmarshalText(text []byte) error {
	return parseRule("size", sizeNames, text, s)
}

func (f Filter) String() string               { return ruleName(filterNames, f) }
func (f Filter) MarshalText() ([]byte, error) { return []byte(f.String()), nil }
func (f *Filter) UnmarshalText(text []byte) error {
	return parseRule("filter", filterNames, text, f)
}

func (z ZeroRuntime) String() string               { return ruleName(zeroNames, z) }
func (z ZeroRuntime) MarshalText() ([]byte, error) { return []byte(z.String()), nil }
func (z *ZeroRuntime) UnmarshalText(text []byte) error {
	return parseRule("zero-runtime", zeroNames, text, z)
}

func (o Oversize) String() string               { return ruleName(oversizeNames, o) }
func (o Oversize) MarshalText() ([]byte, error) { return []byte(o.String()), nil }
func (o *Oversize) UnmarshalText(text []byte) error {
	return parseRule("oversize", oversizeNames, text, o)
}

// parseBound parses one end of a range. If the text is empty, it does not change t.
func parseBound(s string, t *job.Time) bool {
	if s == "" {
		return true
	}
	v, err := strconv.ParseInt(s, 10, 64)
	*t = v
	return err == nil && v >= 0 && v <= job.MaxTime
}
