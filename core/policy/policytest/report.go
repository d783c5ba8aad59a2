package policytest

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// FormatIntervals returns one line per job: its execution intervals, its size if it is moldable,
// and its promised start if it has one.
func FormatIntervals(l *log.Log) string {
	rows := make([]string, len(l.Jobs))
	for _, s := range l.Spans() {
		sep := ";"
		if rows[s.Job] == "" {
			sep = " "
		}
		rows[s.Job] += fmt.Sprintf("%s%d-%d", sep, s.From, s.To)
	}
	for j, o := range l.Outcomes() {
		rows[j] = l.Jobs[j].ID + rows[j]
		if l.Jobs[j].Speedup() != nil {
			rows[j] += fmt.Sprintf(" on %d", l.Layout(job.Index(j)).Procs)
		}
		if o.Promised != job.Never {
			rows[j] += fmt.Sprintf(" promised %d", o.Promised)
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// FormatMoves returns one line for each change of a planned start.
func FormatMoves(l *log.Log) string {
	var b strings.Builder
	for r := range l.All() {
		if r.Kind == log.Move {
			fmt.Fprintf(&b, "at %d %s moves %d->%d because of %s\n", r.At, jobID(l, r.Job), r.X, r.Y, jobID(l, r.Other))
		}
	}
	return b.String()
}

// FormatReasons returns one line for each recorded reason why a job started, resumed or waited, or got
// its size. It prints only the numbers that the reason's code uses.
func FormatReasons(l *log.Log) string {
	var b strings.Builder
	for r := range l.All() {
		if r.Kind == log.Size {
			fmt.Fprintf(&b, "at %d size %s: %s saved=%g next=%g\n", r.At, jobID(l, r.Job), log.Codes[r.Code].Name, float64(r.X)/1e6, float64(r.Y)/1e6)
		}
		if !slices.Contains([]log.Kind{log.Start, log.Resume, log.Hold}, r.Kind) {
			continue
		}
		code := log.Codes[r.Code]
		fmt.Fprintf(&b, "at %d %s %s: %s", r.At, log.Kinds[r.Kind].Name, jobID(l, r.Job), code.Name)
		if r.Other != job.None {
			fmt.Fprintf(&b, " other=%s", jobID(l, r.Other))
		}
		if code.X != log.Unused {
			fmt.Fprintf(&b, " x=%d", r.X)
		}
		if code.Y != log.Unused {
			fmt.Fprintf(&b, " y=%d", r.Y)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// FormatSets returns one line for each fair start and each set that a search tried. If the search
// scored the set, a second line shows by how many seconds jobs would start after and before their
// fair starts. The last line of each search names the selected set.
func FormatSets(l *log.Log) string {
	var b strings.Builder
	var sets [][]string // by set number: the time of the search (set 0) or "" (other sets), then the job IDs
	for r := range l.All() {
		switch r.Kind {
		case log.Fair:
			fmt.Fprintf(&b, "at %d fair start %s: %d\n", r.At, jobID(l, r.Job), r.X)
		case log.SetTried:
			if r.X == 0 && (len(sets) == 0 || sets[0][0] != fmt.Sprint(r.At)) {
				sets = [][]string{{fmt.Sprint(r.At)}}
			}
			set := append(slices.Clone(sets[r.X][1:]), jobID(l, r.Job))
			fmt.Fprintf(&b, "at %d %s: %s", r.At, strings.Join(set, ","), log.Codes[r.Code].Name)
			if r.Code == log.PastSlack {
				fmt.Fprintf(&b, " %s latest=%d", jobID(l, r.Other), r.Y)
			}
			b.WriteByte('\n')
			if r.Code.KeepsSet() {
				sets = append(sets, append([]string{""}, set...))
			}
		case log.Scored:
			fmt.Fprintf(&b, "  late=%d early=%d\n", r.X, r.Y)
		case log.Choice:
			fmt.Fprintf(&b, "at %d choice of %d tried: ", r.At, r.Y)
			if r.X == 0 {
				b.WriteString("none\n")
			} else {
				fmt.Fprintf(&b, "%s for %s\n", strings.Join(sets[r.X][1:], ","), log.Codes[r.Code].Name)
			}
		}
	}
	return b.String()
}

// FormatGroups returns the recorded search for groups, one line per step. Lines show why a candidate is
// unsuitable, how a set was built and what it gains, and which member was removed. They also show the
// verdict on each set and the groups that were formed.
func FormatGroups(l *log.Log) string {
	var b strings.Builder
	var set []string
	remaining := int64(0)
	for r := range l.All() {
		code := log.Codes[r.Code].Name
		switch r.Kind {
		case log.Candidate:
			if r.Code != log.Suited {
				fmt.Fprintf(&b, "at %d %s with %s: %s\n", r.At, jobID(l, r.Job), jobID(l, r.Other), code)
			}
		case log.Member:
			set = append(set, jobID(l, r.Job))
		case log.Gains:
			fmt.Fprintf(&b, "at %d set %d, %s with %s: %s gains %g\n", r.At, r.X, jobID(l, r.Job), strings.Join(set, ","), code, float64(r.Y)/1e6)
			set = nil
		case log.Purge:
			fmt.Fprintf(&b, "at %d set %d without %s gains %g\n", r.At, r.X, jobID(l, r.Job), float64(r.Y)/1e6)
		case log.GroupVerdict:
			fmt.Fprintf(&b, "at %d set %d: %s%s\n", r.At, r.X, code, verdictDetail(l, r))
		case log.Group:
			if remaining == 0 {
				fmt.Fprintf(&b, "at %d group of %s, %s, gains %g:", r.At, jobID(l, r.Other), code, float64(r.X)/1e6)
				remaining = r.Y
			}
			b.WriteString(" " + jobID(l, r.Job))
			if remaining--; remaining == 0 {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// verdictDetail returns why a set was rejected. For an unfair set, this is the job that would end
// too late, and the limit for its response time. For other rejected sets, it is the number of nodes
// that the set needs. It returns "" for other verdicts.
func verdictDetail(l *log.Log, r *log.Record) string {
	switch r.Code {
	case log.GroupUnfair:
		return fmt.Sprintf(" to %s limit=%d", jobID(l, r.Other), r.Y)
	case log.NoNodes, log.NotForWholeRuntime:
		return fmt.Sprintf(" needs=%d", r.Y)
	}
	return ""
}
