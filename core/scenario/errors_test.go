package scenario_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
)

// validWith returns a scenario that is valid, except that a part of its text is replaced.
func validWith(old, replacement string) string {
	const good = `{"version":1,"machine":{"nodes":4,"resources":[{"name":"gpu","capacity":2}]},
"workload":{"jobs":[
{"id":"1","submit":0,"procs":1,"estimate":2,"runtime":1},
{"id":"2","submit":0,"procs":1,"estimate":2,"runtime":1}]},
"policies":[{"name":"easy"}]}`
	return strings.Replace(good, old, replacement, 1)
}

func TestParseErrors(t *testing.T) {
	job2 := `"2","submit":0,"procs":1,"estimate":2,"runtime":1`
	for _, c := range []struct{ text, want string }{
		{``, `line 1, column 1: expected a value, got the end of the text`},
		{`[1]`, `scenario: expected an object in { }, got a list`},
		{"{\n \"version\": 1,\n}", `line 3, column 1: expected a name in double quotes, got "}"`},
		{"{\"version\" 1}", `line 1, column 12: expected ":", got "1"`},
		{"{\"version\": 01}", `line 1, column 14: expected "," or "}", got "1"`},
		{"{\"version\": 1} x", `line 1, column 16: expected the end of the text, got "x"`},
		{"{\"a\": \"b\nc\"}", `line 1, column 9: expected a closing quote, got "\n"`},
		{"{\"a\": \"\\x\"}", `line 1, column 9: expected one of " \ / b f n r t u after a backslash, got "x"`},
		{"{\"a\": \"\xff\"}", `line 1, column 8: expected text in UTF-8, got the byte 0xff`},
		{strings.Repeat("[", 200), `line 1, column 102: expected at most 100 nested lists and objects, got "["`},
		{`{"a":1}`, `version: expected the version of the format, 1, got nothing`},
		{validWith(`"version":1`, `"version":"1"`), `version: expected a whole number of at least 1, got "1"`},
		{validWith(`"version":1`, `"version":9`), `version: expected at most 1 (this file was written by a newer version of the program), got 9`},
		{validWith(`"version":1`, `"version":1,"title":3`), `title: expected a text in double quotes, got 3`},
		{validWith(`"version":1`, `"version":1,"machine":{}`), `machine: expected each field only once, got it again`},
		{validWith(`"nodes":4,`, ``), `machine, nodes: expected the number of nodes, got nothing`},
		{validWith(`"nodes":4`, `"nodes":0`), `machine, nodes: expected a whole number of at least 1, got 0`},
		{validWith(`"nodes":4`, `"nodes":1000001`), `machine, nodes: expected a whole number of at most 1000000, got 1000001`},
		{validWith(`"capacity":2`, `"capacity":-1`), `machine, resources, row 1, capacity: expected a whole number of at least 0, got -1`},
		{validWith(`"name":"gpu",`, ``), `machine, resources, row 1, name: expected a unique name, got an object`},
		{`{"version":1,"machine":{"nodes":4},"workload":{"file":"../x.swf"}}`, `workload, file: expected the name of a file in the folder of the scenario, without a path, got "../x.swf"`},
		{validWith(`"jobs":[`, `"file":"x","jobs":[`), `workload: expected either jobs, a generator or a file, got two of them`},
		{validWith(`"jobs":[`, `"work":[`), `workload: expected either jobs, a generator or a file, got nothing`},
		{validWith(`"jobs":[`, `"jobs":3,"x":[`), `jobs: expected a list in [ ], got 3`},
		{validWith(job2, `"2","submit":0,"procs":"x","estimate":2,"runtime":1`), `jobs, row 2, procs: expected a whole number of at least 1, got "x"`},
		{validWith(job2, `"2","submit":0,"procs":1,"estimate":2,"runtime":1,"killed":true`), `jobs, row 2, killed: expected true only for a job whose runtime equals its estimate, got true`},
		{validWith(job2, `"2","submit":0,"procs":1.5,"estimate":2,"runtime":1`), `jobs, row 2, procs: expected a whole number of at least 1, got 1.5`},
		{validWith(job2, `"2","submit":-4,"procs":1`), `jobs, row 2, submit: expected a whole number of at least 0, got -4`},
		{validWith(job2, `"2","procs":1,"runtime":3`), `jobs, row 2, submit: expected a time in seconds, got nothing`},
		{validWith(job2, `"2","submit":1,"runtime":3`), `jobs, row 2, procs: expected a number of processors, got nothing`},
		{validWith(job2, `"2","submit":1,"procs":3`), `jobs, row 2, runtime: expected a time in seconds, got nothing`},
		{validWith(job2, `"2","submit":1,"procs":3,"L":5`), `jobs, row 2, A: expected the average parallelism, because L and sigma are given, got nothing`},
		{validWith(job2, `"2","submit":1,"procs":3,"table":[]`), `jobs, row 2, table: expected a runtime for each number of processors from 1 on, got nothing`},
		{validWith(job2, `"","submit":1`), `jobs, row 2, id: expected a name, got ""`},
		{validWith(job2, job2+`,"slnos":101`), `jobs, row 2, slnos: expected a number of at most 100, got 101`},
		{validWith(job2, job2+`,"slcrs":-1`), `jobs, row 2, slcrs: expected a number of at least 0, got -1`},
		{validWith(job2, job2+`,"runtime":2`), `jobs, row 2, runtime: expected each field only once, got it again`},
		{validWith(job2, job2+`,"resources":{"net":2}`), `jobs, row 2, resources: expected a resource of the machine (gpu), got "net"`},
		{validWith(job2, job2+`,"resources":{"gpu":1.5}`), `jobs, row 2, resources, gpu: expected a whole number of at least 0, got 1.5`},
		{validWith(`"policies"`, `"rules":{"overrun":"x"},"policies"`), `rules, overrun: expected raise or truncate or kill, got "x"`},
		{validWith(`"policies"`, `"rules":{"limit":-1},"policies"`), `rules, limit: expected a whole number of at least 0, got -1`},
		{validWith(`"policies"`, `"rules":{"keep":{"procs":"x"}},"policies"`), `rules, keep, procs, expected FROM:TO or one whole number, with FROM <= TO and TO at least 1, got "x"`},
		{validWith(`"policies"`, `"rules":{"keep":{"cores":1}},"policies"`), `rules, keep, cores, expected one of procs, runtime, estimate, user, class, got "cores"`},
		{validWith(`"policies"`, `"rules":{"shift":1},"policies"`), `rules, shift: expected true or false, got 1`},
		{validWith(`"policies"`, `"rules":{"warmup":101},"policies"`), `rules, warmup: expected a number of at most 100, got 101`},
		{validWith(`{"name":"easy"}`, `{"knobs":{}}`), `policies, row 1, name: expected the name of a policy, got nothing`},
		{validWith(`{"name":"easy"}`, `{"name":"easy","knobs":{"order":[1]}}`), `policies, row 1, order: expected a word, a number, true or false, got a list`},
	} {
		_, err := scenario.Parse([]byte(c.text))
		require.EqualError(t, err, c.want, c.text)
	}
}

func TestErrorHasLineAndColumn(t *testing.T) {
	_, err := scenario.Parse([]byte(validWith(`"2","submit":0`, `"2","submit":null`)))
	var e *scenario.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, 4, e.Line)
	require.Equal(t, 20, e.Column)
}

func TestValidateErrors(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`"nodes":4`, `"nodes":1000000,"cores":4000000`, `machine, nodes x processors x cores: expected at most 4000000 slots, got 1000000 x 1 x 4000000`},
		{`"procs":1`, `"procs":9`, `jobs, row 1, procs: expected at most the machine's 4, got 9`},
		{`"id":"1"`, `"id":"1","resources":{"gpu":3}`, `jobs, row 1, resources, gpu: expected 0 to 2 (capacity of the machine), got 3`},
		{`{"name":"easy"}`, ``, `policies: expected 1 to 32, got 0`},
		{`{"name":"easy"}`, `{"name":"x"}`, `policies, row 1, policy: expected one of `},
		{`{"name":"easy"}`, `{"name":"easy"},{"name":"easy","knobs":{"reservations":-1}}`, `policies, row 2, easy, reservations: expected 0 to 5,000,000 or all, got "-1"`},
		{`{"name":"easy"}`, `{"name":"fcfs","knobs":{"x":1}}`, `policies, row 1, fcfs, x: expected one of its knobs: order, got "x"`},
		{`{"name":"easy"}`, `{"name":"easy","knobs":{"backfill-order":"-res:net"}}`, `policies, row 1, easy, backfill-order: expected a resource of the machine (gpu), got "net"`},
		{`{"name":"easy"}`, `{"name":"scojo-pect","knobs":{"inner.order":"-wait/estmate"}}`, `policies, row 1, scojo-pect, inner.order: expected fifo, sjf, ljf, wjf, njf or a formula (column 7: expected submit, `},
		{`"policies"`, `"rules":{"warmup":50,"cooldown":50},"policies"`, `rules, warm-up and cool-down: expected 0 % or more and together less than 100 %, got 50 % and 50 %`},
		{`"policies"`, `"rules":{"load-factor":1},"x"`, `policies: expected 1 to 32, got 0`},
	} {
		err := parse(t, validWith(c.old, c.replacement)).Validate()
		require.ErrorContains(t, err, c.want)
		var e *scenario.Error
		require.True(t, errors.As(err, &e))
	}
}

func TestGeneratorErrors(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`"lublin"`, `"lubin"`, `workload, generator: expected one of lublin, `},
		{`"seed":1`, `"seed":-3`, `workload, seed: expected 0 to 4294967295, got -3`},
		{`"seed":1`, `"seed":4294967296`, `workload, seed: expected 0 to 4294967295, got 4294967296`},
		{`"jobs":250`, `"jobs":0`, `workload, parameters, jobs: expected 1 to 5,000,000, got "0"`},
		{`"jobs":250`, `"jobs":199`, `workload, parameters, jobs: expected at least 200 if estimates=tsafrir, got "199"`},
		{`"jobs":250`, `"colour":"red"`, `workload, parameters, colour: expected one of its knobs: jobs, typed, `},
		{`"jobs":250`, `"size-high":8`, `workload, parameters, size-high: expected at most 7, log2 of the size of the machine, got "8"`},
	} {
		err := parse(t, strings.Replace(generated, c.old, c.replacement, 1)).Validate()
		require.ErrorContains(t, err, c.want)
		var e *scenario.Error
		require.True(t, errors.As(err, &e))
	}
	_, err := scenario.Parse([]byte(strings.Replace(generated, `250`, `[1]`, 1)))
	require.EqualError(t, err, `workload, jobs: expected a word, a number, true or false, got a list`)
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(validWith("", "")))
	f.Add([]byte(generated))
	f.Add([]byte(shared))
	f.Add([]byte(`{"version":1,"machine":{"nodes":4},"workload":{"file":"a"},"\u00e9\ud83d\ude00":"\ud800"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenario.Parse(data)
		if err != nil {
			var e *scenario.Error
			require.True(t, errors.As(err, &e), "%v", err)
			require.Positive(t, e.Line)
			return
		}
		text := scenario.Format(s)
		again, err := scenario.Parse(text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, s, again)
		require.Equal(t, string(text), string(scenario.Format(again)))
		_, _ = s.Setup()
	})
}
