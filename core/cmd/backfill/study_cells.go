package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"backfill-lab/core/experiment"
	"backfill-lab/core/version"
)

// cellLine holds the results of a run. It is a line of JSON in the file of stored runs.
type cellLine struct {
	Key     string             `json:"key"` // version of the program, and key of the workload
	Load    string             `json:"load"`
	Case    string             `json:"case"`
	Seconds float64            `json:"seconds"`
	Metrics experiment.Results `json:"metrics"`
}

// cellStore holds the results of runs, in memory and in a file. It appends each new run to the
// file.
type cellStore struct {
	file    *os.File
	program string                        // version of this program
	results map[string]experiment.Results // by key and name of the case, separated by a space
	err     error                         // errors of writing to the file
}

// errStoreInUse is the error for a file of stored runs that another process has open.
var errStoreInUse = errors.New("expected stored runs that no other process uses, got a file that another backfill writes to")

// openCells opens the file of stored runs and reads the runs. If fresh is set, it deletes all stored runs
// instead.
func openCells(name string, fresh bool) (*cellStore, error) {
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
	c := &cellStore{file: f, program: self, results: map[string]experiment.Results{}}
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

// keyOf returns the key of a workload in the store.
func (c *cellStore) keyOf(s experiment.Source) string { return c.program + " " + s.Key() }

// read reads the stored runs. It deletes an incomplete last line, which exists if the program was stopped
// while it wrote the line.
func (c *cellStore) read(name string) error {
	r := bufio.NewReader(c.file)
	complete := int64(0) // bytes of complete lines
	for n := 1; ; n++ {
		text, err := r.ReadBytes('\n')
		if err != nil { // end of the file, perhaps after an incomplete line
			return c.file.Truncate(complete)
		}
		var line cellLine
		if err := json.Unmarshal(text, &line); err != nil {
			return fmt.Errorf("%s, line %d: expected a run as JSON (-fresh discards all stored runs), got %w", name, n, err)
		}
		complete += int64(len(text))
		c.results[line.Key+" "+line.Case] = line.Metrics
	}
}

// has reports whether the store holds the results of a case on the workload with a key.
func (c *cellStore) has(key string, runCase *experiment.Case) bool {
	_, ok := c.results[key+" "+runCase.String()]
	return ok
}

// get returns the results of a case on the workload with a key, or nil if the store does not hold them.
func (c *cellStore) get(key string, runCase *experiment.Case) experiment.Results {
	return c.results[key+" "+runCase.String()]
}

// add stores the results of a run in memory and in the file.
func (c *cellStore) add(line cellLine) {
	c.results[line.Key+" "+line.Case] = line.Metrics
	text, err := json.Marshal(line)
	if err == nil {
		_, err = c.file.Write(append(text, '\n'))
	}
	c.err = errors.Join(c.err, err)
}

// close closes the file. It also returns earlier errors of writing.
func (c *cellStore) close() error { return errors.Join(c.err, c.file.Close()) }
