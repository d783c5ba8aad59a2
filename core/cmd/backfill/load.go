package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/cluster"
	"backfill-lab/core/reading"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/core/workload/swf"
)

// load reads the workload that the flags name and makes it ready to run.
func (e *env) load(s *source) (*scenario.Setup, error) {
	if err := s.valid(); err != nil {
		return nil, err
	}
	f, err := e.open("in", s.in)
	if err != nil {
		return nil, err
	}
	defer f.close()
	format, err := f.format(s.format)
	if err != nil {
		return nil, err
	}
	data, err := f.jobs(format)
	if err != nil {
		return nil, err
	}
	var up *scenario.Setup
	if format == "json" {
		up, err = e.scenario(s, data)
	} else {
		up, err = e.trace(s, format, data)
	}
	if err != nil {
		var u *usage
		if errors.As(err, &u) {
			return nil, err
		}
		return nil, placed(s.in, err)
	}
	e.report(s.in, &up.Work.Report)
	if up.Note != "" {
		e.note("%s: %s", shown(s.in), up.Note)
	}
	if s.anonymise {
		return e.anonymised(up)
	}
	return up, nil
}

// anonymised returns a setup with numbers in the place of names.
func (e *env) anonymised(up *scenario.Setup) (*scenario.Setup, error) {
	x, names := anonymise.Scenario(up.Scenario, up.Work.Jobs)
	w := *up.Work
	w.Jobs = x.Workload.Jobs
	e.note("%s", names.Summary())
	return x.WithWorkload(&w)
}

// report tells what the rules did to the records of a file, if they did
// something.
func (e *env) report(name string, r *workload.Report) {
	lines := r.Sentences()
	if len(lines) == 1 {
		return
	}
	e.note("%s: %s", shown(name), lines[0])
	for _, line := range lines[1:] {
		e.note("  %s", line)
	}
}

// trace makes a scenario of a file that holds jobs alone.
func (e *env) trace(s *source, format string, data []byte) (*scenario.Setup, error) {
	sum := sha256.Sum256(data)
	f := &scenario.File{Name: filepath.Base(s.in), SHA256: hex.EncodeToString(sum[:])}
	if err := s.chosen(&f.Choice, format); err != nil {
		return nil, err
	}
	w, m, err := e.jobs(s, format, data)
	if err != nil {
		return nil, err
	}
	x := &scenario.Scenario{Machine: scenario.Machine{Machine: m}, Rules: s.rules}
	x.Workload.File = f
	s.reseed(x)
	if x.Policies, err = s.choose(nil); err != nil {
		return nil, err
	}
	if len(x.Policies) == 0 {
		return nil, misuse("-policy: expected a policy, got nothing")
	}
	return x.WithWorkload(w)
}

// scenario reads a scenario and lets the flags change it.
func (e *env) scenario(s *source, data []byte) (*scenario.Setup, error) {
	text, err := reading.ReadScenario(bytes.NewReader(data), input.Options{})
	if err != nil {
		return nil, err
	}
	x, err := scenario.Parse(text)
	if err != nil {
		return nil, err
	}
	old := x.Machine.Resources
	if x.Machine.Machine, err = s.machine(x.Machine.Machine); err != nil {
		return nil, err
	}
	if s.set.Changed("resource") {
		x.Machine.ResourcesUnknown = nil
	}
	if s.set.Changed("block") {
		x.Machine.OutagesUnknown = nil
	}
	reading.Reorder(x.Workload.Jobs, namesOf(old), x.Machine.Resources)
	s.changed(&x.Rules)
	s.reseed(x)
	if x.Policies, err = s.choose(x.Policies); err != nil {
		return nil, err
	}
	if f := x.Workload.File; f != nil {
		return e.beside(s, x, f)
	}
	if err := s.chosen(nil, "a scenario"); err != nil {
		return nil, err
	}
	return x.Setup()
}

// beside opens the file that a scenario names, which lies beside it.
func (e *env) beside(s *source, x *scenario.Scenario, f *scenario.File) (*scenario.Setup, error) {
	if s.in == standardInput {
		return nil, fmt.Errorf("workload, file: expected a scenario from a file, beside which %s lies, got standard input", f.Name)
	}
	name := filepath.Join(filepath.Dir(s.in), filepath.Base(f.Name))
	jobs, err := e.open("in", name)
	if err != nil {
		return nil, err
	}
	defer jobs.close()
	format, err := jobs.format("")
	if err != nil {
		return nil, err
	}
	data, err := jobs.jobs(format)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); f.SHA256 != "" && got != f.SHA256 {
		return nil, fmt.Errorf("workload, sha256: expected %s as the hash of %s, got %s", f.SHA256, name, got)
	}
	if err := s.chosen(&f.Choice, format); err != nil {
		return nil, err
	}
	w, err := e.parse(format, data, x.Machine.Machine, x.Rules.Rules, f.Choice)
	if err != nil {
		return nil, placed(name, err)
	}
	return x.WithWorkload(w)
}

// jobs reads jobs for the machine of the flags or of the file's header.
func (e *env) jobs(s *source, format string, data []byte) (*workload.Workload, cluster.Machine, error) {
	procs, why := 0, ""
	var err error
	if !s.set.Changed("nodes") {
		switch format {
		case reading.SWF:
			procs, err = headerProcs(data)
		case reading.SACCT:
			procs, why, err = recordsProcs(data, s.records)
		}
	}
	if err != nil {
		return nil, cluster.Machine{}, err
	}
	m, err := s.sized(procs)
	if err != nil {
		return nil, m, err
	}
	if err := m.Validate(); err != nil {
		return nil, m, err
	}
	w, err := e.parse(format, data, m, s.rules.Rules, s.records)
	if err == nil && why != "" {
		w.Report.Notes = append(w.Report.Notes, why)
	}
	return w, m, err
}

// parse reads jobs and applies the rules.
func (e *env) parse(format string, data []byte, m cluster.Machine, rules workload.Rules, c sacct.Choice) (*workload.Workload, error) {
	p := e.progress("reading", len(data))
	defer p.close()
	o := input.Options{Progress: func(bytes int64) error { p.at(int(bytes)); return nil }}
	switch format {
	case reading.SACCT:
		f, err := sacct.Read(bytes.NewReader(data), sacct.Options{Options: o, Choice: c, Resources: namesOf(m.Resources)})
		if err != nil {
			return nil, err
		}
		return reading.CleanAccounting(f, m.Slots(), rules)
	case reading.SWF:
		return workload.Read(bytes.NewReader(data), swf.Options{Options: o}, m.Slots(), rules)
	}
	t, err := csv.Read(bytes.NewReader(data), csv.Options{Options: o})
	if err != nil {
		return nil, err
	}
	have := namesOf(m.Resources)
	for _, r := range t.Resources {
		if !slices.Contains(have, r) {
			return nil, fmt.Errorf("column res:%s: expected a resource of the machine; -resource %s=N says how many there are", r, r)
		}
	}
	reading.Reorder(t.Jobs, t.Resources, m.Resources)
	return reading.CleanTable(t, m.Slots(), rules)
}

var errStop = errors.New("stop")

// headerProcs returns the size of the machine that the header of an SWF file tells,
// 0 if it does not.
func headerProcs(data []byte) (int, error) {
	sum, err := swf.Each(bytes.NewReader(data), swf.Options{}, func(int, *swf.Record) error { return errStop })
	if errors.Is(err, errStop) {
		err = nil
	}
	return int(sum.Header.Procs()), err
}

func namesOf(list []cluster.Resource) (out []string) {
	for _, r := range list {
		out = append(out, r.Name)
	}
	return out
}
