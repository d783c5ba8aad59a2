package slowdown

import (
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
)

// Model says how much each job is slowed down next to each other one. Pairs that
// are given count; the others are drawn if there is a seed, else they do not slow
// each other down.
type Model struct {
	Drawn   bool
	Seed    int64
	Classes bool   // jobs of an application class are alike; names are those of classes
	Pairs   []Pair // those of one stand together
}

// Pair is the slowdown of one next to the other. The reverse is another pair.
type Pair struct {
	Of, Beside string
	Slow       float64
}

// The bounds of a slowdown that is given.
const (
	Least = 0.9
	Most  = job.MaxSlowdown
)

// MaxSeed is the largest seed, such as those of generators.
const MaxSeed = 1<<32 - 1

// Invalid is a pair that breaks a rule.
type Invalid struct {
	Pair          Pair
	Expected, Got string
}

func (e *Invalid) Error() string {
	return "slowdown of " + strconv.Quote(e.Pair.Of) + " next to " + strconv.Quote(e.Pair.Beside) +
		": expected " + e.Expected + ", got " + e.Got
}

// Check reports the first pair that names no job of the workload, or no class.
func (m *Model) Check(jobs []job.Job) error {
	if len(m.Pairs) == 0 {
		return nil
	}
	there := map[uint64]bool{}
	for i := range jobs {
		there[key(m.Name(&jobs[i]))] = true
	}
	for _, p := range m.Pairs {
		if bad := m.Judge(p, func(name string) bool { return there[key(name)] }); bad != nil {
			return bad
		}
	}
	return nil
}

// Judge returns what is wrong with a pair, nil if nothing is; there reports whether the
// workload has a job, or class, of a name.
func (m *Model) Judge(p Pair, there func(name string) bool) *Invalid {
	what := "a job"
	if m.Classes {
		what = "an application class"
	}
	for _, name := range [2]string{p.Of, p.Beside} {
		if !there(name) {
			return &Invalid{p, what + " of the workload", strconv.Quote(name)}
		}
	}
	if p.Of == p.Beside && !m.Classes {
		return &Invalid{p, "another job", "itself"}
	}
	return nil
}

// Name returns who a job is: its class where classes count and it has one.
func (m *Model) Name(j *job.Job) string {
	if m.Classes && j.More != nil && j.More.Class != "" {
		return j.More.Class
	}
	return j.ID
}

// Speed returns the physics of the jobs on shared nodes.
func (m *Model) Speed(jobs []job.Job) speed.Model {
	keys := make([]uint64, len(jobs))
	for i := range jobs {
		keys[i] = key(m.Name(&jobs[i]))
	}
	given := map[[2]uint64]float64{}
	for _, p := range m.Pairs {
		given[[2]uint64{key(p.Of), key(p.Beside)}] = p.Slow
	}
	return speed.Contention{Cos: func(i, j job.Index) float64 {
		if slow, ok := given[[2]uint64{keys[i], keys[j]}]; ok {
			return slow
		}
		if !m.Drawn {
			return 1
		}
		return drawn(m.Seed, keys[i], keys[j])
	}}
}

// Traits reports whether a job tells how it slows itself down.
func Traits(jobs []job.Job) bool {
	for i := range jobs {
		if m := jobs[i].More; m != nil && (m.SLnos > 0 || m.SLcrs > 0) {
			return true
		}
	}
	return false
}
