package experiments

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/sweep"
	"backfill-lab/core/workload/draw"
)

// span is an inclusive range of seeds.
type span struct{ from, to int64 }

// seedsExpected describes valid seeds in error messages.
const seedsExpected = "seeds such as “1-10” or “1, 2, 5”"

// seedSpans parses the seeds that the user typed: numbers, and ranges such as 1-10.
func seedSpans(text string) (out []span, err error) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\u2013", "-"), " - ", "-")
	n := int64(0)
	for _, word := range splitNumbers(text) {
		first, last, isRange := strings.Cut(word, "-")
		from, err := strconv.ParseInt(first, 10, 64)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseInt(last, 10, 64)
		}
		if err != nil || from < 0 || to < from || to > draw.MaxSeed {
			return nil, fmt.Errorf("expected %s, got %.40q", seedsExpected, word)
		}
		if n += to - from + 1; n > sweep.MaxSeeds {
			return nil, fmt.Errorf("expected at most %d seeds, got more", sweep.MaxSeeds)
		}
		out = append(out, span{from, to})
	}
	return out, checkRepeated(out)
}

// checkRepeated returns an error if a seed occurs in several spans.
func checkRepeated(spans []span) error {
	sorted := slices.SortedFunc(slices.Values(spans), func(a, b span) int { return cmp.Compare(a.from, b.from) })
	last := int64(-1) // the largest seed so far
	for _, s := range sorted {
		if s.from <= last {
			return fmt.Errorf("expected each seed only once, got %d again", s.from)
		}
		last = s.to
	}
	return nil
}

// seedsJSON converts typed seeds to JSON for a definition. If the seeds are invalid, seedsJSON returns the typed text
// as a JSON string.
func seedsJSON(text string) string {
	spans, err := seedSpans(text)
	if err != nil || spans == nil {
		return quote(text)
	}
	if s := spans[0]; len(spans) == 1 && s.to > s.from {
		return fmt.Sprintf(`{"from": %d, "count": %d}`, s.from, s.to-s.from+1)
	}
	var all []string
	for _, s := range spans {
		for seed := s.from; seed <= s.to; seed++ {
			all = append(all, strconv.FormatInt(seed, 10))
		}
	}
	return inlineList(all)
}

// readSeeds converts the seeds of a definition to the text that the form shows.
func readSeeds(text json.RawMessage) (string, error) {
	if len(text) == 0 {
		return "", nil
	}
	var typed string
	if decode(text, &typed) == nil {
		return typed, nil
	}
	var many []any
	if decode(text, &many) == nil {
		return joined(many), nil
	}
	object := struct{ From, Count json.Number }{From: "1"}
	if err := decode(text, &object); err != nil {
		return "", err
	}
	from, err := object.From.Int64()
	if err != nil {
		return "", err
	}
	count, err := object.Count.Int64()
	if err != nil {
		return "", err
	}
	if count < 2 {
		return object.From.String(), nil
	}
	return fmt.Sprintf("%d-%d", from, from+count-1), nil
}
