package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/core/slowdown"
)

// Slowdown holds the texts that describe how jobs on shared nodes slow each other down. It is immutable: an edit
// creates a new Slowdown.
type Slowdown struct {
	RandomUnlisted bool // pairs that are not listed get random slowdowns from the seed
	Seed           string
	Classes        bool            // pairs name application classes instead of jobs
	Pairs          string          // one pair per line, such as "A next to B: 1.2"
	UnknownFields  scenario.Fields // unknown fields of the slowdown in the scenario file
	parsed         []slowdown.Pair // the pairs from the scenario, nil once Pairs was edited
}

// Values of Problem.Field for slowdowns.
const (
	SlowdownSeed  = "slowdown-seed"
	SlowdownPairs = "slowdown-pairs"
)

const (
	firstSeed = "1" // default seed
	nextTo    = " next to "
)

// SlowdownOf returns the slowdowns of a scenario as texts, or nil if the scenario has none.
func SlowdownOf(s *scenario.Slowdown) *Slowdown {
	if s == nil {
		return nil
	}
	t := &Slowdown{RandomUnlisted: s.Drawn, Seed: firstSeed, Classes: s.ByClass, UnknownFields: s.UnknownFields, parsed: s.Pairs}
	if t.RandomUnlisted {
		t.Seed = strconv.FormatInt(s.Seed, 10)
	}
	var b strings.Builder
	for _, p := range s.Pairs {
		b.WriteString(p.Of + nextTo + p.NextTo + ": " + formatNumber(p.Slow) + "\n")
	}
	t.Pairs = b.String()
	return t
}

// ShowsSharing reports whether jobs can share nodes, or have values in the columns for node sharing, so that these
// columns are worth showing.
func (d *Doc) ShowsSharing() bool {
	return d.SlotsPerNode() > 1 || d.Slowdown != nil || d.Rows.Groups()&Shares != 0
}

// EditSlowdown returns the document with its slowdown changed by the given function. It removes a slowdown that has
// become empty.
func (d Doc) EditSlowdown(edit func(*Slowdown)) Doc {
	t := Slowdown{Seed: firstSeed}
	if d.Slowdown != nil {
		t = *d.Slowdown
	}
	was := t.Pairs
	if edit(&t); t.Pairs != was {
		t.parsed = nil
	}
	if d.Slowdown = &t; !t.RandomUnlisted && t.Pairs == "" && t.UnknownFields == nil {
		d.Slowdown = nil
	}
	return d
}

// Slowdowns returns the slowdowns as a scenario stores them, without invalid values. It also returns
// the problems that it found.
func (d *Doc) Slowdowns() (*scenario.Slowdown, []Problem) {
	t := d.Slowdown
	if t == nil {
		return nil, nil
	}
	s := &scenario.Slowdown{Model: slowdown.Model{Drawn: t.RandomUnlisted, ByClass: t.Classes, Pairs: t.parsed}, UnknownFields: t.UnknownFields}
	var bad []Problem
	if t.RandomUnlisted {
		var err error
		if s.Seed, err = strconv.ParseInt(t.Seed, 10, 64); err != nil {
			bad = append(bad, machineProblem(SlowdownSeed, fmt.Sprintf("slowdown, seed: expected %s, got %q", format.ExpectedWhole(err, slowdown.MaxSeed), t.Seed)))
		} else if s.Seed < 0 || s.Seed > slowdown.MaxSeed {
			bad = append(bad, machineProblem(SlowdownSeed, fmt.Sprintf("slowdown, seed: expected 0 to %d, got %d", int64(slowdown.MaxSeed), s.Seed)))
			s.Seed = 0
		}
	}
	report := func(expected string) { bad = append(bad, machineProblem(SlowdownPairs, "slowdown, pairs"+expected)) }
	if t.parsed == nil {
		s.Pairs = typedPairs(t.Pairs, report)
	}
	known := d.knownNames(s)
	for _, p := range s.Pairs {
		if wrong := s.CheckPair(p, known); wrong != nil {
			report(fmt.Sprintf(", %s%s%s: expected %s, got %s", p.Of, nextTo, p.NextTo, wrong.Expected, wrong.Got))
		}
	}
	return s, bad
}

// knownNames returns a function that reports whether a job or class with the given name exists. For tables of more
// than maxTypedRows rows, the function always returns true, and the names are checked only when the scenario runs.
func (d *Doc) knownNames(s *scenario.Slowdown) func(name string) bool {
	seen := map[string]bool{}
	if len(s.Pairs) > 0 && d.Rows.Len() <= maxTypedRows {
		for _, r := range d.Rows.All() {
			j := r.Job()
			seen[s.Name(&j)] = true
		}
	}
	return func(name string) bool { return seen[name] || d.Rows.Len() > maxTypedRows }
}

// typedPairs parses lines of pairs, and calls report for each invalid line. It groups the pairs by the first job or
// class of each pair, as scenario files do.
func typedPairs(text string, report func(string)) (list []slowdown.Pair) {
	seen, group := map[string]bool{}, map[string]int{}
	var groups [][]slowdown.Pair
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		p, names, expected := typedPair(line)
		if expected == "" && seen[names] {
			expected = ", " + names + ": expected each pair once, got this one twice"
		}
		if expected != "" {
			report(expected)
			continue
		}
		k, known := group[p.Of]
		if !known {
			k = len(groups)
			groups = append(groups, nil)
		}
		seen[names], group[p.Of], groups[k] = true, k, append(groups[k], p)
	}
	for _, g := range groups {
		list = append(list, g...)
	}
	return list
}

// typedPair parses a line such as "A next to B: 1.2". It also returns the part of the line before the colon, and the
// end of an error message if the line is invalid.
func typedPair(line string) (p slowdown.Pair, names, expected string) {
	at := max(strings.LastIndexByte(line, ':'), 0)
	names, text := line[:at], strings.TrimLeft(line[at:], ": ")
	of, neighbour, ok := strings.Cut(names, nextTo)
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case !ok:
		expected = fmt.Sprintf(": expected lines such as “A next to B: 1.2”, got %q", line)
	case err != nil || math.IsNaN(v):
		expected = fmt.Sprintf(", %s: expected a number, got %q", names, text)
	case v < slowdown.Min || v > slowdown.Max:
		expected = fmt.Sprintf(", %s: expected a number from %g to %d, got %s", names, slowdown.Min, slowdown.Max, text)
	}
	return slowdown.Pair{Of: of, NextTo: neighbour, Slow: v}, names, expected
}
