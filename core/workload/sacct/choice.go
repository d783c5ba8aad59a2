package sacct

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// Choice selects which records of a file to read, and how. The zero value fits
// scenarios without these fields: all partitions, CPUs, and the times of Submit.
type Choice struct {
	Partition string // comma-separated names: read only the jobs of these partitions; empty for all
	Unit      Unit
	Submit    SubmitTime
	Limits    Limits // wall time limits of jobs that have none of their own
}

// Default is the choice for a file that is opened.
var Default = Choice{Submit: AtEligible}

// Partitions returns the names of the selected partitions, none for all.
func (c *Choice) Partitions() []string {
	if c.Partition == "" {
		return nil
	}
	return strings.Split(c.Partition, ",")
}

// Unit determines what counts as a processor of the machine.
type Unit uint8

// CPUs (the default) counts the CPUs of a job (AllocCPUS): cores or hardware threads, depending on
// the cluster. Nodes counts its nodes (NNodes).
const (
	CPUs Unit = iota
	Nodes
)

var unitNames = []string{"cpus", "nodes"}

func (u Unit) String() string { return unitNames[u] }

// MarshalText returns the text form of u.
func (u Unit) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText parses "cpus" or "nodes".
func (u *Unit) UnmarshalText(text []byte) error { return parse(unitNames, text, u) }

// SubmitTime determines which field of a record is the time at which its job enters the queue.
type SubmitTime uint8

// AtSubmit takes the time of the submission (Submit). AtEligible takes the time at which
// the job could first start (Eligible), after dependencies, begin times and limits.
const (
	AtSubmit SubmitTime = iota
	AtEligible
)

// SubmitNames lists the text forms of SubmitTime.
var SubmitNames = []string{"submit", "eligible"}

func (t SubmitTime) String() string { return SubmitNames[t] }

// MarshalText returns the text form of t.
func (t SubmitTime) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText parses "submit" or "eligible".
func (t *SubmitTime) UnmarshalText(text []byte) error { return parse(SubmitNames, text, t) }

func parse[T ~uint8](names []string, text []byte, to *T) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("expected %s, got %q", strings.Join(names, " or "), text)
	}
	*to = T(i)
	return nil
}

// Limits holds wall time limits in seconds, such as "batch=172800,gpu=86400,43200". A limit
// without a partition is for all partitions that have none. The text is canonical: sorted
// by partition, the limit for all others last. Values compare with ==.
type Limits string

// ParseLimits parses limits as people type them, such as "batch=2d, 12:00:00".
func ParseLimits(text string) (l Limits, err error) {
	for _, word := range strings.Split(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		name, value, named := strings.Cut(word, "=")
		if !named {
			name, value = "", word
		}
		if name = strings.TrimSpace(name); named && name == "" {
			return "", fmt.Errorf("expected PARTITION=DURATION, got %q", word)
		}
		t, err := format.ParseDuration(value)
		if err == nil && (t < 1 || t > job.MaxTime) {
			err = fmt.Errorf("expected a wall time limit of at least 1 s, got %q", value)
		}
		if err != nil {
			return "", err
		}
		if l.Of(name) > 0 {
			return "", fmt.Errorf("expected one limit for each partition, got two: %q", text)
		}
		l = l.With(name, t)
	}
	return l, nil
}

// Of returns the limit typed for exactly this partition, 0 if there is none. The empty name
// is for all others.
func (l Limits) Of(partition string) job.Time {
	for _, word := range strings.Split(string(l), ",") {
		name, value, named := strings.Cut(word, "=")
		if !named {
			name, value = "", word
		}
		if t, err := strconv.ParseInt(value, 10, 64); err == nil && name == partition {
			return t
		}
	}
	return 0
}

// For returns the limit of the jobs of a partition, 0 if there is none.
func (l Limits) For(partition string) job.Time {
	if t := l.Of(partition); t > 0 {
		return t
	}
	return l.Of("")
}

// With returns the limits with another limit for a partition; 0 removes it.
func (l Limits) With(partition string, limit job.Time) Limits {
	var words []string
	rest := ""
	for _, word := range strings.Split(string(l), ",") {
		switch name, _, named := strings.Cut(word, "="); {
		case !named && partition != "":
			rest = word
		case named && name != partition:
			words = append(words, word)
		}
	}
	switch text := strconv.FormatInt(limit, 10); {
	case limit == 0:
	case partition == "":
		rest = text
	default:
		words = append(words, partition+"="+text)
	}
	slices.Sort(words)
	if rest != "" {
		words = append(words, rest)
	}
	return Limits(strings.Join(words, ","))
}

func (l Limits) String() string { return string(l) }

// MarshalText returns the text form of l.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l), nil }

// UnmarshalText parses limits as ParseLimits does.
func (l *Limits) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLimits(string(text))
	return err
}
