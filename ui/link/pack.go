package link

import (
	"encoding/binary"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// packer writes a columnar form; see the package comment.
type packer struct{ out []byte }

func (p *packer) number(v int)   { p.out = binary.AppendUvarint(p.out, uint64(v)) }
func (p *packer) signed(v int64) { p.out = binary.AppendVarint(p.out, v) }

func (p *packer) text(s string) {
	p.number(len(s))
	p.out = append(p.out, s...)
}

// Pack returns the columnar form of version 1. It lists all jobs, even if they came from a
// file. If the workload names a generator, it stores the generator instead.
func Pack(d *Document) []byte {
	p := &packer{}
	jobs := d.Scenario.Workload.Jobs
	frame, rows := withoutPlainJobs(d.Scenario)
	p.text(string(scenario.Format(frame)))
	p.number(len(jobs))
	p.ids(jobs)
	p.columns(jobs)
	last := 0
	for _, row := range rows {
		p.number(row - last)
		last = row
	}
	p.number(len(d.Typed))
	last = 0
	for _, t := range d.Typed {
		p.number(t.Row + 1 - last)
		p.number(t.Column)
		p.text(t.Text)
		last = t.Row + 1
	}
	return p.out
}

func (p *packer) ids(jobs []job.Job) {
	sequential := true
	for i := range jobs {
		sequential = sequential && jobs[i].ID == strconv.Itoa(i+1)
	}
	if sequential {
		p.number(0)
		return
	}
	p.number(1)
	for i := range jobs {
		p.text(jobs[i].ID)
	}
}

func (p *packer) columns(jobs []job.Job) {
	last := int64(0)
	for i := range jobs {
		p.signed(jobs[i].Submit - last)
		last = jobs[i].Submit
	}
	for i := range jobs {
		p.signed(int64(jobs[i].Procs))
	}
	for i := range jobs {
		p.signed(jobs[i].Estimate)
	}
	for i := range jobs {
		p.signed(jobs[i].Estimate - jobs[i].Runtime)
	}
}

// withoutPlainJobs returns the scenario with only those jobs that have data outside the five columns of the
// link. It also returns the rows of these jobs.
func withoutPlainJobs(s *scenario.Scenario) (*scenario.Scenario, []int) {
	f := *s
	w := &f.Workload
	w.File, w.Jobs, w.JobsUnknown = nil, []job.Job{}, nil
	var rows []int
	for i := range s.Workload.Jobs {
		more, killed := s.Workload.Jobs[i].More, s.Workload.Jobs[i].Killed
		var kept scenario.Fields
		if i < len(s.Workload.JobsUnknown) {
			kept = s.Workload.JobsUnknown[i]
		}
		if more == nil && !killed && kept == nil {
			continue
		}
		j := dummy
		j.More, j.Killed = more, killed
		w.Jobs, w.JobsUnknown, rows = append(w.Jobs, j), append(w.JobsUnknown, kept), append(rows, i)
	}
	return &f, rows
}

// dummy takes the place of a job in the scenario file that a columnar form contains. Its values are
// ignored, because the columns hold the real ones.
var dummy = job.Job{ID: "1", Runtime: 1, Request: job.Request{Procs: 1, Estimate: 1}}
