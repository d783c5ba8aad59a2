// Package explain says in words why a job is where it is at an instant. It is
// not a second scheduler: it repeats what the policy recorded, and where
// nothing is recorded it says what the log shows in numbers, never what a
// policy might have thought. The words of reasons come from the table of
// package log.
package explain

import (
	"strings"

	"backfill-lab/core/job"
)

// Kind says what a part of a sentence stands for.
type Kind uint8

const (
	Word     Kind = iota
	JobName       // Part.Job is the job
	Moment        // Part.Time is the moment
	Duration      // Part.Time is the length of time
)

// Part is a piece of a sentence: plain words, or a job or instant that a page
// can make a link of.
type Part struct {
	Text string
	Kind Kind
	Job  job.Index // job.None unless Kind is JobName
	Time job.Time
}

// Sentence is a sentence in parts.
type Sentence []Part

// Text returns the sentence as plain text.
func (s Sentence) Text() string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.Text)
	}
	return b.String()
}

// State is what a job is doing.
type State uint8

const (
	NotSubmitted State = iota
	Waiting
	Running
	Suspended
	Done
)

var stateNames = [...]string{"not submitted", "waiting", "running", "suspended", "done"}

func (s State) String() string { return stateNames[s] }

// Fact is a named value of a job.
type Fact struct {
	Name  string
	Value Sentence
}

// Event is an entry of a job's history.
type Event struct {
	At   job.Time
	Text Sentence
}

// List is sentences about several jobs, the first few of them.
type List struct {
	Items []Sentence
	More  int // how many were left out
}

// Answer is why a job is where it is at an instant, after all that happened at
// that instant.
type Answer struct {
	Job        job.Index
	At         job.Time
	State      State
	Facts      []Fact
	Sentences  []Sentence
	Holders    List    // of a waiting job: who holds the processors
	Overtakers List    // jobs submitted later that started first
	History    []Event // up to At
	Later      []Event // after At, as the log of the whole schedule shows
}

// Text returns the answer as the command prints it.
func (a *Answer) Text() string {
	var b strings.Builder
	for _, f := range a.Facts {
		b.WriteString(f.Name + strings.Repeat(" ", max(1, 12-len(f.Name))) + f.Value.Text() + "\n")
	}
	b.WriteString("\n")
	for _, s := range a.Sentences {
		b.WriteString(s.Text() + "\n")
	}
	a.Holders.text(&b, "On the machine:")
	a.Overtakers.text(&b, "Submitted later, started first:")
	events(&b, "History:", a.History)
	events(&b, "Later:", a.Later)
	return b.String()
}

func events(b *strings.Builder, title string, all []Event) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	for _, e := range all {
		at := itoa(e.At)
		b.WriteString(strings.Repeat(" ", max(2, 8-len(at))) + at + "  " + e.Text.Text() + "\n")
	}
}

func (l *List) text(b *strings.Builder, title string) {
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
