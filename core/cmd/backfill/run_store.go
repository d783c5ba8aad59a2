package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"backfill-lab/core/version"
)

// storedRun holds the results of a run. It is a line of JSON in the file of stored runs.
type storedRun struct {
	Key     string  `json:"key"`            // version of the program, and key of the jobs or of the whole run
	Load    string  `json:"load"`           // name of the jobs
	Case    string  `json:"case,omitempty"` // the policy with its knobs; empty if the key identifies the run
	Seconds float64 `json:"seconds"`
	Metrics results `json:"metrics"`
}

// factsCase is the case of a line that holds facts about a workload. It is not a run.
const factsCase = "facts"

func (l *storedRun) isFacts() bool { return l.Case == factsCase }

// id identifies the run among all stored runs.
func (l *storedRun) id() string { return l.Key + " " + l.Case }

// runStore holds the results of runs, in memory and in a file. It appends each new run to the file.
type runStore struct {
	file    *os.File
	program string             // version of this program
	results map[string]results // by id
	err     error              // errors of writing to the file
}

// errStoreInUse is the error for a file of stored runs that another process has open.
var errStoreInUse = errors.New("expected stored runs that no other process uses, got a file that another backfill writes to")

// openRuns opens the file of stored runs and reads the runs. If fresh is set, it deletes all stored runs
// instead.
func openRuns(name string, fresh bool) (*runStore, error) {
	self, err := programVersion()
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file, got %s", name, fileKind(info.Mode()))
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: expected a writable file, got %s", name, errorText(err))
	}
	if !lockFile(f) {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, errStoreInUse), f.Close())
	}
	if fresh {
		if err := f.Truncate(0); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: expected a writable file, got %s", name, errorText(err)), f.Close())
		}
	}
	c := &runStore{file: f, program: self, results: map[string]results{}}
	if err := c.read(name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

// processStart is part of the version of the program if its executable is unknown.
var processStart = time.Now().UnixNano()

// programVersion returns the version of this program and a hash of its executable. Results of another
// build are not used, because that build may schedule differently. Where the system does not name the
// executable, as in WebAssembly, every process counts as another build.
func programVersion() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return fmt.Sprintf("%s (process %d of %d)", version.Program, os.Getpid(), processStart), nil
	}
	hash, err := hashFile(name)
	if err != nil {
		return "", fmt.Errorf("the program's own file: %w", err)
	}
	return fmt.Sprintf("%s (%s)", version.Program, hash[:12]), nil
}

// read reads the stored runs. It deletes an incomplete last line, which exists if the program was stopped
// while it wrote the line.
func (c *runStore) read(name string) error {
	r := bufio.NewReader(c.file)
	complete := int64(0) // bytes of complete lines
	for n := 1; ; n++ {
		text, err := r.ReadBytes('\n')
		if err != nil { // end of the file, perhaps after an incomplete line
			return c.file.Truncate(complete)
		}
		var line storedRun
		if err := json.Unmarshal(text, &line); err != nil {
			return fmt.Errorf("%s, line %d: expected a run as JSON (-fresh discards all stored runs), got %w", name, n, err)
		}
		complete += int64(len(text))
		c.results[line.id()] = line.Metrics
	}
}

// has reports whether the store holds the run that a line names.
func (c *runStore) has(line storedRun) bool {
	_, ok := c.results[line.id()]
	return ok
}

// get returns the results of the run that a line names, or nil if the store does not hold them.
func (c *runStore) get(line storedRun) results { return c.results[line.id()] }

// add stores the results of a run in memory and in the file.
func (c *runStore) add(line storedRun) {
	c.results[line.id()] = line.Metrics
	text, err := json.Marshal(line)
	if err == nil {
		_, err = c.file.Write(append(text, '\n'))
	}
	c.err = errors.Join(c.err, err)
}

// close closes the file. It also returns earlier errors of writing.
func (c *runStore) close() error { return errors.Join(c.err, c.file.Close()) }
