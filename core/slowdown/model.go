// Package slowdown models how much jobs on shared nodes slow each other and themselves
// down. Slowdowns are given by the scenario or drawn from table 4 of the thesis (Zeng
// 2009, section 4.10). Package speed turns them into rates; policies decide which jobs
// share nodes.
package slowdown

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload/draw"
)

// Model holds SL_cos, the slowdown of each job next to each other job. Given pairs take
// precedence. The rest are drawn by the seed if Drawn is set; otherwise they are 1.
type Model struct {
	Drawn   bool
	Seed    int64
	Classes bool   // slowdowns belong to application classes, and pairs name classes
	Pairs   []Pair // grouped by Of
}

// Pair is the slowdown of job Of next to job Beside. The reverse is another pair.
type Pair struct {
	Of, Beside string
	Slow       float64
}

// Least and Most bound a given slowdown.
const (
	Least = 0.9
	Most  = job.MaxSlowdown
)

// MaxSeed is the largest seed, as for workload generators.
const MaxSeed = 1<<32 - 1

// Invalid is the error for a pair that breaks a rule.
type Invalid struct {
	Pair          Pair
	Expected, Got string
}

func (e *Invalid) Error() string {
	return "slowdown of " + strconv.Quote(e.Pair.Of) + " next to " + strconv.Quote(e.Pair.Beside) +
		": expected " + e.Expected + ", got " + e.Got
}

// Check returns an Invalid error for the first pair that names no job, or no class, of
// the workload.
func (m *Model) Check(jobs []job.Job) error {
	if len(m.Pairs) == 0 {
		return nil
	}
	known := map[uint64]bool{}
	for i := range jobs {
		known[key(m.Name(&jobs[i]))] = true
	}
	for _, p := range m.Pairs {
		if invalid := m.Judge(p, func(name string) bool { return known[key(name)] }); invalid != nil {
			return invalid
		}
	}
	return nil
}

// Judge returns the rule that a pair breaks, nil if it breaks none; known reports whether
// the workload has a job, or an application class, of that name.
func (m *Model) Judge(p Pair, known func(name string) bool) *Invalid {
	what := "a job"
	if m.Classes {
		what = "an application class"
	}
	for _, name := range [2]string{p.Of, p.Beside} {
		if !known(name) {
			return &Invalid{p, what + " of the workload", strconv.Quote(name)}
		}
	}
	if p.Of == p.Beside && !m.Classes {
		return &Invalid{p, "another job", "itself"}
	}
	return nil
}

// Name returns the name by which pairs refer to a job: its application class if the model
// uses classes and the job has one, else its ID.
func (m *Model) Name(j *job.Job) string {
	if m.Classes && j.More != nil && j.More.Class != "" {
		return j.More.Class
	}
	return j.ID
}

// Speed returns the speed model of the jobs on shared nodes.
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

// Traits reports whether any job has a slowdown of its own, SL_nos or SL_crs.
func Traits(jobs []job.Job) bool {
	for i := range jobs {
		if m := jobs[i].More; m != nil && (m.SLnos > 0 || m.SLcrs > 0) {
			return true
		}
	}
	return false
}

// Bins is the distribution of a slowdown: percentages of nine bins of width 0.1 that
// start at 0.9. Inside a bin the distribution is uniform.
type Bins [9]int

// Crs, Nos and Cos are the columns of table 4. Crs is the further slowdown of a job by four
// of its processes on a node, Nos its slowdown by two, Cos its slowdown by another job.
var (
	Crs = Bins{0, 25, 17, 17, 13, 17, 8, 3, 0}
	Nos = Bins{25, 45, 12, 5, 13}
	Cos = Bins{0, 68, 17, 7, 3, 2, 1, 1, 1}
)

// At returns the slowdown that two uniform numbers in [0,1) select: the first selects the
// bin, the second the place inside it. The slowdown is cut to four decimals for reading.
func (b *Bins) At(bin, place float64) float64 {
	percent, k := int(bin*100), 0
	for ; percent >= b[k]; k++ {
		percent -= b[k]
	}
	return math.Floor(9000+float64(1000*(float64(k)+place))) / 10000
}

// key returns the FNV-1a hash of a name, which does not depend on the job's place in the
// workload.
func key(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// drawn returns SL_cos(i,j) as a pure function of the seed and the keys of the two jobs, so
// that other jobs have no influence on it.
func drawn(seed int64, i, j uint64) float64 {
	h := draw.Mix(draw.Mix(draw.Mix(uint64(seed))^i) ^ j)
	return Cos.At(uniform(h), uniform(draw.Mix(h)))
}

// uniform maps the upper 53 bits of h to [0,1).
func uniform(h uint64) float64 { return float64(h>>11) / (1 << 53) }
