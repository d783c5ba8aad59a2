package workload

import (
	"io"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/swf"
)

// Read reads an SWF file, plain or gzip, and applies the rules to each record. Procs is the size
// of the machine. If it is 0, the size comes from the header of the file: MaxProcs or, if that is
// missing, MaxNodes.
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

// Apply is Read for a file that is already in memory.
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

// Each calls Add. It implements the callback of swf.Each.
func (b *Builder) Each(line int, rec *swf.Record) error {
	b.Add(line, rec)
	return nil
}

// FinishFile completes the workload of an SWF file. If procs is not positive, the size of the
// machine comes from the header of the file.
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

// Clean applies the rules to jobs from a CSV file, a generator or a form. For the report,
// lines[i] is the line of jobs[i]; lines may be nil. The rules Size and Filter concern SWF
// fields and have no effect here.
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
