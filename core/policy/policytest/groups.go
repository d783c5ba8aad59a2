package policytest

import (
	"fmt"
	"strings"

	"backfill-lab/core/log"
)

// Groups returns a line for each set of jobs that was weighed as a group: how it was
// made, what it gains, what left it, and how it was judged; and for each group that
// was formed. Where candidates do not suit it says why.
func Groups(l *log.Log) string {
	var b strings.Builder
	var set []string
	left := int64(0)
	for r := range l.All() {
		code := log.Codes[r.Code].Name
		switch r.Kind {
		case log.Candidate:
			if r.Code != log.Suited {
				fmt.Fprintf(&b, "at %d %s with %s: %s\n", r.At, name(l, r.Job), name(l, r.Other), code)
			}
		case log.Member:
			set = append(set, name(l, r.Job))
		case log.Gains:
			fmt.Fprintf(&b, "at %d set %d, %s with %s: %s gains %g\n", r.At, r.X, name(l, r.Job), strings.Join(set, ","), code, float64(r.Y)/1e6)
			set = nil
		case log.Purge:
			fmt.Fprintf(&b, "at %d set %d without %s gains %g\n", r.At, r.X, name(l, r.Job), float64(r.Y)/1e6)
		case log.Judge:
			fmt.Fprintf(&b, "at %d set %d: %s%s\n", r.At, r.X, code, verdict(l, r))
		case log.Group:
			if left == 0 {
				fmt.Fprintf(&b, "at %d group of %s, %s, gains %g:", r.At, name(l, r.Other), code, float64(r.X)/1e6)
				left = r.Y
			}
			b.WriteString(" " + name(l, r.Job))
			if left--; left == 0 {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// verdict returns what stands against a set.
func verdict(l *log.Log, r *log.Record) string {
	switch r.Code {
	case log.Unfair:
		return fmt.Sprintf(" to %s limit=%d", name(l, r.Other), r.Y)
	case log.NoNodes, log.NotForLong:
		return fmt.Sprintf(" needs=%d", r.Y)
	}
	return ""
}
