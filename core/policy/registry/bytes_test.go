package registry_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// TestBytes compares the bytes of every policy's schedule, metrics and log with the hashes in
// testdata/bytes. It runs natively and as WebAssembly, so it shows that both give the same bytes. In
// testdata, the hash of a schedule or of metrics is followed by letters, one for each of its lines.
// With these letters, a failure can name the jobs or metrics that differ. After an intended change, run:
// go test ./core/policy/registry -run Bytes -rewrite
func TestBytes(t *testing.T) {
	datadriven.RunTest(t, "testdata/bytes", func(t *testing.T, d *datadriven.TestData) string {
		c := comparison{expected: d.Expected}
		w, m := bytesWorkload(t, d.CmdArgs[0].Key)
		for _, spec := range registry.All {
			for _, knobs := range append(choiceKnobs(spec), pickKnobs(spec)...) {
				c.add(t, fmt.Sprintf("%s %v", spec.Name, knobs), simulateOn(t, w, m, spec.Name, knobs))
			}
		}
		return c.out.String()
	})
}

// TestBytesOfTraces does the same as TestBytes for runs of the reference traces. The environment
// variable BACKFILL_REFERENCE names their folder; if it is not set, the test is skipped. The
// testdata holds only hashes, without letters.
func TestBytesOfTraces(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the reference traces")
	}
	datadriven.RunTest(t, "testdata/bytes-of-traces", func(t *testing.T, d *datadriven.TestData) string {
		c := comparison{hashesOnly: true}
		data := readFile(t, filepath.Join(folder, "golden", d.CmdArgs[0].Key+".norm.swf.gz"))
		w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{})
		require.NoError(t, err)
		for _, name := range []string{"easy", "conservative"} {
			c.add(t, name, simulateOn(t, w, cluster.Flat(w.Procs), name, nil))
		}
		return c.out.String()
	})
}

// comparison writes the hashes of runs as text, which the caller compares with the expected text. It
// also compares the letters that stand for single lines, and logs which lines differ.
type comparison struct {
	expected   string // one line for each run, in the form that the method add writes
	hashesOnly bool   // write hashes without letters; used for runs of many jobs, because TestGolden names the jobs that differ
	out        strings.Builder
}

// add appends the hashes of a run. It also logs lines of the schedule and of the metrics whose
// letters differ from the expected letters (see logDifferences).
func (c *comparison) add(t *testing.T, run string, l *log.Log) {
	t.Helper()
	s := schedule.FromLog(l)
	parts := []struct {
		name string
		data []byte
	}{
		{"jobs", outputOf(t, func(b *bytes.Buffer) error { return s.WriteCSV(b) })},
		{"metrics", outputOf(t, func(b *bytes.Buffer) error {
			return metrics.WriteJSON(b, metrics.Compute(s, l.Machine, metrics.Default), metrics.Default, nil)
		})},
		{"log", outputOf(t, func(b *bytes.Buffer) error { return log.Write(b, l, nil) })},
	}
	expected := c.find(run)
	fmt.Fprintf(&c.out, "%s:", run)
	for _, p := range parts {
		h := fnv.New64a()
		_, _ = h.Write(p.data) // never fails
		fmt.Fprintf(&c.out, " %s %016x", p.name, h.Sum64())
		if p.name != "log" && !c.hashesOnly {
			now := lineLetters(p.data)
			fmt.Fprintf(&c.out, " %s", now)
			logDifferences(t, run+", "+p.name, expected[p.name], now, p.data)
		}
	}
	c.out.WriteString("\n")
}

// find returns the expected letters of a run. The keys of the map are "jobs" and "metrics".
func (c *comparison) find(run string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(c.expected) {
		if rest, ok := strings.CutPrefix(line, run+": "); ok {
			f := strings.Fields(rest)
			for i := 0; i+2 < len(f); i += 3 {
				found[f[i]] = f[i+2]
			}
		}
	}
	return found
}

// logDifferences logs the first five lines of data whose letter differs from the expected letter,
// and the number of such lines.
func logDifferences(t *testing.T, what, expected, got string, data []byte) {
	t.Helper()
	if expected == got || expected == "" {
		return
	}
	if len(expected) != len(got) {
		t.Logf("%s: %d lines, expected %d", what, len(got), len(expected))
		return
	}
	differ := 0
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if expected[i] == got[i] {
			continue
		}
		if differ++; differ <= 5 {
			t.Logf("%s: line %d differs, now %s", what, i+1, strings.TrimSpace(line))
		}
	}
	t.Logf("%s: number of lines that differ: %d", what, differ)
}

// lineLetters returns one letter for each line, computed from a hash of the line.
func lineLetters(data []byte) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"
	var out strings.Builder
	for line := range bytes.Lines(data) {
		h := fnv.New32a()
		_, _ = h.Write(line) // never fails
		out.WriteByte(alphabet[h.Sum32()%uint32(len(alphabet))])
	}
	return out.String()
}

// outputOf returns the bytes that the given function writes.
func outputOf(t *testing.T, write func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.Bytes()
}

// choiceKnobs returns the knob settings with which TestBytes runs a policy: the defaults, and up to
// two settings for each value of a knob with choices, except its default. The first setting also
// selects an inner policy that has the knob. The second also sets every knob on which the knob
// depends. Equal settings are listed once.
func choiceKnobs(spec *policy.Spec) []map[string]string {
	all := []map[string]string{nil}
	add := func(knobs map[string]string) {
		if !slices.ContainsFunc(all, func(m map[string]string) bool { return maps.Equal(m, knobs) }) {
			all = append(all, knobs)
		}
	}
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		for _, c := range k.Choices {
			if c != k.Default {
				add(withParents(spec, k, c, func(p *policy.Knob) bool { return p.Name == "inner" }))
				add(withParents(spec, k, c, func(p *policy.Knob) bool { return true }))
			}
		}
	}
	return all
}

// withParents returns knob settings that set k to value. They also set each knob p on which k
// depends, directly or indirectly, if applies(p) is true. A knob other than inner is left out if its
// default is the required value.
func withParents(spec *policy.Spec, k *policy.Knob, value string, applies func(*policy.Knob) bool) map[string]string {
	knobs := map[string]string{k.Name: value}
	for ; k.DependsOn != ""; k = spec.Knob(k.DependsOn) {
		if with := spec.Knob(k.DependsOn); applies(with) && (with.Name == "inner" || k.DependsOnValues[0] != with.Default) {
			knobs[with.Name] = k.DependsOnValues[0]
		}
	}
	return knobs
}

// pickKnobs returns the combinations of the non-default values of pick and fullness for EASY, and
// nothing for other policies.
func pickKnobs(spec *policy.Spec) (all []map[string]string) {
	if spec.Name == "easy" {
		for _, rule := range []string{"bl", "bb"} {
			for _, fullness := range []string{"product", "sum", "none"} {
				all = append(all, map[string]string{"pick": rule, "fullness": fullness})
			}
		}
	}
	return all
}

// bytesWorkload returns a workload of pseudo-random jobs and its machine, always the same for each
// kind:
//
//   - calm: most of the machine is free
//   - crowded: a long queue
//   - resources: a machine with two extra resources
//   - moldable: most jobs have speedups by Downey's model or by tables
//   - shared: nodes of four cores on which jobs slow each other down
func bytesWorkload(t *testing.T, kind string) (*workload.Workload, cluster.Machine) {
	t.Helper()
	gap := map[string]int64{"calm": 400, "crowded": 40, "resources": 800, "moldable": 800, "shared": 1500}[kind]
	require.NotZero(t, gap, "expected the kind calm, crowded, resources, moldable or shared")
	x := uint64(20260101)
	random := func(n int64) int64 {
		x = x*6364136223846793005 + 1442695040888963407
		return int64(x>>33) % n
	}
	w := &workload.Workload{Procs: 48}
	submit := int64(0)
	for i := range 600 {
		submit += random(gap)
		estimate := 1 + random(2000)
		w.Jobs = append(w.Jobs, job.Job{ID: fmt.Sprint(i + 1), Runtime: 1 + random(estimate),
			Request: job.Request{Submit: submit, Procs: int(1 + random(1+random(48))), Estimate: estimate}})
		if kind == "moldable" && i%8 > 0 {
			makeMoldable(&w.Jobs[i], random)
		}
		if kind == "shared" {
			j := &w.Jobs[i]
			j.Estimate, j.Runtime = 10*j.Estimate, 10*j.Runtime
			j.More = &job.More{SLnos: 0.9 + float64(random(50))/100, SLcrs: 1 + float64(random(60))/100}
		}
	}
	m := cluster.Flat(w.Procs)
	if kind == "shared" {
		m = cluster.Machine{Nodes: 48, Processors: 2, Cores: 2}
	}
	if kind == "resources" {
		m.Resources = []cluster.Resource{{Name: "memory", Capacity: 1000}, {Name: "disk", Capacity: 37}}
		for i := range w.Jobs {
			w.Jobs[i].More = &job.More{Extra: []int64{random(1 + random(1001)), random(1 + random(38))}}
		}
	}
	return w, m
}

// makeMoldable gives a job a random speedup.
func makeMoldable(j *job.Job, random func(int64) int64) {
	s := &job.Speedup{L: float64(j.Estimate*12) + float64(random(1000))/1000, A: 1 + float64(random(6000))/100, Sigma: float64(random(200)) / 100}
	if random(4) == 0 {
		s = &job.Speedup{Table: []job.Time{j.Estimate * 5}}
		for n := range random(20) {
			s.Table = append(s.Table, max(1, s.Table[n]-1-random(j.Estimate)))
		}
	}
	j.More, j.Procs = &job.More{Speedup: s}, 1
	j.Estimate = speed.Seconds(s.Work(), 1)
	j.Runtime = j.Estimate
}
