package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/cluster"
	times "backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/opening"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/core/workload/swf"
)

// load reads the workload that the flags describe, and returns a setup that is ready to run.
func (e *env) load(s *source) (*scenario.Setup, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	f, err := e.open("in", s.in)
	if err != nil {
		return nil, err
	}
	defer f.close()
	format, err := f.formatOf(s.format)
	if err != nil {
		return nil, err
	}
	data, err := f.jobs(format)
	if err != nil {
		return nil, err
	}
	var setup *scenario.Setup
	if format == "json" {
		setup, err = e.loadScenario(s, data)
	} else {
		setup, err = e.loadTrace(s, format, data)
	}
	if err != nil {
		var u *usageError
		if errors.As(err, &u) {
			return nil, err
		}
		return nil, withFile(s.in, err)
	}
	e.reportRules(s, setup)
	if s.anonymise {
		return e.anonymise(setup)
	}
	return setup, nil
}

// anonymise returns an anonymised copy of the setup, without the dates of the jobs. It prints how
// many names were replaced.
func (e *env) anonymise(setup *scenario.Setup) (*scenario.Setup, error) {
	x, names := anonymise.Scenario(setup.Scenario, setup.Work.Jobs)
	w := *setup.Work
	w.Jobs, w.Rows, w.Calendar = x.Workload.Jobs, nil, nil // the anonymised scenario lists the jobs in the order of the run
	e.note("%s", names.Summary())
	return x.SetupWithWorkload(&w)
}

// reportRules prints how the data rules changed the jobs of a file, with the notes about the file and the note of the
// workload model. It prints nothing if no job changed and there are no notes. If the jobs will be anonymised, it prints
// neither the name of the file nor notes that contain names or dates.
func (e *env) reportRules(s *source, setup *scenario.Setup) {
	lines, prefix := setup.Work.Report.Sentences(), displayName(s.in)+": "
	if s.anonymise {
		lines, prefix = setup.Work.Report.AnonymousSentences(), ""
	}
	if len(lines) > 1 {
		e.note("%s%s", prefix, strings.Join(lines, "\n  "))
	}
	if setup.Note != "" {
		e.note("%s%s", prefix, setup.Note)
	}
}

// loadTrace returns the setup for a file that contains only jobs. The flags define the rest of the
// scenario.
func (e *env) loadTrace(s *source, format string, data []byte) (*scenario.Setup, error) {
	sum := sha256.Sum256(data)
	f := &scenario.File{Name: filepath.Base(s.in), SHA256: hex.EncodeToString(sum[:])}
	if format == opening.SACCT {
		f.Choice = sacct.Default
	}
	if err := s.applyRecordFlags(&f.Choice, format); err != nil {
		return nil, err
	}
	if err := s.checkSeed(nil, format); err != nil {
		return nil, err
	}
	var err error
	s.rules.Window, err = e.resolveWindow(&s.window, func() (*times.Calendar, error) { return fileCalendar(format, data, s.records) })
	if err != nil {
		return nil, err
	}
	w, m, err := e.readJobs(s, format, data)
	if err != nil {
		return nil, err
	}
	x := &scenario.Scenario{Machine: scenario.Machine{Machine: m}, Rules: s.rules}
	x.Workload.File = f
	s.applySeeds(x)
	if x.Policies, err = s.choosePolicies(nil); err != nil {
		return nil, err
	}
	if len(x.Policies) == 0 {
		return nil, usageErrorf("-policy: expected a policy, got nothing")
	}
	return x.SetupWithWorkload(w)
}

// loadScenario reads a scenario, applies the flags to it, and returns its setup.
func (e *env) loadScenario(s *source, data []byte) (*scenario.Setup, error) {
	text, err := opening.ReadScenario(bytes.NewReader(data), input.Options{})
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
	if s.flagSet.Changed("resource") {
		x.Machine.ResourcesUnknown = nil
	}
	if s.flagSet.Changed("block") {
		x.Machine.OutagesUnknown = nil
	}
	opening.ReorderResources(x.Workload.Jobs, resourceNames(old), x.Machine.Resources)
	s.rules.Window, err = e.resolveWindow(&s.window, func() (*times.Calendar, error) { return e.scenarioCalendar(s, x) })
	if err != nil {
		return nil, err
	}
	s.applyRuleFlags(&x.Rules)
	if err := s.checkSeed(x.Workload.Generator, "a scenario with other jobs"); err != nil {
		return nil, err
	}
	s.applySeeds(x)
	if x.Policies, err = s.choosePolicies(x.Policies); err != nil {
		return nil, err
	}
	if f := x.Workload.File; f != nil {
		return e.loadNamedFile(s, x, f)
	}
	if err := s.applyRecordFlags(nil, "a scenario"); err != nil {
		return nil, err
	}
	return x.Setup()
}

// readNamedFile returns the content of file f, which a scenario names, and its path and format. It
// applies the flags for accounting records to f.Choice. The file must be in the same folder as the
// scenario. If the scenario contains a hash of the file, the hash must match.
func (e *env) readNamedFile(s *source, f *scenario.File) (name, format string, data []byte, err error) {
	if s.in == standardStream {
		return "", "", nil, fmt.Errorf("workload, file: expected a scenario file in the same folder as %s, got standard input", f.Name)
	}
	name = filepath.Join(filepath.Dir(s.in), filepath.Base(f.Name))
	jobs, err := e.open("in", name)
	if err != nil {
		return "", "", nil, err
	}
	defer jobs.close()
	if format, err = jobs.formatOf(""); err != nil {
		return "", "", nil, err
	}
	if data, err = jobs.jobs(format); err != nil {
		return "", "", nil, err
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); f.SHA256 != "" && got != f.SHA256 {
		return "", "", nil, fmt.Errorf("workload, sha256: expected %s as the hash of %s, got %s", f.SHA256, name, got)
	}
	return name, format, data, s.applyRecordFlags(&f.Choice, format)
}

// loadNamedFile reads the jobs of scenario x from file f, which the scenario names, and returns the
// setup of the scenario.
func (e *env) loadNamedFile(s *source, x *scenario.Scenario, f *scenario.File) (*scenario.Setup, error) {
	name, format, data, err := e.readNamedFile(s, f)
	if err != nil {
		return nil, err
	}
	w, err := e.parseJobs(format, data, x.Machine.Machine, x.Rules.Rules, f.Choice)
	if err != nil {
		return nil, withFile(name, err)
	}
	return x.SetupWithWorkload(w)
}

// readJobs reads the jobs of a file. The flags describe the machine. If no flag sets the number of
// nodes, readJobs takes it from the header of an SWF file, or estimates it from accounting records.
func (e *env) readJobs(s *source, format string, data []byte) (*workload.Workload, cluster.Machine, error) {
	suggested, note := cluster.Flat(0), ""
	var err error
	if !s.flagSet.Changed("nodes") {
		switch format {
		case opening.SWF:
			suggested.Nodes, err = headerProcs(data)
		case opening.SACCT:
			suggested, note, err = proposedMachine(data, s.records)
		}
	}
	if err != nil {
		return nil, cluster.Machine{}, err
	}
	m, err := s.machineOrSuggested(suggested)
	if err != nil {
		return nil, m, err
	}
	if err := m.Validate(); err != nil {
		return nil, m, err
	}
	w, err := e.parseJobs(format, data, m, s.rules.Rules, s.records)
	if err == nil && note != "" {
		w.Report.Notes = append(w.Report.Notes, note)
	}
	return w, m, err
}

// parseJobs parses jobs and applies the data rules to them.
func (e *env) parseJobs(format string, data []byte, m cluster.Machine, rules workload.Rules, c sacct.Choice) (*workload.Workload, error) {
	p := e.newProgress("reading", len(data))
	defer p.close()
	o := input.Options{Progress: func(bytes int64) error { p.update(int(bytes)); return nil }}
	switch format {
	case opening.SACCT:
		f, err := sacct.Read(bytes.NewReader(data), sacct.Options{Options: o, Choice: c, Resources: resourceNames(m.Resources)})
		if err != nil {
			return nil, err
		}
		w, err := opening.CleanAccounting(f, m.Slots(), rules)
		if err == nil {
			e.addWaits(w, f, &rules)
		}
		return w, err
	case opening.SWF:
		return workload.Read(bytes.NewReader(data), swf.Options{Options: o}, m.Slots(), rules)
	}
	t, err := csv.Read(bytes.NewReader(data), csv.Options{Options: o})
	if err != nil {
		return nil, err
	}
	names := resourceNames(m.Resources)
	for _, r := range t.Resources {
		if !slices.Contains(names, r) {
			return nil, fmt.Errorf("column res:%s: expected a resource of the machine; use -resource %s=N to give its capacity", r, r)
		}
	}
	opening.ReorderResources(t.Jobs, t.Resources, m.Resources)
	return opening.CleanTable(t, m.Slots(), rules)
}

// addWaits adds a note to the report of w, which says how long the jobs waited on the real machine. It adds none if
// the records have no start times, or if a load factor moved the submissions.
func (e *env) addWaits(w *workload.Workload, f *sacct.File, rules *workload.Rules) {
	waits := opening.ActualWaits(f, w)
	if x := rules.LoadFactor; waits.Jobs == 0 || x != 0 && x != 1 {
		return
	}
	clock := times.Clock{}
	if !e.seconds {
		clock = times.ClockFor(job.LastEnd(w.Jobs), w.Calendar)
	}
	w.Report.Notes = append(w.Report.Notes, waits.Text(clock))
}

// errStop is returned by a callback to stop reading after the header of a file.
var errStop = errors.New("stop")

// headerProcs returns the number of processors in the header of an SWF file, or 0 if it is missing.
func headerProcs(data []byte) (int, error) {
	h, err := traceHeader(data)
	return int(h.Procs()), err
}

// traceHeader returns the header of an SWF file.
func traceHeader(data []byte) (swf.Header, error) {
	sum, err := swf.Each(bytes.NewReader(data), swf.Options{}, func(int, *swf.Record) error { return errStop })
	if errors.Is(err, errStop) {
		err = nil
	}
	return sum.Header, err
}

// resourceNames returns the names of resources.
func resourceNames(list []cluster.Resource) (out []string) {
	for _, r := range list {
		out = append(out, r.Name)
	}
	return out
}
