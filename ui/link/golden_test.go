package link

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/generator/registry"
)

var add = flag.Bool("add", false, "write the golden links that are missing; existing ones are never changed")

// makers maps the name of each golden link to the function that made it. A golden link is a
// recorded link that must always open to the same content, so the files of existing links are never
// changed. Add an entry for a new version, or for content that links could not express before.
var makers = map[string]func(t *testing.T) (view string, d *Document){
	"v1-rigid": func(t *testing.T) (string, *Document) { return "", example(t, 3) },
	"v1-view": func(t *testing.T) (string, *Document) {
		return "t=5,30&at=8&job=4&colour=difference&base=1", example(t, 0)
	},
	"v1-tab":         func(t *testing.T) (string, *Document) { return "tab=machine", example(t, 1) },
	"v1-shared":      func(t *testing.T) (string, *Document) { return "", example(t, 7) },
	"v1-orders":      func(t *testing.T) (string, *Document) { return "", example(t, 5) },
	"v1-generated":   func(t *testing.T) (string, *Document) { return "", example(t, 9) },
	"v1-lesson-name": func(*testing.T) (string, *Document) { return "lesson=figure-1&step=1", nil },
	"v1-lesson-own": func(t *testing.T) (string, *Document) {
		lesson, err := os.ReadFile("../../public/lessons/jin-figure-1.json")
		require.NoError(t, err)
		return "lesson=mine&step=1&l=" + EncodePayload(deflate(t, lesson)), nil
	},
	"v1-lesson-write": func(t *testing.T) (string, *Document) {
		return "step=1&tab=lesson&write=1&l=" + EncodePayload(deflate(t, []byte(`{"title": "", "text": [], "steps": []}`))), example(t, 0)
	},
	"v1-embed": func(t *testing.T) (string, *Document) {
		return "embed=1&show=charts,why&lock=machine,policies&policy=fcfs,easy&allow=https%3A%2F%2Fexample.org", example(t, 2)
	},
	"v1-names":    func(t *testing.T) (string, *Document) { return "job=%C3%BC%20%26%20%3Cb%3E", written(t, names) },
	"v1-blocks":   func(t *testing.T) (string, *Document) { return "", written(t, blocks) },
	"v1-moldable": func(t *testing.T) (string, *Document) { return "", written(t, moldable) },
	"v1-traits":   func(t *testing.T) (string, *Document) { return "", written(t, sharing) },
	"v1-formula":  func(t *testing.T) (string, *Document) { return "", written(t, formula) },
	"v1-rules":    func(t *testing.T) (string, *Document) { return "", written(t, rules) },
	"v1-policies": func(t *testing.T) (string, *Document) { return "colour=difference&base=1", written(t, policies) },
	"v1-killed":   func(t *testing.T) (string, *Document) { return "", written(t, killed) },
	"v1-200-jobs": func(t *testing.T) (string, *Document) { return "", twoHundred(t, "lublin", "tsafrir") },
}

// written returns the content of a link to a scenario, given the text of the scenario file.
func written(t *testing.T, text string) *Document {
	s, err := scenario.Parse([]byte(text))
	require.NoError(t, err)
	return &Document{Scenario: s}
}

const (
	names = `{"version": 1, "title": "Names <b>& signs</b>", "text": "Two lines,\nthe second with \"quotes\" and an é.", "author": {"name": "me", "since": 1996}, "machine": {"nodes": 4, "rack": "A"},
 "workload": {"jobs": [{"id": "ü & <b>", "submit": 0, "procs": 2, "estimate": 9, "runtime": 4, "note": "kept"}, {"id": "b-2", "submit": 3, "procs": 4, "estimate": 5, "runtime": 5}, {"id": "007", "submit": 3, "procs": 1, "estimate": 900000000000, "runtime": 1}]},
 "policies": [{"name": "fcfs"}, {"name": "first-fit"}, {"name": "easy", "knobs": {"order": "sjf"}}, {"name": "conservative"}]}`
	blocks = `{"version": 1, "title": "Away for a while", "machine": {"nodes": 6, "processors": 2, "blocks": [{"from": 10, "to": 30, "procs": 4, "label": "maintenance"}, {"from": 50, "to": 55, "procs": 12}]},
 "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 8, "estimate": 12, "runtime": 9}, {"id": "2", "submit": 1, "procs": 10, "estimate": 5, "runtime": 5}, {"id": "3", "submit": 2, "procs": 3, "estimate": 8, "runtime": 7}]},
 "policies": [{"name": "easy"}, {"name": "conservative"}]}`
	moldable = `{"version": 1, "title": "Sizes to choose", "machine": {"nodes": 16},
 "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 4, "estimate": 20, "runtime": 20, "L": 80, "A": 6.5, "sigma": 0.5}, {"id": "2", "submit": 2, "procs": 2, "estimate": 9, "runtime": 9, "table": [17, 9, 7, 6]}, {"id": "3", "submit": 4, "procs": 8, "estimate": 5, "runtime": 5}]},
 "policies": [{"name": "moldable", "knobs": {"allocation": "submit-fair"}}, {"name": "easy"}]}`
	sharing = `{"version": 1, "title": "Beside each other", "machine": {"nodes": 4, "processors": 2, "cores": 2, "jobs-per-node": 2, "resources": [{"name": "memory", "capacity": 64}]},
 "slowdown": {"seed": 7},
 "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 8, "estimate": 20, "runtime": 20, "class": "cg", "slnos": 1.25, "slcrs": 1.5, "resources": {"memory": 12}}, {"id": "2", "submit": 1, "procs": 4, "estimate": 9, "runtime": 9, "class": "lu", "user": "ann"}]},
 "policies": [{"name": "glomarc-ts"}, {"name": "easy"}]}`
	formula = `{"version": 1, "title": "An order of one's own", "machine": {"nodes": 8},
 "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 5, "estimate": 10, "runtime": 5}, {"id": "2", "submit": 1, "procs": 5, "estimate": 6, "runtime": 3}, {"id": "3", "submit": 1, "procs": 3, "estimate": 6, "runtime": 6}]},
 "policies": [{"name": "easy", "knobs": {"order": "wait / estimate * procs"}}, {"name": "scojo-pect", "knobs": {"inner": "easy", "interval": "3600"}}]}`
	rules = `{"version": 1, "title": "Data rules", "machine": {"nodes": 8}, "rules": {"overrun": "kill", "warmup": 10, "cooldown": 5, "load-factor": 1.5},
 "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 5, "estimate": 10, "runtime": 15}, {"id": "2", "submit": 1, "procs": 5, "estimate": 6, "runtime": 3}]},
 "policies": [{"name": "easy", "knobs": {"reservations": "2"}}]}`
	killed = `{"version": 1, "title": "Killed at the limit", "machine": {"nodes": 4},
 "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 2, "estimate": 9, "runtime": 9}, {"id": "2", "submit": 1, "procs": 2, "estimate": 9, "runtime": 9, "killed": true, "user": "ann"}, {"id": "3", "submit": 2, "procs": 1, "estimate": 5, "runtime": 5, "killed": true}]},
 "policies": [{"name": "easy"}]}`
	policies = `{"version": 1, "title": "Five policies", "machine": {"nodes": 8},
 "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 5, "estimate": 10, "runtime": 7}, {"id": "2", "submit": 1, "procs": 5, "estimate": 6, "runtime": 3}, {"id": "3", "submit": 1, "procs": 3, "estimate": 6, "runtime": 6}]},
 "policies": [{"name": "fcfs", "chart": false}, {"name": "easy", "title": "Today's scheduler, ü & <b>", "baseline": true}, {"name": "easy", "knobs": {"order": "sjf"}, "note": "kept"}, {"name": "easy", "title": "Shortest first", "knobs": {"order": "sjf"}}, {"name": "conservative", "chart": false}]}`
)

// twoHundred returns 200 rigid jobs drawn from a model.
func twoHundred(t *testing.T, model, estimates string) *Document {
	d := &Document{Scenario: &scenario.Scenario{Policies: []scenario.Policy{{Name: "easy"}, {Name: "conservative"}}}}
	d.Scenario.Machine.Machine.Nodes = 128
	order := registry.Settings{Model: model, Procs: 128, Seed: 1, Knobs: map[string]string{"jobs": "200", "estimates": estimates}}
	run, err := order.Start()
	require.NoError(t, err)
	for more := true; more; {
		more, err = run.Step(1000)
		require.NoError(t, err)
	}
	for _, j := range run.Drawn().Jobs {
		d.Scenario.Workload.Jobs = append(d.Scenario.Workload.Jobs, job.Job{ID: j.ID, Runtime: j.Runtime, Request: job.Request{Submit: j.Submit, Procs: j.Procs, Estimate: j.Estimate}})
	}
	d.Scenario.Machine.Processors, d.Scenario.Machine.Cores = 1, 1
	return d
}

// opens returns, as text, everything that a fragment contains: the options that differ from their
// defaults, the file of the lesson, the half-typed texts, and the scenario file.
func opens(t *testing.T, fragment string) string {
	var b strings.Builder
	f := Parse(fragment)
	differences := func(name string, v, defaults any) {
		x, none := reflect.ValueOf(v), reflect.ValueOf(defaults)
		for i := range x.NumField() {
			if !reflect.DeepEqual(x.Field(i).Interface(), none.Field(i).Interface()) {
				fmt.Fprintf(&b, "%s%s: %v\n", name, x.Type().Field(i).Name, x.Field(i))
			}
		}
	}
	payload, lesson := f.Payload, f.Lesson
	outer := f
	outer.View, outer.Payload, outer.Lesson = View{}, "", ""
	differences("", outer, Fragment{})
	differences("View.", f.View, Whole)
	differences("Frame.", f.Frame(), Frame{})
	if lesson != "" {
		text, err := Inflate(lesson)
		require.NoError(t, err)
		b.Write(text)
	}
	if payload == "" {
		return b.String()
	}
	d, err := DecodePayload(f.Version, payload)
	require.NoError(t, err)
	for _, x := range d.Typed {
		fmt.Fprintf(&b, "Typed: %d %d %q\n", x.Row, x.Column, x.Text)
	}
	return b.String() + string(scenario.Format(d.Scenario))
}

// A link of any version must always open exactly the content that was recorded for it. Once a link is in
// testdata, neither the link nor its recorded content may be changed.
func TestGoldenLinks(t *testing.T) {
	if *add {
		for name, make := range makers {
			view, d := make(t)
			if d != nil {
				view = strings.TrimPrefix(view+"&s="+EncodePayload(deflate(t, Pack(d))), "&")
			}
			write(t, name+".txt", "v=1&"+view+"\n")
		}
	}
	files, err := filepath.Glob("testdata/v*.txt")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), len(makers)+3)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		got := opens(t, strings.TrimSpace(string(text)))
		golden := strings.TrimSuffix(file, ".txt") + ".opens"
		if *add {
			write(t, filepath.Base(golden), got)
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got, file)
	}
}

// write adds a file to testdata, unless the file already exists.
func write(t *testing.T, name, text string) {
	f, err := os.OpenFile(filepath.Join("testdata", name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		return
	}
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// A link with 200 rigid jobs has at most 2,000 characters, including the address of the page and
// its options. The count ignores the title and the text of the scenario.
func TestTwoHundredJobsFit(t *testing.T) {
	const address = "https://example.org/courses/17/files/lab/#v=1&s="
	for _, model := range []string{"lublin", "feitelson96"} {
		for _, estimates := range []string{"exact", "tsafrir"} {
			n := len(address + EncodePayload(deflate(t, Pack(twoHundred(t, model, estimates)))))
			t.Logf("%s, estimates %s: %d characters", model, estimates, n)
			require.LessOrEqual(t, n, 2000, "%s, estimates %s", model, estimates)
		}
	}
}
