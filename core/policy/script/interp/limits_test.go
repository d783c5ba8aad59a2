package interp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/sim"
)

// schedules returns a script whose function schedule consists of the given statements.
func schedules(lines ...string) string {
	return "def schedule(p):\n    " + strings.Join(lines, "\n    ") + "\n"
}

// errorOf runs a script on three jobs. The knobs of the script get the given values, such as "depth=2". The result is
// the error of loading or running the script, or "" if there is none.
func errorOf(t *testing.T, source, set string) string {
	p, err := interp.New(source, set)
	if err != nil {
		return err.Error()
	}
	var jobs []job.Job
	for _, id := range []string{"1", "2", "3"} {
		jobs = append(jobs, job.Job{ID: id, Request: job.Request{Procs: 2, Estimate: 10}, Runtime: 5})
	}
	e, err := sim.New(sim.Config{Machine: cluster.Flat(4), Jobs: jobs, Policy: p, Level: log.Decisions})
	require.NoError(t, err)
	if err := e.Run(); err != nil {
		return err.Error()
	}
	return ""
}

// TestErrors checks that mistakes in scripts are reported with their line and column.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"syntax", "def schedule(p):\n  for job in\n", "script, line 2, column 13: got newline, want primary expression"},
		{"missing colon", "def schedule(p)\n    pass\n", "script, line 1, column 16: got newline, want ':'"},
		{"missing colon after other letters", "def schedule(p):\r\n    if 'ü'\r\n\r\n        pass\r\n", "script, line 2, column 11: got newline, want ':'"},
		{"undefined", schedules("x = 1", "start(p)"), "script, line 3, column 5: undefined: start"},
		{"no function", "x = 1", "script: expected a function schedule(p)"},
		{"two parameters", "def schedule(p, q):\n    pass", "script: expected a function schedule(p)"},
		{"attribute", schedules("p.waitng"), "script, line 2, column 5: pass has no .waitng; it has .events"},
		{"known attribute of another type", schedules("p.submit"), "script, line 2, column 6: pass has no .submit field or method"},
		{"runtime", schedules("x = p.waiting[0].runtime"), "script, line 2, column 18: job has no .runtime: a policy sees only the estimate of a job"},
		{"not started", schedules("x = p.waiting[0].expected_end"), "line 2, column 21: job 1 has no .expected_end: it has not started"},
		{"full machine", schedules("for job in p.waiting:", "    p.start(job)"), "script, line 3, column 16: job 3: expected 2 free processors, got 0"},
		{"started twice", schedules("job = p.waiting[0]", "p.start(job)", "p.start(job)"), "line 4, column 12: job 1: expected a waiting job to start, got one that does not wait"},
		{"wrong type", schedules("p.start(1)"), "line 2, column 12: start: for parameter job: got int, want job"},
		{"wake", schedules("p.wake(p.now)"), "line 2, column 11: wake: expected a time after 0 (now), got 0"},
		{"promise", schedules("p.promise(p.waiting[0], -1)"), "line 2, column 14: promise: expected a waiting job"},
		{"release", schedules("p.profile().release(p.waiting[0], 3)"), "release: expected a reservation of job 1 that starts at 3"},
		{"reserve", schedules("f = p.profile()", "for job in p.waiting:", "    f.reserve(job, 0)"), "line 4, column 18: reserve: expected a start at 0 (now) or later, at which job 3 fits, got 0"},
		{"load", "load('x', 'y')\n", "script, line 1, column 1: expected a script without load"},
		{"assigned attribute", schedules("p.color = 1"), "line 2, column 6: can't assign to .color field of pass"},
		{"assigned attributes", schedules("x, [p.color] = 1, [2]"), "can't assign to .color field of pass"},
		{"attribute of an undefined name", schedules("window.color = 1"), "line 2, column 5: undefined: window"},
		{"getattr", schedules("getattr(p, 'now')"), "line 2, column 12: scripts cannot use getattr"},
		{"function in state", schedules("state['f'] = lambda: 1", "for i in range(600000):", "    pass"), "state: expected numbers, texts, lists"},
		{"change of a global", "calls = []\n" + schedules("calls.append(1)"), "line 3, column 17: append: cannot append to frozen list"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Contains(t, errorOf(t, c.source, ""), c.want) })
	}
}

// TestKnobs checks that a script gets the values that are set for its knobs, and that wrong names and
// values are errors.
func TestKnobs(t *testing.T) {
	source := "knobs = {'depth': 1, 'share': 0.5, 'strict': True, 'order': 'fifo'}\n" +
		schedules("if knobs != {'depth': 2, 'share': 0.25, 'strict': False, 'order': 'sjf'}:", "    fail(knobs)")
	require.NotContains(t, errorOf(t, source, "depth=2 share=0.25 strict=False order=sjf"), "script")
	require.Contains(t, errorOf(t, source, ""), "fail")
	for set, want := range map[string]string{
		"width=2":    "knob width: expected a knob of the script (depth, share, strict, order)",
		"depth=much": `knob depth: expected a whole number, got "much"`,
		"strict=yes": `knob strict: expected True or False, got "yes"`,
		"share=":     `knob share: expected a number, got ""`,
	} {
		require.Contains(t, errorOf(t, source, set), want)
	}
	require.Contains(t, errorOf(t, schedules("pass"), "x=1"), "but the script defines no knobs")
}

// TestLimits checks that a script that needs too much time or memory is stopped, and that its error
// names the reason. The limits are counts, so a script is always stopped at the same place. The
// test logs how long each script runs.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"position of an endless loop", schedules("x = 1", "y = len([])", "while True:", "    pass"), "script, line 4, column 11: more than"},
		{"position of an endless loop with assignments", schedules("x = p.now", "while True:", "    x = 1", "    y = 2"), "script, line 3, column 11: more than"},
		{"position of an endless loop with a literal", schedules("x = p.now", "while (1):", "    pass"), "script, line 3, column 5: more than"},
		{"position of an endless loop with a constant", schedules("x = p.now", "while not False:", "    pass"), "script, line 3, column 5: more than"},
		{"position of an endless loop in a function", "def f():\n    while True:\n        pass\n" + schedules("f()"), "script, line 2, column 11: more than"},
		{"endless loop", schedules("while True:", "    pass"), "more than 5000000 steps in one call of schedule, or while the script loads: does a loop never end?"},
		{"endless loop outside functions", "while True:\n    pass\n" + schedules("pass"), "more than 5000000 steps"},
		{"long range", schedules("for i in range(1000000000):", "    pass"), "range: expected at most 1000000 numbers, got 1000000000"},
		{"nested loops", schedules("for i in range(1000000):", "    for j in range(1000):", "        pass"), "more than 5000000 steps"},
		{"repeated list", schedules("x = [0] * 1000000000"), "line 2, column 13: too many values"},
		{"list of 2 GB", schedules("x = [0] * 250000000"), "too many values"},
		{"repeated text", schedules("x = 1000000000 * 'x'"), "too many values"},
		{"repeated list in place", schedules("x = [0]", "x *= 1000000000"), "too many values"},
		{"doubled list", schedules("x = [0]", "for i in range(40):", "    x = x + x"), "line 4, column 15: too many values"},
		{"doubled list in place", schedules("x = [0]", "for i in range(40):", "    x += x"), "too many values"},
		{"doubled list in a list", schedules("x = [[0]]", "for i in range(40):", "    x[0] += x[0]"), "too many values"},
		{"doubled text", schedules("x = {'a': 'a'}", "for i in range(40):", "    x['a'] += x['a']"), "too many values"},
		{"extended list", schedules("x = [0]", "for i in range(40):", "    x.extend(x)"), "too many values"},
		{"joined texts", schedules("x = ['a' * 100000] * 10000", "y = 'a'.join(x)"), "too many values"},
		{"replaced text", schedules("x = ('a' * 100000).replace('a', 'a' * 100000)"), "too many values"},
		{"formatted text", schedules("x = '%s' % ('a' * 1000000)", "for i in range(40):", "    x = '%s%s' % (x, x)"), "too many values"},
		{"many lists", schedules("x = []", "for i in range(2000):", "    x.append(list(range(1000000)))"), "too many values"},
		{"slices", schedules("x = list(range(1000000))", "for i in range(1000000):", "    y = x[1:]"), "too many values"},
		{"arguments", schedules("def f(*a):", "    pass", "for i in range(1000000):", "    f(*range(1000000))"), "too many values"},
		{"shared lists", schedules("x = []", "for i in range(60):", "    x = [x, x]", "y = str(x)"), "too many values"},
		{"compared lists", schedules("x, y = [0], [0]", "for i in range(8):", "    x, y = [x] * 1000, [y] * 1000", "z = x == y"), "too many values"},
		{"large number", schedules("x = 3", "for i in range(60):", "    x = x * x"), "expected numbers of at most 4096 bits"},
		{"shifted number", schedules("x = 1", "for i in range(1000000):", "    x = x << 500"), "expected numbers of at most 4096 bits"},
		{"recursion", "def f(n):\n    return f(n + 1)\n" + schedules("f(0)"), "function f called recursively"},
		{"state over passes", schedules("x = state.setdefault('x', [])", "for i in range(300000):", "    x.append(i)", "p.wake(p.now + 1)"), "state: expected at most 1000000 values"},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			require.Contains(t, errorOf(t, c.source, ""), c.want)
			t.Logf("%v", time.Since(began))
		})
	}
}

// TestNoClock checks that scripts have neither a clock nor random numbers, and cannot reach files, the
// page or the network.
func TestNoClock(t *testing.T) {
	for _, name := range []string{"time", "random", "now", "open", "os", "sys", "json", "math", "fetch", "window", "self", "globalThis", "document", "postMessage", "importScripts", "js", "import_", "__import__", "exec", "eval", "globals"} {
		require.Contains(t, errorOf(t, schedules("x = "+name), ""), "undefined: "+name)
	}
}

// TestNoOtherAttributes checks that a script cannot reach values of the program with format strings or
// with attributes that are not documented.
func TestNoOtherAttributes(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{`"{0.policy}".format(p)`, "syntax x.y is not supported in replacement fields: 0.policy"},
		{`"{p.pass}".format(p = p)`, "replacement fields"},
		{`"{0[policy]}".format([p])`, "syntax a[i] is not supported in replacement fields: 0[policy]"},
		{`"%(policy)s" % p`, "format requires a mapping"},
		{`getattr(p.waiting[0], "runtime")`, "scripts cannot use getattr"},
		{"dir(p)", "scripts cannot use dir"},
		{"p.policy", "pass has no .policy"},
		{"p.__class__", "pass has no .__class__"},
		{"p.start.__self__", "builtin_function_or_method has no .__self__"},
		{"p.waiting[0].Runtime", "job has no .Runtime"},
		{"schedule.__globals__", "function has no .__globals__"},
		{"p.profile().policy", "profile has no .policy"},
	} {
		require.Contains(t, errorOf(t, schedules("x = "+c.expression), ""), c.want, c.expression)
	}
}
