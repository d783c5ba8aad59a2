package workload

import (
	"io"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/swf"
)

// Read reads an SWF file, plain or gzip, and applies the data rules to each record. The machine has
// procs processors. If procs is 0, Read uses MaxProcs in the header of the file or, if MaxProcs is
// missing, MaxNodes.
func Read(r io.Reader, o swf.Options, procs int, rules Rules) (*Workload, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	b := NewBuilder(rules)
	sum, err := swf.Each(r, o, b.AddRecord)
	if err != nil {
		return nil, err
	}
	return b.FinishFile(procs, sum)
}

// Apply is like Read, for a file that is already in memory.
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

// AddRecord calls Add and returns nil. It can serve as the callback of swf.Each.
func (b *Builder) AddRecord(line int, rec *swf.Record) error {
	b.Add(line, rec)
	return nil
}

// FinishFile completes the workload of an SWF file. If procs is not positive, it uses the number of
// processors in the header of the file.
func (b *Builder) FinishFile(procs int, sum swf.Summary) (*Workload, error) {
	if procs <= 0 {
		procs = int(sum.Header.Procs())
	}
	b.report.Counts[LongLine] = Count{sum.LongLines.N, sum.LongLines.First}
	b.report.Counts[DecimalsCut] = Count{sum.DecimalsCut.N, sum.DecimalsCut.First}
	w, err := b.Finish(procs)
	if err != nil {
		return nil, err
	}
	w.Header, w.Calendar = sum.Header, sum.Header.Calendar().Later(w.Shift)
	return w, nil
}

// Clean applies the data rules to jobs from a CSV file, a generator or a form. The slice
// lineNumbers holds the line number of each job, for the report. It may be nil. The rules Size and
// Filter have no effect, because they use fields of SWF records.
func Clean(jobs []job.Job, lineNumbers []int, procs int, rules Rules) (*Workload, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	b := NewBuilder(rules)
	for i := range jobs {
		line := 0
		if lineNumbers != nil {
			line = lineNumbers[i]
		}
		b.AddJob(line, jobs[i])
	}
	return b.Finish(procs)
}
