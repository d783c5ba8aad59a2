package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/spf13/pflag"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
)

// slurmOptions holds the flags of the command sweep for the batch system Slurm.
type slurmOptions struct {
	on     bool     // whether to submit the sweep as a job array
	tasks  int      // number of parts; 0 means as many as are useful, up to defaultTasks
	args   []string // additional arguments for sbatch
	dryRun bool     // whether to write the script but not submit it
}

// defaultTasks is the maximum number of parts if the flag -tasks is not given.
const defaultTasks = 100

func (o *slurmOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.on, "slurm", false, "submit the runs as a Slurm job array; FILE must be on a file system that all nodes share")
	f.IntVar(&o.tasks, "tasks", 0, "with -slurm: split the sweep into `N` tasks (default: 100, or fewer if the sweep is small)")
	f.StringArrayVar(&o.args, "slurm-args", nil, "with -slurm: pass `ARGS` to sbatch, such as '--time=2:00:00 --partition=short'; repeatable")
	f.BoolVar(&o.dryRun, "dry-run", false, "with -slurm: write and print the script of the array, but do not submit it")
}

// check returns an error if flags contradict each other.
func (o *slurmOptions) check(f *pflag.FlagSet) error {
	needSlurm, excludeSlurm := []string{"tasks", "slurm-args", "dry-run"}, []string{"out", "runs", "shard", "fresh"}
	for _, name := range needSlurm {
		if !o.on && f.Changed(name) {
			return usageErrorf("-%s: expected -slurm as well", name)
		}
	}
	for _, name := range excludeSlurm {
		if o.on && f.Changed(name) {
			return usageErrorf("-%s: not possible with -slurm, because the tasks choose their own parts and files, and continue from stored runs", name)
		}
	}
	for _, text := range o.args {
		if strings.ContainsFunc(text, isControl) || strings.Contains(text, "\n") || !strings.HasPrefix(text, "-") {
			return usageErrorf("-slurm-args: expected options of sbatch on one line, such as --time=2:00:00, got %q", text)
		}
	}
	if o.on && f.Changed("tasks") && o.tasks < 1 {
		return usageErrorf("-tasks: expected at least 1, got %d", o.tasks)
	}
	return nil
}

// slurmArray holds the values that are inserted into the script of a job array. All paths in a
// script are absolute.
type slurmArray struct {
	Program    string   // path of this program
	Definition string   // path of the file that defines the sweep
	Base       string   // file name of the definition, without folder and extension
	Tasks      int      // number of parts
	Workers    int      // number of parallel runs of each task, which is also its number of processors
	Args       []string // additional arguments for sbatch
}

// Folder returns the folder for the tables, stored runs and messages of the parts.
func (a *slurmArray) Folder() string {
	return filepath.Join(filepath.Dir(a.Definition), fmt.Sprintf("%s.%d-parts", a.Base, a.Tasks))
}

// Script returns the path of the script. It is in the same folder as the definition.
func (a *slurmArray) Script() string { return a.Folder() + ".sh" }

// FilePrefix returns the common beginning of the paths of all files that the tasks write.
func (a *slurmArray) FilePrefix() string { return filepath.Join(a.Folder(), a.Base) }

// Log returns Slurm's file name pattern for the messages of a task.
func (a *slurmArray) Log() string { return strings.ReplaceAll(a.FilePrefix(), "%", "%%") + ".%a.log" }

//go:embed slurm.sh
var slurmScript string

var slurmTemplate = template.Must(template.New("slurm.sh").Funcs(template.FuncMap{"quote": shellQuote}).Parse(slurmScript))

// plainWord matches a word that needs no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellQuote quotes a text so that a shell reads it as one word. The script for Slurm also uses it in
// the lines that sbatch reads, for the job name and the name of the output file.
func shellQuote(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// newSlurmArray returns the job array for the sweep that a file defines.
func (s *sweepOptions) newSlurmArray(file string, d *sweep.Definition) (*slurmArray, error) {
	a := &slurmArray{Tasks: s.slurm.tasks, Workers: 1, Args: s.slurm.args}
	if s.flags.Changed("workers") {
		a.Workers = s.workers
	}
	if most := d.Groups(); a.Tasks == 0 {
		a.Tasks = min(most, defaultTasks)
	} else if a.Tasks > most {
		return nil, usageErrorf("-tasks: expected at most %d, because all runs with the same jobs belong to one task, got %d", most, a.Tasks)
	}
	var err, pathErr error
	a.Program, err = os.Executable()
	a.Definition, pathErr = filepath.Abs(file)
	if err := errors.Join(err, pathErr); err != nil {
		return nil, err
	}
	a.Base = baseName(file)
	for _, path := range []string{a.Program, a.Definition} {
		if strings.ContainsFunc(path, isControl) || strings.ContainsAny(path, "\n\t'\"\\") {
			return nil, fmt.Errorf("%s: expected a path without quotes, backslashes and line ends, which sbatch cannot read", path)
		}
	}
	return a, nil
}

// submit writes the script of the job array and submits it. With -dry-run, it prints the script
// instead of submitting it. Without -dry-run, it first checks whether Slurm can run the array, and
// writes nothing if Slurm cannot.
func (s *sweepOptions) submit(file string, d *sweep.Definition) error {
	a, err := s.newSlurmArray(file, d)
	if err != nil {
		return err
	}
	if !s.slurm.dryRun {
		if _, err := exec.LookPath("sbatch"); err != nil {
			return fmt.Errorf("expected Slurm's command sbatch on PATH, found none. Submit from a login node, or write the script with -dry-run")
		}
		if most := maxArraySize() - 1; most > 0 && a.Tasks > most {
			return fmt.Errorf("-tasks: expected at most %d, since MaxArraySize of this Slurm is %d, got %d", most, most+1, a.Tasks)
		}
	}
	var text strings.Builder
	if err := slurmTemplate.Execute(&text, a); err != nil {
		return err
	}
	if err := os.MkdirAll(a.Folder(), 0o777); err != nil {
		return fmt.Errorf("%s: expected a writable folder, got %s", a.Folder(), errorText(err))
	}
	o := &outputs{}
	o.add(a.Script(), func(w io.Writer) error { _, err := io.WriteString(w, text.String()); return err })
	if err := o.write(s.env); err != nil {
		return err
	}
	if s.slurm.dryRun {
		fmt.Fprint(s.env.out, text.String())
		s.env.note("The script is %s. Submit it with sbatch.", a.Script())
	} else if err := s.sbatch(a, d.Runs()); err != nil {
		return err
	}
	s.env.note("Join the tables when all tasks have ended:\nbackfill collect %s %s -out %s.csv", shellQuote(a.Definition), shellQuote(a.Folder()), shellQuote(a.Base))
	return nil
}

// sbatch submits the script of a job array.
func (s *sweepOptions) sbatch(a *slurmArray, runs int) error {
	out, err := exec.Command("sbatch", "--parsable", a.Script()).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		reason := strings.Join(strings.FieldsFunc(string(failed.Stderr), func(r rune) bool { return r == '\n' }), "; ")
		return fmt.Errorf("sbatch refused %s: %s\nCorrect the arguments with -slurm-args, or edit and submit the script yourself", a.Script(), reason)
	} else if err != nil {
		return fmt.Errorf("sbatch: %w", err)
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";")
	s.env.note("Submitted job array %s: %s in %s. squeue -j %s shows its state.", id, format.Count(runs, "run"), format.Count(a.Tasks, "task"), id)
	return nil
}

var maxArrayLine = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// maxArraySize returns MaxArraySize of Slurm. The indexes of a job array must be below this limit.
// If Slurm does not answer, the result is 0, and there is no check: the command sbatch will report
// what is wrong.
func maxArraySize() int {
	out, err := exec.Command("scontrol", "show", "config").Output()
	if m := maxArrayLine.FindSubmatch(out); err == nil && m != nil {
		n, _ := strconv.Atoi(string(m[1]))
		return n
	}
	return 0
}
