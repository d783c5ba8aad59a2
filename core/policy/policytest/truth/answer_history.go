package truth

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// reasonText returns the sentence for the reason of a record (see sentenceOf).
func (ac *AnswerChecker) reasonText(r *log.Record) string {
	s := ac.fillTemplate(sentenceOf(r.Code), r)
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// fillTemplate replaces the placeholders of a template with the jobs, the time and the numbers of a
// record.
func (ac *AnswerChecker) fillTemplate(template string, r *log.Record) string {
	ratio := func(n int64) string { return strconv.FormatFloat(float64(n)/1e6, 'f', 3, 64) }
	resource := "the processors"
	if n := int(r.X); n > 0 && n <= len(ac.runCase.Log.Machine.Resources) {
		resource = ac.runCase.Log.Machine.Resources[n-1].Name
	}
	return toSingular.Replace(strings.NewReplacer("{job}", "job "+ac.checker.jobID(r.Job), "{other}", "job "+ac.checker.jobID(r.Other), "{at}", fmt.Sprint(r.At), "{x}", fmt.Sprint(r.X),
		"{y}", fmt.Sprint(r.Y), "{xs}", fmt.Sprint(r.X)+" s", "{ys}", fmt.Sprint(r.Y)+" s", "{xr}", ratio(r.X), "{yr}", ratio(r.Y), "{xz}", resource).Replace(template))
}

// appendReason appends the reason of the record, if there is one, to a history entry.
func (ac *AnswerChecker) appendReason(entry string, r *log.Record) string {
	if r.Code == log.NoReason {
		return entry
	}
	return entry + ": " + sentenceAfterColon(ac.reasonText(r))
}

// sentenceAfterColon returns a sentence for use after a colon. If it starts with "Job", the first letter
// becomes lower case.
func sentenceAfterColon(s string) string {
	if strings.HasPrefix(s, "Job ") {
		return "j" + s[1:]
	}
	return s
}

// history returns the expected entries of the history: first those up to the time asked about, then
// those after it. If a list is long, its middle part is left out (see withoutMiddle).
func (ac *AnswerChecker) history() (past, later []Line) {
	k, at := ac.answer.Job, ac.answer.At
	q := &ac.runCase.Log.Jobs[k]
	submitted := Line{fmt.Sprint(q.Submit), "submitted; requests " + ac.requestText(q)}
	var before, after []Line
	for _, r := range ac.byJob[k] {
		if ac.answer.Brief && log.Kinds[r.Kind].Level > log.Decisions {
			continue
		}
		line := Line{fmt.Sprint(r.At), ac.historyEntry(r)}
		if r.At <= at {
			before = append(before, line)
		} else {
			after = append(after, line)
		}
	}
	before, after = withoutMiddle(before), withoutMiddle(after)
	first := []Line{submitted}
	if head, ok := ac.headAtSubmission[k]; ok {
		first = append(first, Line{submitted.Name, "waits behind job " + ac.checker.jobID(head) + ", which is first in the queue"})
	}
	if q.Submit <= at {
		before = append(first, before...)
	} else {
		after = append(first, after...)
	}
	return before, after
}

// withoutHeads returns the lines without the line that names the first job in the queue at submission.
func withoutHeads(lines []Line) []Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return strings.HasPrefix(l.Text, "waits behind job ") })
}

// findHeadsAtSubmission fills headAtSubmission. The history of a job can say which other job was
// first in the queue when the job was submitted. The first job is taken from the latest record, up
// to the submission, with a reason in onlyFirst. The history names it only if it is still first and
// the submitted job has no record yet. With time slices, the history never names it.
func (ac *AnswerChecker) findHeadsAtSubmission() {
	ac.headAtSubmission = map[job.Index]job.Index{}
	bySubmission := make([]job.Index, len(ac.byJob))
	for k := range bySubmission {
		bySubmission[k] = job.Index(k)
	}
	slices.SortStableFunc(bySubmission, func(a, b job.Index) int {
		return cmp.Compare(ac.runCase.Log.Jobs[a].Submit, ac.runCase.Log.Jobs[b].Submit)
	})
	var latest *log.Record // latest record about a first job
	read := 0
	for _, k := range bySubmission {
		at := ac.runCase.Log.Jobs[k].Submit
		ac.applyUntil(at)
		for ; read < ac.applied; read++ {
			if r := ac.runCase.Log.Record(read); r.Kind == log.Hold && onlyFirst[r.Code] {
				latest = r
			}
		}
		hasRecord := len(ac.byJob[k]) > 0 && ac.byJob[k][0].At <= at
		if latest != nil && latest.Job != k && ac.checker.head() == latest.Job && !ac.checker.inSlices && !hasRecord {
			ac.headAtSubmission[k] = latest.Job
		}
	}
	ac.restart()
}

// onlyFirst marks the reasons to wait that apply only to the first job in the queue.
var onlyFirst = [256]bool{log.Blocked: true, log.TooFewProcs: true, log.LacksResource: true, log.OutageAhead: true}

// withoutMiddle shortens a long list of lines. It keeps the first 10 and the last 30, and replaces
// the lines between them with their number.
func withoutMiddle(lines []Line) []Line {
	const first, last = 10, 30
	omitted := len(lines) - first - last
	if omitted <= 1 {
		return lines
	}
	out := append(slices.Clone(lines[:first]), Line{lines[first].Name, fmt.Sprintf("(%d entries omitted)", omitted)})
	return append(out, lines[first+omitted:]...)
}

// historyEntry returns the history entry for a record.
func (ac *AnswerChecker) historyEntry(r *log.Record) string {
	switch r.Kind {
	case log.Start:
		return ac.appendReason("started", r)
	case log.Suspend:
		return ac.appendReason("suspended", r)
	case log.Resume:
		return ac.appendReason("resumed", r)
	case log.Hold:
		return ac.appendReason("waits", r)
	case log.Finish:
		return "ended" + ac.endText(r.Job)
	case log.RateChange:
		return fmt.Sprintf("now runs at %s s of work per second", formatRate(math.Float64frombits(uint64(r.X))))
	case log.Promise:
		return fmt.Sprintf("promised to start by %d", r.X)
	case log.Move:
		return "planned start" + ac.moveText(r, "")
	case log.Size:
		return "runs on" + ac.sizeText(r)
	case log.Resize:
		if r.X == 0 {
			return fmt.Sprintf("its planned size is %d processors", r.Y)
		}
		return fmt.Sprintf("its planned size changes from %d to %d processors", r.X, r.Y)
	case log.Fair:
		return fmt.Sprintf("its fair start is %d", r.X)
	case log.Group:
		return fmt.Sprintf("matched with job %s in a group with a gain of %.3f", ac.checker.jobID(r.Other), float64(r.X)/1e6)
	}
	return "?"
}

// formatRate formats a rate with three significant digits.
func formatRate(rate float64) string { return strconv.FormatFloat(rate, 'g', 3, 64) }

// endText returns the words with which an answer compares the runtime of job k with its estimate.
func (ac *AnswerChecker) endText(k job.Index) string {
	state := &ac.finalStates[k]
	switch early := state.estimatedEnd - state.end; {
	case ac.runCase.Log.Jobs[k].Killed:
		return ": it was killed at the end of its estimate."
	case early > 0:
		return fmt.Sprintf(", %d s before its estimate.", early)
	}
	return ", as estimated."
}

// moveText returns the text for a move of a planned start: the old and the new start, then timeOfMove, then the
// reason. The argument timeOfMove gives the time of the move in words; it may be empty.
func (ac *AnswerChecker) moveText(r *log.Record, timeOfMove string) string {
	return fmt.Sprintf(" moved from %d to %d%s ", r.X, r.Y, timeOfMove) + ac.fillTemplate(moveSentenceOf(r.Code), r) + "."
}

// sizeText returns the text for the final size of a job, from the numbers of the record.
func (ac *AnswerChecker) sizeText(r *log.Record) string {
	procs := ac.runCase.Log.Alloc(r.Job).Count()
	s := fmt.Sprintf(" %d processors", procs)
	if procs > 1 {
		s += "; the last one shortens its runtime by " + formatMicros(r.X)
	}
	if r.Y > 0 {
		s += "; one more would shorten its runtime by " + formatMicros(r.Y)
	}
	if s += "."; r.Code != log.NoReason {
		s += " It" + strings.TrimPrefix(ac.reasonText(r), "Job "+ac.checker.jobID(r.Job))
	}
	return s
}

// formatMicros formats microseconds as seconds.
func formatMicros(micros int64) string {
	text := strconv.FormatFloat(float64(micros)/1e6, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " s"
}
