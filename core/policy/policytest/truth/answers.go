package truth

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Answer holds the text that a user reads after asking why a job is in its state at a time.
type Answer struct {
	Job                         job.Index
	At                          job.Time
	Facts                       []Line // Name is the name of the fact
	Lines                       []Line // sentences about the job itself
	Holders, Overtakers         []Line // sentences about running jobs, and about jobs that were submitted later but started first
	MoreHolders, MoreOvertakers int    // number of further sentences that the answer leaves out
	History, Later              []Line // what happened up to At, and after At; Name is the time
	Brief                       bool   // whether the answer comes from a log of level log.Decisions
}

// Line holds a line of an answer. Name is the time or the name at the start of the line, or empty.
type Line struct{ Name, Text string }

// AnswerChecker checks answers about a log in which Case.Check has found no errors. It recomputes
// each number, job and time of each sentence for the time that the question asks about.
type AnswerChecker struct {
	runCase          *Case
	checker          *checker
	applied          int                        // number of records applied to the checker
	finalStates      []jobState                 // by job, after the last record
	headAtSubmission map[job.Index]job.Index    // the first job in the queue when a job was submitted, if the history names it
	byJob            [][]*log.Record            // by job: its records, except those about attempts during a search
	byTime           map[job.Time][]*log.Record // by time: all records of this time
	starts           []*log.Record              // by job: its last start, or nil
	ids              map[string]job.Index       // by ID: index of the job
	sentenceCounts   map[string]int             // how often each sentence pattern or section was checked
	problems         []string                   // errors found in answer
	answer           *Answer
}

// NewAnswerChecker returns a checker for answers about the log. The checker counts in the map seen how often it checks
// each sentence pattern.
func (c *Case) NewAnswerChecker(seen map[string]int) *AnswerChecker {
	x := &AnswerChecker{runCase: withInnerPolicy(c), sentenceCounts: seen, ids: map[string]job.Index{}, byTime: map[job.Time][]*log.Record{}}
	runLog := c.Log
	x.byJob, x.starts = make([][]*log.Record, len(runLog.Jobs)), make([]*log.Record, len(runLog.Jobs))
	for k := range runLog.Jobs {
		x.ids[runLog.Jobs[k].ID] = job.Index(k)
	}
	for r := range runLog.All() {
		x.byTime[r.At] = append(x.byTime[r.At], r)
		if r.Job == job.None || isAttempt(r) {
			continue
		}
		x.byJob[r.Job] = append(x.byJob[r.Job], r)
		if r.Kind == log.Start {
			x.starts[r.Job] = r
		}
	}
	x.restart()
	x.findHeadsAtSubmission()
	x.applyUntil(job.Never)
	x.finalStates = x.checker.jobs
	x.restart()
	return x
}

// restart resets the checker to the state before the first record.
func (ac *AnswerChecker) restart() {
	ac.checker = &checker{replay: newReplay(ac.runCase), counts: Counts{}, expectedResponse: map[job.Index]float64{}}
	ac.applied = 0
}

// applyUntil applies all records up to and including the given time.
func (ac *AnswerChecker) applyUntil(until job.Time) {
	for ; ac.applied < ac.runCase.Log.Len(); ac.applied++ {
		r := ac.runCase.Log.Record(ac.applied)
		if r.At > until {
			break
		}
		if r.At > ac.checker.now {
			ac.checker.startInstant(r.At)
		}
		ac.checker.record = r
		ac.checker.apply(r)
	}
	if until != job.Never {
		ac.checker.startInstant(until)
	}
}

// Check returns one line for each error in an answer. A sentence that matches no pattern is an
// error, too. Check is fastest if answers come in the order of their times.
func (ac *AnswerChecker) Check(a *Answer) (untrue []string) {
	if a.At < ac.checker.now {
		ac.restart()
	}
	ac.applyUntil(a.At)
	ac.answer, ac.problems = a, nil
	if ac.checker.inSlices {
		ac.checker.currentType = ac.checker.typeOf(a.Job)
	}
	ac.compareLines("facts", a.Facts, ac.factLines())
	ac.checkSentences()
	ac.checkHolders()
	ac.checkOvertakers()
	past, later := ac.history()
	if a.Brief { // the line depends on records that a brief log does not have
		past, later = withoutHeads(past), withoutHeads(later)
		a.History, a.Later = withoutHeads(a.History), withoutHeads(a.Later)
	}
	ac.compareLines("history", a.History, past)
	ac.compareLines("later", a.Later, later)
	ac.checkHeldBack() // last, because it goes back in time
	return ac.problems
}

// fail records an error in the answer.
func (ac *AnswerChecker) fail(format string, args ...any) {
	ac.problems = append(ac.problems, fmt.Sprintf("job %s at %d: ", ac.checker.jobID(ac.answer.Job), ac.answer.At)+fmt.Sprintf(format, args...))
}

// compareLines compares lines of the answer with the expected lines.
func (ac *AnswerChecker) compareLines(section string, got, want []Line) {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(want):
			ac.fail("%s: unexpected line %v", section, got[i])
		case i >= len(got):
			ac.fail("%s: %v is missing", section, want[i])
		case got[i].Name != want[i].Name || toSingular.Replace(got[i].Text) != toSingular.Replace(want[i].Text):
			ac.fail("%s: %v should be %v", section, got[i], want[i])
		default:
			ac.sentenceCounts[section]++
			continue
		}
		return
	}
}

// ParseAnswer parses an answer in the format that the command prints.
func ParseAnswer(text string, k job.Index, at job.Time) *Answer {
	a := &Answer{Job: k, At: at}
	section := &a.Facts
	more := new(int)
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if n, ok := strings.CutPrefix(line, "  and "); ok && strings.HasSuffix(n, " more") {
			*more, _ = strconv.Atoi(strings.TrimSuffix(n, " more"))
			continue
		}
		switch {
		case line == "" && section == &a.Facts:
			section = &a.Lines
		case line == "":
		case line == "Running jobs:":
			section, more = &a.Holders, &a.MoreHolders
		case line == "Overtaken by:":
			section, more = &a.Overtakers, &a.MoreOvertakers
		case line == "History:":
			section = &a.History
		case line == "Later:":
			section = &a.Later
		case section == &a.Facts:
			*section = append(*section, Line{strings.TrimSpace(line[:12]), line[12:]})
		case section == &a.History || section == &a.Later:
			name, content, _ := strings.Cut(strings.TrimSpace(line), "  ")
			*section = append(*section, Line{name, content})
		default:
			*section = append(*section, Line{"", strings.TrimPrefix(line, "  ")})
		}
	}
	return a
}
