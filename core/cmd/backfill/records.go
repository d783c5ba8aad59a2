package main

import (
	"bytes"

	"github.com/spf13/pflag"

	"backfill-lab/core/reading"
	"backfill-lab/core/workload/sacct"
)

// recordFlags are those that choose among accounting records.
func (s *source) recordFlags(f *pflag.FlagSet) {
	f.StringVar(&s.records.Partition, "partition", "", "of accounting records (sacct -P), only the jobs of the partition `NAME`")
	f.TextVar(&s.records.Unit, "unit", sacct.CPUs, "what a job of accounting records has as processors: its `cpus|nodes`")
}

// chosen puts what the flags choose in place of a scenario's choice. There must be
// something to choose from.
func (s *source) chosen(c *sacct.Choice, format string) error {
	for name, do := range map[string]func(){
		"partition": func() { c.Partition = s.records.Partition },
		"unit":      func() { c.Unit = s.records.Unit },
	} {
		if !s.set.Changed(name) {
			continue
		}
		if format != reading.SACCT {
			return misuse("-%s: expected accounting records (sacct), got %s", name, format)
		}
		do()
	}
	return nil
}

// recordsProcs returns the size of the machine that accounting records are taken to come
// from, and what there is to say of it.
func recordsProcs(data []byte, c sacct.Choice) (procs int, says string, err error) {
	f, err := sacct.Read(bytes.NewReader(data), sacct.Options{Choice: c})
	if err != nil {
		return 0, "", err
	}
	procs, says = reading.AssumedProcs(f, c.Unit)
	return procs, says, nil
}
