package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"backfill-lab/core/exercise"
	"backfill-lab/core/format"
	"backfill-lab/public/exercises"
)

// grader holds the flags of the command grade.
type grader struct {
	env             *env
	timeout         time.Duration // time limit for each submission
	out, collection string        // file for the table of grades, and folder for counterexamples; "" for no folder
}

func gradeCommand(e *env) *cobra.Command {
	g := &grader{env: e}
	c := &cobra.Command{
		Use: "grade EXERCISE FILE|FOLDER...", Short: "grade the submissions of a class",
		Long: "Check each file against an exercise, and write a table (CSV) with a row for each file, sorted by file name.\n" +
			"EXERCISE is the name of a built-in exercise or the name of a JSON file. In a folder, every file counts, except hidden ones and subfolders.\n" +
			"A submission runs in a process of its own, with limited time and memory. The grade is 1 if all checks pass, otherwise 0.\n" +
			"The exit code is 0 even if submissions fail.\n\nExercises:\n\n" + exerciseList(),
		Example: "backfill grade easy-repair class/ -o grades.csv -counterexamples feedback",
		RunE:    runE(g.grade),
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&g.out, "o", "o", standardStream, "write the table to `FILE`; - is standard output")
	g.timeout = 10 * time.Second
	f.Var((*limitTime)(&g.timeout), "timeout", "time limit `T` for each submission, such as 90 (seconds), 500ms or 1h 30m")
	f.StringVar(&g.collection, "counterexamples", "", "write the counterexample of each failed submission as a scenario to `FOLDER`")
	quietFlag(f, e)
	return c
}

// exerciseList lists the names and titles of the built-in exercises, one per line.
func exerciseList() string {
	var b strings.Builder
	for _, name := range exercises.Names {
		fmt.Fprintf(&b, "- %s: %s\n", name, exercises.Title(name))
	}
	return strings.TrimSpace(b.String())
}

// loadExercise returns the built-in exercise with the given name, or reads it from a file.
func loadExercise(name string) (*exercise.Exercise, error) {
	data, err := exercises.Load(name)
	if err != nil && strings.HasSuffix(name, ".json") {
		data, err = readSmall(name, maxExercise)
	} else if err != nil {
		return nil, usageErrorf("EXERCISE: %v, or the name of a file that ends in .json", err)
	}
	if err != nil {
		return nil, err
	}
	e, err := exercise.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", displayName(name), err)
	}
	return e, nil
}

// maxExercise and maxSubmission are the maximum sizes of an exercise file and a submission, in bytes.
const (
	maxExercise   = 1 << 20
	maxSubmission = 1 << 20
)

// readSmall reads a regular file. It returns an error if the file has more than maxBytes bytes.
func readSmall(name string, maxBytes int64) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.close()
	if f.size > maxBytes {
		return nil, fmt.Errorf("%s: expected at most %d bytes, got %d", displayName(name), maxBytes, f.size)
	}
	return io.ReadAll(io.NewSectionReader(f, 0, f.size))
}

// grade checks all submissions and writes the table of grades.
func (g *grader) grade(args []string) error {
	if len(args) < 2 {
		return usageErrorf("expected an exercise and the files or folders with submissions, got %s", format.Count(len(args), "argument"))
	}
	if g.timeout <= 0 {
		return usageErrorf("-timeout: expected a time above 0, got %s", g.timeout)
	}
	e, err := loadExercise(args[0])
	if err != nil {
		return err
	}
	files, err := submissions(args[1:])
	if err != nil {
		return err
	}
	g.env.addInput(args[0])
	for _, name := range files {
		g.env.addInput(name)
	}
	graded, err := g.gradeAll(gradingProcess{args[0], len(e.Checks), g.timeout, hardMemory}, files)
	if err != nil {
		return err
	}
	o := &outputs{}
	o.add(g.out, func(w io.Writer) error { return writeGrades(w, files, graded) })
	if g.collection != "" {
		if err := os.MkdirAll(g.collection, 0o777); err != nil {
			return err
		}
		for i := range graded {
			if s := graded[i].Scenario; s != nil {
				graded[i].file = filepath.Join(g.collection, filepath.Base(files[i])+".json")
				o.add(graded[i].file, func(w io.Writer) error { _, err := w.Write(s); return err })
			}
		}
	}
	if err := o.write(g.env); err != nil {
		return err
	}
	return g.reportTotals(files, graded)
}

// reportTotals prints how many submissions passed. It returns an error if a submission could not be
// checked.
func (g *grader) reportTotals(files []string, graded []gradeAnswer) error {
	passed := 0
	for i := range graded {
		if graded[i].internal {
			return fmt.Errorf("%s: %s", displayName(files[i]), graded[i].Failure)
		}
		if graded[i].Failure == "" {
			passed++
		}
	}
	g.env.note("%d of %d submissions passed.", passed, len(files))
	return nil
}

// submissions returns the names of the submitted files, sorted.
func submissions(names []string) (files []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, unreadableError(name, err)
		}
		if !info.IsDir() {
			files = append(files, filepath.Clean(name))
			continue
		}
		entries, err := os.ReadDir(name)
		if err != nil {
			return nil, unreadableError(name, err)
		}
		for _, entry := range entries {
			if !entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") {
				files = append(files, filepath.Join(name, entry.Name()))
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: expected at least one submission, got none", displayName(names[0]))
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// gradeAll checks the files, several at the same time.
func (g *grader) gradeAll(process gradingProcess, files []string) ([]gradeAnswer, error) {
	graded, errs := make([]gradeAnswer, len(files)), make([]error, len(files))
	p := g.env.newProgress("submissions graded", len(files))
	var next, done atomic.Int64
	var group sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				graded[i], errs[i] = process.grade(files[i])
				p.update(int(done.Add(1)))
			}
		})
	}
	group.Wait()
	p.close()
	return graded, errors.Join(errs...)
}

// writeGrades writes the table of grades as CSV.
func writeGrades(w io.Writer, files []string, graded []gradeAnswer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"file", "grade", "passed", "checks", "failure", "counterexample"}}
	for i, a := range graded {
		grade := "0"
		if a.Failure == "" {
			grade = "1"
		}
		rows = append(rows, []string{files[i], grade, strconv.Itoa(a.Passed), strconv.Itoa(a.Checks), a.Failure, a.file})
	}
	return c.WriteAll(rows)
}
