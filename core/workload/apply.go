package workload

import (
	"io"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/swf"
)

// Read reads an SWF file, plain or gzip, and applies the rules as it goes.
// procs is the size of the machine; 0 takes it from the file's header
// (MaxProcs, else MaxNodes).
func Read(r io.Reader, o swf.Options, procs int, rules Rules) (*Workload, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	b := NewBuilder(rules)
	sum, err := swf.Each(r, o, b.Each)
	if err != nil {
		return nil, err
	}
	return b.FinishFile(procs, sum)
}

// Apply does the same to a file that is in memory already.
func Apply(f *swf.File, procs int, rules Rules) (*Workload, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	b := NewBuilder(rules)
	for i := range f.Body {
		b.Add(f.Lines[i], &f.Body[i])
	}
	return b.FinishFile(procs, f.Summary)
}

// Each returns Add for swf.Each.
func (b *Builder) Each(line int, rec *swf.Record) error {
	b.Add(line, rec)
	return nil
}

// FinishFile returns Finish for the records of an SWF file; procs 0 takes the machine
// from its header.
func (b *Builder) FinishFile(procs int, sum swf.Summary) (*Workload, error) {
	if procs <= 0 {
		procs = int(sum.Header.Procs())
	}
	b.report.Counts[LongLine] = Count{sum.Longer.N, sum.Longer.First}
	b.report.Counts[DecimalsCut] = Count{sum.Cut.N, sum.Cut.First}
	w, err := b.Finish(procs)
	if err != nil {
		return nil, err
	}
	w.Header = sum.Header
	return w, nil
}

// Clean applies the rules to jobs that come from elsewhere: a CSV file, a
// generator, a form. lines[i] is the line of jobs[i] for the report; nil where
// there are none. Size and Filter speak of SWF fields and do nothing here.
func Clean(jobs []job.Job, lines []int, procs int, rules Rules) (*Workload, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	b := NewBuilder(rules)
	for i := range jobs {
		line := 0
		if lines != nil {
			line = lines[i]
		}
		b.AddJob(line, jobs[i])
	}
	return b.Finish(procs)
}
