package main

import (
	"bytes"

	"github.com/spf13/pflag"

	"backfill-lab/core/cluster"
	"backfill-lab/core/opening"
	"backfill-lab/core/workload/sacct"
)

// recordFlags adds the flags for reading accounting records.
func (s *source) recordFlags(f *pflag.FlagSet) {
	f.Var((*partitionFlag)(&s.records.Partition), "partition", "accounting records (sacct -P): keep only the jobs of the partition `NAME`; repeatable")
	f.TextVar(&s.records.Unit, "unit", sacct.CPUs, "accounting records: count the `cpus|nodes` of a job as its processors")
	f.TextVar(&s.records.Submit, "submit-time", sacct.AtEligible, "accounting records: a job enters the queue at its `eligible|submit` time: when it could first start, or when it was submitted")
	f.Var((*limitFlag)(&s.records.Limits), "wall-limit", "accounting records: for jobs without a wall time limit (UNLIMITED, Partition_Limit), use `[PARTITION=]DURATION` as the limit, such as batch=2d; repeatable")
}

// partitionFlag implements the flag -partition, which can be repeated. Its value is a
// comma-separated list of partition names.
type partitionFlag string

func (p *partitionFlag) String() string { return string(*p) }
func (p *partitionFlag) Type() string   { return "NAME" }
func (p *partitionFlag) Set(text string) error {
	if *p != "" && text != "" {
		text = string(*p) + "," + text
	}
	*p = partitionFlag(text)
	return nil
}

// limitFlag implements the flag -wall-limit, which can be repeated. Its value is a comma-separated
// list of wall time limits.
type limitFlag sacct.Limits

func (l *limitFlag) String() string { return string(*l) }
func (l *limitFlag) Type() string   { return "[PARTITION=]DURATION" }
func (l *limitFlag) Set(text string) error {
	return (*sacct.Limits)(l).UnmarshalText([]byte(string(*l) + "," + text))
}

// applyRecordFlags copies the values of flags for accounting records to c. It returns an error if
// the command line contains such a flag for a file in a different format.
func (s *source) applyRecordFlags(c *sacct.Choice, format string) error {
	for _, x := range []struct {
		name  string
		apply func()
	}{
		{"partition", func() { c.Partition = s.records.Partition }},
		{"unit", func() { c.Unit = s.records.Unit }},
		{"submit-time", func() { c.Submit = s.records.Submit }},
		{"wall-limit", func() { c.Limits = s.records.Limits }},
	} {
		if !s.flagSet.Changed(x.name) {
			continue
		}
		if format != opening.SACCT {
			return usageErrorf("-%s: expected accounting records (sacct), got %s", x.name, format)
		}
		x.apply()
	}
	return nil
}

// proposedMachine returns a machine that fits accounting records, and a note that explains the choice.
func proposedMachine(data []byte, c sacct.Choice) (m cluster.Machine, note string, err error) {
	f, err := sacct.Read(bytes.NewReader(data), sacct.Options{Choice: c})
	if err != nil {
		return m, "", err
	}
	p := f.Propose(c.Unit)
	m = cluster.Flat(p.Nodes)
	m.Cores = p.Cores
	return m, opening.ProposalText(p) + " To use another machine, give -nodes and -cores.", nil
}
