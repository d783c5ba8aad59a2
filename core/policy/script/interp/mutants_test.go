package interp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.starlark.net/syntax"

	"backfill-lab/core/log"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/small"
)

// mutant is a template with one change.
type mutant struct {
	template script.Template
	name     string // such as "easy:25:13: break becomes continue"
	source   string
}

// mutator collects the mutants of a template.
type mutator struct {
	template script.Template
	all      []mutant
}

// mutantsOf returns the mutants of a template: one for each change that mutator.node makes.
func mutantsOf(t *testing.T, tpl script.Template) []mutant {
	f, err := (&syntax.FileOptions{While: true}).Parse(tpl.Name, tpl.Source, 0)
	require.NoError(t, err)
	m := &mutator{template: tpl}
	syntax.Walk(f, func(n syntax.Node) bool {
		if n != nil {
			m.node(n)
		}
		return true
	})
	return m.all
}

// offset returns the index of a position in the source. The templates contain only ASCII characters.
func (m *mutator) offset(pos syntax.Position) int {
	at := 0
	for range pos.Line - 1 {
		at += strings.IndexByte(m.template.Source[at:], '\n') + 1
	}
	return at + int(pos.Col) - 1
}

// replace adds the mutant in which another text replaces the text between two positions.
func (m *mutator) replace(from, to syntax.Position, new string) {
	s, i, k := m.template.Source, m.offset(from), m.offset(to)
	m.all = append(m.all, mutant{
		m.template,
		fmt.Sprintf("%s:%d:%d: %s becomes %s", m.template.Name, from.Line, from.Col, s[i:k], new),
		s[:i] + new + s[k:],
	})
}

// operators maps operators to the operators that replace them in mutants.
var operators = map[syntax.Token]string{
	syntax.LT: "<=", syntax.LE: "<", syntax.GT: ">=", syntax.GE: ">", syntax.EQL: "!=", syntax.NEQ: "==", syntax.IN: "not in", syntax.NOT_IN: "in",
	syntax.PLUS: "-", syntax.MINUS: "+", syntax.PLUS_EQ: "-=", syntax.MINUS_EQ: "+=", syntax.AND: "or", syntax.OR: "and",
}

// attributes maps attributes of jobs to the attributes that replace them in mutants.
var attributes = map[string]string{"estimate": "procs", "expected_end": "estimate", "procs": "estimate", "number": "procs", "started": "submit"}

// node adds the mutants of a node: other operators, attributes, numbers and branches, negated
// conditions, reversed sorting and dropped statements.
func (m *mutator) node(n syntax.Node) {
	from, to := n.Span()
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		m.operator(n.OpPos, n.Op)
	case *syntax.AssignStmt:
		m.operator(n.OpPos, n.Op)
		m.replace(from, to, "pass")
	case *syntax.IfStmt:
		m.negate(n.Cond)
	case *syntax.WhileStmt:
		m.negate(n.Cond)
	case *syntax.BranchStmt:
		for _, other := range []string{"break", "continue", "return"} {
			if other != n.Token.String() {
				m.replace(from, to, other)
			}
		}
	case *syntax.ReturnStmt:
		m.replace(from, to, "pass")
	case *syntax.ExprStmt:
		if _, comment := n.X.(*syntax.Literal); !comment {
			m.replace(from, to, "pass")
		}
	case *syntax.CallExpr:
		if f, ok := n.Fn.(*syntax.Ident); ok && f.Name == "sorted" {
			m.replace(n.Rparen, to, ", reverse = True)")
		}
	case *syntax.DotExpr:
		if other, ok := attributes[n.Name.Name]; ok {
			m.replace(n.Name.NamePos, to, other)
		}
	case *syntax.Literal:
		if number, ok := n.Value.(int64); ok {
			m.replace(from, to, fmt.Sprint(number+1))
		}
	}
}

// operator adds the mutant with another operator.
func (m *mutator) operator(pos syntax.Position, op syntax.Token) {
	if other, ok := operators[op]; ok {
		end := pos
		end.Col += int32(len(op.String()))
		m.replace(pos, end, other)
	}
}

// negate adds the mutant with a negated condition.
func (m *mutator) negate(cond syntax.Expr) {
	from, to := cond.Span()
	i, k := m.offset(from), m.offset(to)
	m.replace(from, to, "not ("+m.template.Source[i:k]+")")
}

// equivalent gives, for some mutants, the reason why they make the same schedules as their
// template.
var equivalent = map[string]string{
	"fcfs:7:13: break becomes return":                     "the loop is the last statement of the function",
	"easy:25:13: break becomes continue":                  "the jobs are sorted by their expected ends, so the condition also holds for all later jobs",
	"easy-sjf:26:13: break becomes continue":              "as for easy",
	"conservative:11:47: < becomes <=":                    "a job that ends when expected releases nothing, and without a release every reservation already is the earliest possible",
	"conservative:25:9: p.wake(queue[0][1]) becomes pass": "a reservation begins when a job is expected to end: that job then ends, or ended earlier, which moved the reservation",
}

// refuted returns how a mutant is refuted: it does not load, it breaks a rule, or its schedule or
// its promises differ from those of the built-in policy. It returns "" if no workload refutes it.
func (m *mutant) refuted(t *testing.T) string {
	loaded, err := interp.New(m.source, "")
	if err != nil {
		return err.Error()
	}
	mutated := func() (sim.Policy, error) { return loaded.Clone(), nil }
	builtIn, err := refute.SubjectOf(scenario.Policy{Name: m.template.Policy, Knobs: m.template.Knobs})
	require.NoError(t, err)
	c := refute.Config{A: &refute.Subject{Title: "The mutant", New: mutated}, B: builtIn, Goals: []*refute.Goal{refute.Differ}, Seed: 1, Tries: 2000}
	s, err := refute.NewSearch(c)
	require.NoError(t, err)
	for more := true; more && !s.Found(); { // stop at the first counterexample; it need not be the smallest
		more, err = s.Step(1)
		require.NoError(t, err)
	}
	f, err := s.Finding()
	require.NoError(t, err)
	if f != nil {
		return f.Title
	}
	for i := range uint64(20) {
		source := draw.Stream(1, i)
		machine, jobs := small.Draw(func(low, high int64, _ string) int64 { return low + int64(source.IntN(int(high-low+1))) }, 8, 8)
		want, err := builtIn.New()
		require.NoError(t, err)
		if !slices.Equal(promises(run(t, machine, jobs, loaded.Clone())), promises(run(t, machine, jobs, want))) {
			return "The mutant makes other promises."
		}
	}
	return ""
}

// promises returns the records of promises in a log.
func promises(l *log.Log) (all []string) {
	for r := range l.All() {
		if r.Kind == log.Promise {
			all = append(all, fmt.Sprint(r.At, r.Job, r.X))
		}
	}
	return all
}

// TestMutants changes the templates in one place at a time. Every mutant must be refuted (see the
// method refuted), except those for which the table equivalent gives a reason. With -short, the
// test tries 20 random mutants.
func TestMutants(t *testing.T) {
	var all []mutant
	for _, tpl := range script.Templates {
		all = append(all, mutantsOf(t, tpl)...)
	}
	require.Greater(t, len(all), 50)
	require.GreaterOrEqual(t, len(all)-len(equivalent), len(all)*48/50, "refuted mutants")
	if testing.Short() {
		source := draw.Seeded(1)
		for i := range 20 {
			k := i + source.IntN(len(all)-i)
			all[i], all[k] = all[k], all[i]
		}
		all = all[:20]
	}
	survived := 0
	for i := range all {
		why, reason := all[i].refuted(t), equivalent[all[i].name]
		if why == "" {
			survived++
		}
		require.Equal(t, reason == "", why != "", "%s: %s", all[i].name, why)
		t.Logf("%s: %s%s", all[i].name, why, reason)
	}
	if !testing.Short() {
		require.Equal(t, len(equivalent), survived, "every row of the table equivalent names a mutant")
	}
}
