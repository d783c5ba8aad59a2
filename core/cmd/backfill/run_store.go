package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"backfill-lab/core/version"
)

// storedRun holds the results of a run. It is one line of JSON in the file of stored runs.
type storedRun struct {
	Key     string  `json:"key"`            // version of the program, then the key of the run, or of its jobs if Case is set
	Load    string  `json:"load"`           // name of the workload
	Case    string  `json:"case,omitempty"` // policy with its knobs, or factsCase; empty if the key alone identifies the run
	Seconds float64 `json:"seconds"`        // time that the run took, without loading the jobs
	Metrics results `json:"metrics"`
}

// factsCase is the value of Case in a line that holds facts about a workload instead of the results
// of a run.
const factsCase = "facts"

func (l *storedRun) isFacts() bool { return l.Case == factsCase }

// id returns a string that identifies the run among all stored runs.
func (l *storedRun) id() string { return l.Key + " " + l.Case }

// runStore holds the results of runs, in memory and in a file. It appends every new run to the
// file.
type runStore struct {
	file    *os.File           // file of stored runs, open and locked
	program string             // version of this program
	results map[string]results // by the id of the run
	err     error              // first error that occurred while writing to the file
}

// errStoreInUse says that another process uses the file of stored runs.
var errStoreInUse = errors.New("expected a file that no other process uses, got one to which another backfill process is writing")

// openRuns opens, locks and reads a file of stored runs. It creates the file if necessary. If fresh
// is set, it deletes all stored runs first.
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
	c := &runStore{file: f, program: self, results: map[string]results{}}
	err = c.read(name)
	if err == nil && fresh {
		clear(c.results)
		err = f.Truncate(0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

// processStart identifies this process. It is part of the version of the program if the executable
// is unknown.
var processStart = time.Now().UnixNano()

// programVersion returns the version of this program with a hash of its executable. Results of a
// different build are not used, because that build may compute different schedules. If the name of
// the executable is unknown, as in WebAssembly, every process counts as a different build.
func programVersion() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return fmt.Sprintf("%s (process %d of %d)", version.Program, os.Getpid(), processStart), nil
	}
	hash, err := hashFile(name)
	if err != nil {
		return "", fmt.Errorf("the executable of this program: %w", err)
	}
	return fmt.Sprintf("%s (%s)", version.Program, hash[:12]), nil
}

// read reads the stored runs. It deletes an incomplete last line, which remains if the program was
// stopped while writing this line. It returns an error if the file contains anything else, so that
// a file of the user is never changed.
func (c *runStore) read(name string) error {
	r := bufio.NewReader(c.file)
	complete := int64(0) // number of bytes in complete lines
	for n := 1; ; n++ {
		text, err := r.ReadBytes('\n')
		if err != nil && isIncomplete(text) {
			return c.file.Truncate(complete)
		}
		var line storedRun
		if wrong := json.Unmarshal(text, &line); err != nil || wrong != nil || line.Key == "" {
			return fmt.Errorf("%s, line %d: expected a stored run, got %.40q. Name another file, or delete this one", name, n, text)
		}
		complete += int64(len(text))
		c.results[line.id()] = line.Metrics
	}
}

// isIncomplete reports whether text is the beginning of a line that add writes.
func isIncomplete(text []byte) bool {
	const start = `{"key":`
	return strings.HasPrefix(start, string(text)) || strings.HasPrefix(string(text), start)
}

// has reports whether the results of the given run are stored.
func (c *runStore) has(run storedRun) bool {
	_, ok := c.results[run.id()]
	return ok
}

// get returns the stored results of the given run, or nil if there are none.
func (c *runStore) get(run storedRun) results { return c.results[run.id()] }

// add stores the results of a run in memory and in the file. After an error, it writes no more runs,
// because the file may end with an incomplete line.
func (c *runStore) add(line storedRun) {
	c.results[line.id()] = line.Metrics
	if c.err != nil {
		return
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = c.file.Write(append(text, '\n'))
	}
	c.err = err
}

// close closes the file. It does not return errors from earlier writes to the file, which runPool.run
// returns.
func (c *runStore) close() error { return c.file.Close() }
