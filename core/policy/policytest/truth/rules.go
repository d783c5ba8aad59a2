package truth

import (
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
)

// Rules holds the reasons that a policy may give, and functions that check whether the reasons are
// true. The policies in judge.WithOwnTests need no Rules. The tests of other policies set Case.Rules.
type Rules struct {
	// Reasons holds the reasons by kind of record: log.Start, log.Hold, log.Move and so on.
	Reasons map[log.Kind][]log.Code
	// Checks holds the checks for the policy's own reasons. A check for a shared reason replaces
	// the check of this package.
	Checks map[log.Code]func(*Facts)
}

// Facts holds what a log implies just before a record: the machine, the jobs and their planned
// starts. Checks compare the record with these facts.
type Facts struct{ c *checker }

// Record returns the record to check.
func (f *Facts) Record() *log.Record { return f.c.record }

// Now returns the time of the record.
func (f *Facts) Now() job.Time { return f.c.now }

// Log returns the whole log.
func (f *Facts) Log() *log.Log { return f.c.Log }

// Settings returns the values of all knobs.
func (f *Facts) Settings() policy.Values { return f.c.Knobs }

// Number returns the value of a knob that is a number.
func (f *Facts) Number(knob string) float64 { return f.c.Knobs.Float(knob) }

// Text returns the value of a knob that is not a number.
func (f *Facts) Text(knob string) string { return f.c.Knobs.Text(knob) }

// Queue returns the waiting jobs, sorted in the order that the knob "order" names. If the policy
// has no such knob, they are in submission order.
func (f *Facts) Queue() []job.Index { return f.c.queue(f.c.queueOrder(), anyJob) }

// Ended returns the jobs that ended at this instant.
func (f *Facts) Ended() []job.Index { return f.c.ended }

// EndedEarly reports whether the finished job k ended before its estimate.
func (f *Facts) EndedEarly(k job.Index) bool { return f.c.endedEarly(k) }

// Free returns the number of free processors.
func (f *Facts) Free() int64 { return f.c.free()[0] }

// Fits reports whether the free processors and extra resources are enough for job k now.
func (f *Facts) Fits(k job.Index) bool { return f.c.fitsNow(k) }

// PlannedStart returns the promised start of job k after all moves so far, or -1 if the policy
// promised none.
func (f *Facts) PlannedStart(k job.Index) job.Time { return f.c.jobs[k].plannedStart }

// LastWait returns the last record that gives a reason why job k waits, or nil.
func (f *Facts) LastWait(k job.Index) *log.Record {
	if r := &f.c.jobs[k].lastHold; r.At != unset {
		return r
	}
	return nil
}

// Plan returns a plan that holds the running jobs until their estimated ends, and the
// outages.
func (f *Facts) Plan() *Plan { return &Plan{f.c, f.c.runningPlan()} }

// Expect records an error unless condition is true. The message continues the words "expected
// that".
func (f *Facts) Expect(condition bool, format string, args ...any) {
	f.c.expect(condition, format, args...)
}

// ExpectEqual records an error if a number of the record differs from the computed one.
func (f *Facts) ExpectEqual(name string, recorded, computed int64) {
	f.c.expectEqual(name, recorded, computed)
}

// Plan holds the resources that are allocated over time.
type Plan struct {
	c *checker
	p *plan
}

// Reserve allocates the resources that job k requests, from the given time until the job's
// estimated end.
func (p *Plan) Reserve(k job.Index, from job.Time) {
	p.p.allocate(p.c.demand(k), from, from+p.c.estimatedRuntime(k))
}

// Earliest returns the earliest start of job k, now or later.
func (p *Plan) Earliest(k job.Index) job.Time {
	return p.p.earliest(p.c.demand(k), p.c.estimatedRuntime(k), p.c.now)
}

// Fits reports whether the plan has enough free resources for job k from the given time until the
// job's estimated end.
func (p *Plan) Fits(k job.Index, from job.Time) bool {
	return p.p.fits(p.c.demand(k), from, p.c.estimatedRuntime(k))
}

// checkByRules checks the current record with the rules of the case. It reports whether the rules
// contain a check for it.
func (c *checker) checkByRules() bool {
	if c.Rules == nil {
		return false
	}
	check := c.Rules.Checks[c.record.Code]
	if check != nil {
		check(&Facts{c})
	}
	return check != nil
}

// hasCheck reports whether this package or the rules of the case contain a check for a reason.
func (c *Case) hasCheck(code log.Code) bool {
	return c.Rules != nil && c.Rules.Checks[code] != nil || reasonChecks[code] != nil
}

// sentenceOf returns the sentence of a reason. Shared reasons have their sentences in the map sentences.
// The sentence of a reason that a policy has defined comes from package log; sentenceOf converts its
// placeholders to the form that this map uses.
func sentenceOf(code log.Code) string {
	if code.IsShared() {
		return sentences[code]
	}
	return typedPlaceholders(code, log.Codes[code].Sentence)
}

// moveSentenceOf returns the words for a reason to move a planned start, in the form that moveSentences
// uses.
func moveSentenceOf(code log.Code) string {
	if code.IsShared() {
		return moveSentences[code]
	}
	return typedPlaceholders(code, log.Codes[code].Moved)
}

// typedPlaceholders adds the types of X and Y to the placeholders {x} and {y}. For example, {x}
// becomes {xs} if X is in seconds (see sentences).
func typedPlaceholders(code log.Code, text string) string {
	units := map[log.Arg]string{log.Duration: "s", log.Ratio: "r", log.Resource: "z"}
	info := &log.Codes[code]
	return strings.NewReplacer("{x}", "{x"+units[info.X]+"}", "{y}", "{y"+units[info.Y]+"}").Replace(text)
}
