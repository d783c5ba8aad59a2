package sacct

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// Choice says which records of a file to read, and how. The zero value selects all partitions, CPUs
// and the field Submit, like a scenario without these settings.
type Choice struct {
	Partition string     // names of the partitions whose jobs to read, separated by commas; empty for all
	Unit      Unit       // what counts as a processor
	Submit    SubmitTime // field with the time at which a job enters the queue
	Limits    Limits     // wall time limits for jobs whose records contain none
}

// Default is the initial choice when a user opens a file.
var Default = Choice{Submit: AtEligible}

// Partitions returns the names of the selected partitions, or nil if all are selected.
func (c *Choice) Partitions() []string {
	if c.Partition == "" {
		return nil
	}
	return strings.Split(c.Partition, ",")
}

// Unit says what counts as a processor.
type Unit uint8

// CPUs (the default) counts the CPUs allocated to a job (AllocCPUS). These are cores or hardware
// threads, depending on the cluster. Nodes counts the nodes allocated to a job (NNodes).
const (
	CPUs Unit = iota
	Nodes
)

var unitNames = []string{"cpus", "nodes"}

func (u Unit) String() string { return unitNames[u] }

// MarshalText returns "cpus" or "nodes".
func (u Unit) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText parses "cpus" or "nodes".
func (u *Unit) UnmarshalText(text []byte) error { return parse(unitNames, text, u) }

// SubmitTime says which field of a record is the time at which the job enters the queue.
type SubmitTime uint8

// AtSubmit uses the time at which the job was submitted (Submit). AtEligible uses the time from
// which the job could start (Eligible), after waiting for dependencies, begin times and limits.
const (
	AtSubmit SubmitTime = iota
	AtEligible
)

// SubmitNames lists the names of the values of SubmitTime.
var SubmitNames = []string{"submit", "eligible"}

func (t SubmitTime) String() string { return SubmitNames[t] }

// MarshalText returns "submit" or "eligible".
func (t SubmitTime) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText parses "submit" or "eligible".
func (t *SubmitTime) UnmarshalText(text []byte) error { return parse(SubmitNames, text, t) }

// parse sets *value to the index of the given text in the list of names.
func parse[T ~uint8](names []string, text []byte, value *T) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("expected %s, got %q", strings.Join(names, " or "), text)
	}
	*value = T(i)
	return nil
}

// Limits holds wall time limits in seconds, such as "batch=172800,gpu=86400,43200". A limit without
// a partition applies to all partitions that are not listed. The text is sorted by partition, with
// the limit without a partition at the end. Limits can therefore be compared with ==.
type Limits string

// ParseLimits parses limits that a user typed, such as "batch=2d, 12:00:00".
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
		if l.Listed(name) > 0 {
			return "", fmt.Errorf("expected one limit for each partition, got two: %q", text)
		}
		l = l.With(name, t)
	}
	return l, nil
}

// Listed returns the limit that l lists for a partition, or 0 if l does not list the partition. If
// the name is empty, Listed returns the limit for all other partitions.
func (l Limits) Listed(partition string) job.Time {
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

// partitions returns the names of the partitions that l lists.
func (l Limits) partitions() (names []string) {
	for _, word := range strings.Split(string(l), ",") {
		if name, _, named := strings.Cut(word, "="); named {
			names = append(names, name)
		}
	}
	return names
}

// For returns the limit that applies to a partition, or 0 if there is none.
func (l Limits) For(partition string) job.Time {
	if t := l.Listed(partition); t > 0 {
		return t
	}
	return l.Listed("")
}

// With returns a copy of the limits in which the given partition has the given limit. A limit of 0
// removes the partition.
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

// MarshalText returns the text that ParseLimits parses.
func (l Limits) MarshalText() ([]byte, error) { return []byte(l), nil }

// UnmarshalText parses a text in the same way as ParseLimits.
func (l *Limits) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLimits(string(text))
	return err
}
