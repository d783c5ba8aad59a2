package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"backfill-lab/core/exercise"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/scenario"
)

// gradeAnswer is the result that a grading process writes to its standard output as JSON.
type gradeAnswer struct {
	Passed   int             `json:"passed"`             // number of checks that the submission passed
	Checks   int             `json:"checks"`             // number of all checks
	Failure  string          `json:"failure"`            // what went wrong; "" if all checks passed
	Scenario json.RawMessage `json:"scenario,omitempty"` // counterexample; nil if there is none

	file     string // name of the file with the counterexample, or ""
	internal bool   // whether the process failed because of an error in this program
}

// gradeOne is the name of a hidden command that checks a single file in its own process.
const gradeOne = "grade-one"

// These constants limit the memory of a grading process, in bytes. Above softMemory, the garbage
// collector runs more often. At hardMemory, the operating system ends the process, if it can limit
// memory.
const (
	softMemory = 256 << 20
	hardMemory = 512 << 20
)

// maxFailure is the maximum length, in bytes, of the description of a failure in the table.
const maxFailure = 1000

// graceTime is how long a grading process may continue after its time limit before it is killed.
const graceTime = time.Second

func gradeOneCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: gradeOne + " EXERCISE FILE TIME BYTES", Hidden: true, Short: "grade one submission, for the command grade",
		Args: cobra.ExactArgs(4),
		RunE: runE(func(args []string) error {
			limit, err := time.ParseDuration(args[2])
			if err != nil {
				return usageErrorf("TIME: %v", err)
			}
			memory, err := strconv.ParseUint(args[3], 10, 63)
			if err != nil {
				return usageErrorf("BYTES: %v", err)
			}
			debug.SetMemoryLimit(softMemory)
			limitMemory(memory)
			time.AfterFunc(limit, func() { os.Exit(exitTimeout) }) // works even if the command grade was killed
			script.SetInterpreter(interp.WithMaxSteps(exercise.MaxSteps))
			a, err := gradeFile(args[0], args[1])
			if err != nil {
				return err
			}
			return json.NewEncoder(e.data).Encode(a)
		}),
	}
}

// exitTimeout is the exit code of a grading process that has reached its time limit.
const exitTimeout = 3

// gradeFile checks one file. A file that cannot be read is a failed submission.
func gradeFile(name, file string) (*gradeAnswer, error) {
	e, err := loadExercise(name)
	if err != nil {
		return nil, err
	}
	data, err := readSmall(file, maxSubmission)
	if err != nil {
		return &gradeAnswer{Checks: len(e.Checks), Failure: err.Error()}, nil
	}
	r, err := exercise.Check(e, data).Run()
	if err != nil {
		return nil, err
	}
	a := &gradeAnswer{Passed: r.Passed, Checks: r.Checks, Failure: strings.Join(strings.Fields(r.Failure), " ")}
	if len(a.Failure) > maxFailure {
		a.Failure = strings.ToValidUTF8(a.Failure[:maxFailure], "") + "..."
	}
	if r.Counterexample != nil {
		a.Scenario = scenario.Format(r.Counterexample)
	}
	return a, nil
}

// gradingProcess holds the settings for checking a file in its own process.
type gradingProcess struct {
	exercise string        // name of the exercise on the command line
	checks   int           // number of checks of the exercise
	limit    time.Duration // time limit
	memory   uint64        // maximum memory, in bytes
}

// grade starts a process that checks one file. If the process fails, for example for lack of
// memory, the submission fails.
func (p gradingProcess) grade(file string) (a gradeAnswer, err error) {
	program, err := os.Executable()
	if err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.limit+graceTime)
	defer cancel()
	c := exec.CommandContext(ctx, program, gradeOne, "--", p.exercise, file, p.limit.String(), strconv.FormatUint(p.memory, 10))
	c.Env = append(os.Environ(), "GOMAXPROCS=1") // one processor, because the command grade runs several processes
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	a.Checks = p.checks
	var exit *exec.ExitError
	switch {
	case err == nil:
		return a, json.Unmarshal(out.Bytes(), &a)
	case !errors.As(err, &exit):
		return a, fmt.Errorf("%s: the process that checks this submission could not be started: %w", displayName(file), err)
	case exit.ExitCode() == exitTimeout || ctx.Err() != nil:
		a.Failure = fmt.Sprintf("The check did not end within %s", p.limit)
	case bytes.Contains(errs.Bytes(), []byte("out of memory")) || bytes.Contains(errs.Bytes(), []byte("cannot allocate memory")):
		a.Failure = "The check needed too much memory"
	default:
		line, _, _ := strings.Cut(errs.String(), "\n")
		a.Failure, a.internal = fmt.Sprintf("The check ended with an internal error, %v: %.500s", err, line), true
	}
	return a, nil
}
