package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/experiment"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// studyRuns collects the runs that studies need, in one batch per workload. Each run occurs only once.
type studyRuns struct {
	store   *runStore
	batches []*batch
	byKey   map[string]*studyBatch // by key of the workload
}

// studyBatch holds the cases (policies with their parameters) to run on one workload. Its run 0
// returns facts about the workload.
type studyBatch struct {
	source experiment.Source
	cases  []*experiment.Case // cases[i] is the case of run i+1
	known  map[string]bool    // names of the cases added so far
	batch  *batch
}

// add adds a run of a case on a workload, unless r already contains this run.
func (r *studyRuns) add(s experiment.Source, c *experiment.Case) {
	b := r.byKey[s.Key()]
	if b == nil {
		b = &studyBatch{source: s, known: map[string]bool{}}
		b.batch = &batch{runs: 1, load: b.load, withoutResults: func(run int) storedRun {
			if run == 0 {
				return r.withoutResults(s, factsCase)
			}
			return r.withoutResults(s, b.cases[run-1].String())
		}}
		r.byKey[s.Key()] = b
		r.batches = append(r.batches, b.batch)
	}
	if name := c.String(); !b.known[name] {
		b.known[name] = true
		b.cases = append(b.cases, c)
		b.batch.runs++
	}
}

// withoutResults returns a storedRun that identifies a run in the store. It has no results.
func (r *studyRuns) withoutResults(s experiment.Source, name string) storedRun {
	return storedRun{Key: r.store.program + " " + s.Key(), Load: s.String(), Case: name}
}

// load loads the workload and returns a function that executes a run.
func (b *studyBatch) load() (func(run int) (results, error), error) {
	w, facts, err := b.source.Load()
	if err != nil {
		return nil, err
	}
	return func(run int) (results, error) {
		if run == 0 {
			return facts, nil
		}
		r, err := experiment.Run(w, b.cases[run-1])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.source, err)
		}
		return r, nil
	}, nil
}

// facts returns the stored facts about a workload.
func (r *studyRuns) facts(s experiment.Source) experiment.Results {
	return r.store.get(r.withoutResults(s, factsCase))
}

// result returns the stored results of a case on a workload.
func (r *studyRuns) result(s experiment.Source, c *experiment.Case) experiment.Results {
	return r.store.get(r.withoutResults(s, c.String()))
}

// trace is a trace file that a study uses as a workload.
type trace struct {
	env   *env
	file  string
	rules workload.Rules
	procs int    // number of processors of the machine
	key   string // hash of the content, and the data rules
}

// openTrace reads the header of a trace and computes the hash of the file. It does not parse the
// jobs; Load does that later.
func openTrace(e *env, file string, rules workload.Rules) (*trace, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, err
	}
	procs, err := headerProcs(data)
	if err == nil && procs == 0 {
		err = errors.New("expected a header with MaxProcs or MaxNodes, got none")
	}
	if err != nil {
		return nil, withFile(file, err)
	}
	sum := sha256.Sum256(data)
	key := fmt.Sprintf("%s overrun=%v size=%v filter=%v limit=%d", hex.EncodeToString(sum[:8]), rules.Overrun, rules.Size, rules.Filter, rules.Limit)
	return &trace{&env{err: e.err, quiet: true}, file, rules, procs, key}, nil
}

func (t *trace) Key() string    { return t.key }
func (t *trace) String() string { return traceName(t.file) }

// Load reads the jobs of the trace and returns them with facts about them.
func (t *trace) Load() (*experiment.Workload, experiment.Results, error) {
	data, err := readFile(t.file)
	if err != nil {
		return nil, nil, err
	}
	w, err := t.env.parseJobs("swf", data, cluster.Flat(t.procs), t.rules, sacct.Choice{})
	if err != nil {
		return nil, nil, withFile(t.file, err)
	}
	return experiment.FromTrace(w), experiment.TraceFacts(w), nil
}
