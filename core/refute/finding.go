package refute

import (
	"strings"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// Finding describes a counterexample.
type Finding struct {
	Goal     *Goal              // goal that the counterexample reaches
	Title    string             // a sentence without a full stop
	At       job.Time           // time at which the problem occurs, or job.Never
	Job      string             // id of the job that shows the problem, or ""
	Details  []string           // further sentences
	Reasons  []Reason           // why policy A decided as it did at time At, and then why policy B did
	Scenario *scenario.Scenario // contains the workload of the counterexample
}

// Reason holds sentences that explain what one policy did with the job of a finding.
type Reason struct {
	Policy    string // title of the policy
	Sentences []string
}

// Text returns the lines of the finding that follow its title.
func (f *Finding) Text() string {
	var b strings.Builder
	for _, d := range f.Details {
		b.WriteString(d + "\n")
	}
	for _, r := range f.Reasons {
		b.WriteString(r.Policy + ": " + strings.Join(r.Sentences, " ") + "\n")
	}
	return b.String()
}

// Finding returns the smallest counterexample so far, or nil if there is none.
func (s *Search) Finding() (*Finding, error) {
	if s.found == nil {
		return nil, nil
	}
	t := s.trial(s.best)
	e, _, err := s.found.reached(t)
	if err != nil {
		return nil, err
	}
	f := &Finding{Goal: s.found, Title: e.what, At: e.at, Details: e.more}
	if e.job != job.None {
		f.Job = s.best.jobs[e.job].ID
	}
	for i, r := range t.runs {
		if r == nil {
			continue
		}
		title := t.subjects[i].Title
		if e.job != job.None {
			a := explain.NewIndex(r.log).WithClock(s.best.clock()).Why(e.job, e.at, explain.Options{})
			reason := Reason{Policy: title}
			for _, sentence := range a.Sentences {
				reason.Sentences = append(reason.Sentences, sentence.Text())
			}
			f.Reasons = append(f.Reasons, reason)
		}
		if r.err != nil {
			f.Details = append(f.Details, "The run of "+title+" ended with an error: "+r.err.Error()+".")
		}
	}
	f.Scenario = s.scenario(f)
	return f, nil
}

// scenario returns a scenario with the workload of a finding. It omits policies that have no name
// or run as another program, because a scenario cannot contain them.
func (s *Search) scenario(f *Finding) *scenario.Scenario {
	out := &scenario.Scenario{Title: f.Title, Text: f.Text()}
	out.Machine.Machine = s.best.machine
	out.Workload.Jobs = s.best.jobs
	for _, x := range []*Subject{s.c.A, s.c.B} {
		if x != nil && x.Policy.Name != "" && x.Policy.Program == nil {
			out.Policies = append(out.Policies, x.Policy)
		}
	}
	return out
}

// Size returns the size of the workload in words, such as "3 jobs on 4 processors".
func (f *Finding) Size() string {
	return format.Count(len(f.Scenario.Workload.Jobs), "job") + " on " + format.Count(f.Scenario.Machine.Slots(), "processor")
}
