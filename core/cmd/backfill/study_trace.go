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

// trace is a file of jobs as the source of a workload.
type trace struct {
	env   *env
	file  string
	rules workload.Rules
	procs int    // of its machine
	key   string // of its content and the rules
}

// openTrace looks at the file; its jobs are read when they are needed.
func openTrace(e *env, file string, rules workload.Rules) (*trace, error) {
	data, err := wholeFile(file)
	if err != nil {
		return nil, err
	}
	procs, err := headerProcs(data)
	if err == nil && procs == 0 {
		err = errors.New("expected a header with MaxProcs or MaxNodes, got none")
	}
	if err != nil {
		return nil, placed(file, err)
	}
	sum := sha256.Sum256(data)
	key := fmt.Sprintf("%s overrun=%v size=%v filter=%v limit=%d", hex.EncodeToString(sum[:8]), rules.Overrun, rules.Size, rules.Filter, rules.Limit)
	return &trace{&env{err: e.err, quiet: true}, file, rules, procs, key}, nil
}

func (t *trace) Key() string    { return t.key }
func (t *trace) String() string { return traceName(t.file) }

func (t *trace) Load() (*experiment.Load, experiment.Cell, error) {
	data, err := wholeFile(t.file)
	if err != nil {
		return nil, nil, err
	}
	w, err := t.env.parse("swf", data, cluster.Flat(t.procs), t.rules, sacct.Choice{})
	if err != nil {
		return nil, nil, placed(t.file, err)
	}
	return experiment.Of(w), experiment.About(w), nil
}
