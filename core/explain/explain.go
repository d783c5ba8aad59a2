// Package explain explains in sentences why a job waits, runs or is suspended at a given time. It
// uses the reasons that the policy recorded in the log. If the log has no reason, it states facts
// from the log, such as the number of free processors. It never guesses why a policy did something.
// Package log holds the sentence templates of the reasons.
package explain

import (
	"fmt"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// Kind says what a part of a sentence is.
type Kind uint8

// These are the kinds of parts.
const (
	Word     Kind = iota // plain text
	JobName              // Part.Job is the job
	Instant              // Part.Time is the time
	Duration             // Part.Time is the duration in seconds
)

// Part is a part of a sentence: plain text, the name of a job, a time or a duration. From the field
// Kind, the page knows which parts it can show as links.
type Part struct {
	Text string
	Kind Kind
	Job  job.Index // job.None unless Kind is JobName
	Time job.Time  // seconds; 0 unless Kind is Instant or Duration
}

// Sentence holds the parts of a sentence or of a phrase, in order.
type Sentence []Part

// Text returns the sentence as plain text.
func (s Sentence) Text() string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.Text)
	}
	return b.String()
}

// State is the state of a job.
type State uint8

// These are the states of a job.
const (
	NotSubmitted State = iota
	Waiting
	Running
	Suspended
	Done
)

var stateNames = [...]string{"not submitted", "waiting", "running", "suspended", "done"}

func (s State) String() string { return stateNames[s] }

// Fact holds a property of a job, such as its submission time.
type Fact struct {
	Name  string
	Value Sentence
}

// Event holds an entry in the history of a job.
type Event struct {
	At   job.Time
	Text Sentence
}

// List holds sentences about several jobs, one for each job. If there are too many, it leaves out
// the last ones.
type List struct {
	Items []Sentence
	More  int // number of sentences left out
}

// Answer explains the state of a job at a given time, after all events of that time.
type Answer struct {
	Job        job.Index
	At         job.Time
	State      State
	Facts      []Fact     // properties of the job that are known at time At
	Sentences  []Sentence // explanation of the state
	Holders    List       // running jobs and how many processors they hold, if the job waits
	Overtakers List       // jobs that were submitted later but started earlier
	History    []Event    // events of the job up to time At
	Later      []Event    // events of the job after time At

	clock format.Clock // formats the times in Text
}

// Text returns the answer as plain text, as the command prints it.
func (a *Answer) Text() string {
	var b strings.Builder
	for _, f := range a.Facts {
		b.WriteString(f.Name + strings.Repeat(" ", max(1, 12-len(f.Name))) + f.Value.Text() + "\n")
	}
	b.WriteString("\n")
	for _, s := range a.Sentences {
		b.WriteString(s.Text() + "\n")
	}
	a.Holders.writeText(&b, "Running jobs:")
	a.Overtakers.writeText(&b, "Overtaken by:")
	a.writeEvents(&b, "History:", a.History)
	a.writeEvents(&b, "Later:", a.Later)
	return b.String()
}

// writeEvents writes a title, and one line per event with its time. It writes nothing if there are
// no events.
func (a *Answer) writeEvents(b *strings.Builder, title string, all []Event) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	width := 6
	for _, e := range all {
		width = max(width, len(a.clock.Instant(e.At)))
	}
	for _, e := range all {
		fmt.Fprintf(b, "  %*s  %s\n", width, a.clock.Instant(e.At), e.Text.Text())
	}
}

// writeText writes a title, the sentences, and how many sentences were left out. It writes nothing
// if the list is empty.
func (l *List) writeText(b *strings.Builder, title string) {
	if len(l.Items) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	for _, s := range l.Items {
		b.WriteString("  " + s.Text() + "\n")
	}
	if l.More > 0 {
		b.WriteString("  and " + itoa(int64(l.More)) + " more\n")
	}
}
