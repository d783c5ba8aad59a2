package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"backfill-lab/core/experiment"
	"backfill-lab/core/version"
)

// cellLine is a run as it is kept, a line of JSON.
type cellLine struct {
	Key     string          `json:"key"` // program and workload
	Load    string          `json:"load"`
	Case    string          `json:"case"`
	Seconds float64         `json:"seconds"`
	Metrics experiment.Cell `json:"metrics"`
}

// cells is the runs that are kept, in memory and in a file to which each is
// added when it is made.
type cells struct {
	file    *os.File
	program string
	have    map[string]experiment.Cell
	err     error
}

// openCells opens the file of kept runs, empty if it should be.
func openCells(name string, fresh bool) (*cells, error) {
	mode := os.O_RDWR | os.O_CREATE | os.O_APPEND
	if fresh {
		mode |= os.O_TRUNC
	}
	self, err := program()
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file, got %s", name, kindOf(info.Mode()))
	}
	f, err := os.OpenFile(name, mode, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: expected a file that can be written, got %s", name, fileWords(err))
	}
	c := &cells{file: f, program: self, have: map[string]experiment.Cell{}}
	if err := c.read(name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return c, nil
}

// begun tells this process from others.
var begun = time.Now().UnixNano()

// program returns the version of this program and a digest of its file: another build may
// schedule in another way, and what that one ran is not taken for what this one runs.
// Where a system does not tell the file (WebAssembly), every process is a program of its own.
func program() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return fmt.Sprintf("%s (process %d of %d)", version.Program, os.Getpid(), begun), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("the program's own file: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("the program's own file: %w", err)
	}
	return fmt.Sprintf("%s (%.6x)", version.Program, sum.Sum(nil)), nil
}

// keyOf names the workload among what is kept.
func (c *cells) keyOf(s experiment.Source) string { return c.program + " " + s.Key() }

// read reads what is kept. The last line may be torn: the program was stopped
// while it wrote it.
func (c *cells) read(name string) error {
	r := bufio.NewReader(c.file)
	whole := int64(0)
	for n := 1; ; n++ {
		text, err := r.ReadBytes('\n')
		if err != nil { // the end, after which a torn line is cut off
			return c.file.Truncate(whole)
		}
		var line cellLine
		if err := json.Unmarshal(text, &line); err != nil {
			return fmt.Errorf("%s, line %d: expected a run as JSON (-fresh begins anew), got %w", name, n, err)
		}
		whole += int64(len(text))
		c.have[line.Key+" "+line.Case] = line.Metrics
	}
}

func (c *cells) has(key string, which *experiment.Case) bool {
	_, ok := c.have[key+" "+which.String()]
	return ok
}

func (c *cells) of(key string, which *experiment.Case) experiment.Cell {
	return c.have[key+" "+which.String()]
}

func (c *cells) add(line cellLine) {
	c.have[line.Key+" "+line.Case] = line.Metrics
	text, err := json.Marshal(line)
	if err == nil {
		_, err = c.file.Write(append(text, '\n'))
	}
	c.err = errors.Join(c.err, err)
}

// close tells of a run that could not be kept.
func (c *cells) close() error { return errors.Join(c.err, c.file.Close()) }
