// Package slowdown models how much jobs on shared nodes slow down each other and themselves.
// Slowdowns are given by the scenario, or drawn from table 4 of the thesis (Zeng 2009, section
// 4.10). Package speed turns them into rates. Policies decide which jobs share nodes.
package slowdown

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload/draw"
)

// Model determines SL_cos for each pair of jobs: the factor by which one job takes longer when it
// shares nodes with the other. A factor in Pairs takes precedence. For a pair that is not listed,
// the factor is drawn at random from the seed if Drawn is set; otherwise it is 1.
type Model struct {
	Drawn   bool
	Seed    int64
	Classes bool   // whether Pairs names application classes instead of jobs
	Pairs   []Pair // grouped by Of
}

// Pair gives the slowdown of job Of when it shares nodes with job NextTo. The slowdown of NextTo by
// Of is a separate pair.
type Pair struct {
	Of, NextTo string
	Slow       float64 // factor by which the runtime of Of grows
}

// Min and Max limit the slowdown of a pair.
const (
	Min = 0.9
	Max = job.MaxSlowdown
)

// MaxSeed is the maximum seed. Workload generators have the same limit.
const MaxSeed = 1<<32 - 1

// Invalid reports an invalid field of a pair.
type Invalid struct {
	Pair          Pair
	Expected, Got string
}

func (e *Invalid) Error() string {
	return "slowdown of " + strconv.Quote(e.Pair.Of) + " next to " + strconv.Quote(e.Pair.NextTo) +
		": expected " + e.Expected + ", got " + e.Got
}

// Check returns an Invalid error for the first pair that names an unknown job or class.
func (m *Model) Check(jobs []job.Job) error {
	if len(m.Pairs) == 0 {
		return nil
	}
	known := map[uint64]bool{}
	for i := range jobs {
		known[hashName(m.Name(&jobs[i]))] = true
	}
	for _, p := range m.Pairs {
		if invalid := m.CheckPair(p, func(name string) bool { return known[hashName(name)] }); invalid != nil {
			return invalid
		}
	}
	return nil
}

// CheckPair returns an error if a pair is invalid, otherwise nil. The function known reports
// whether the workload has a job or an application class with the given name.
func (m *Model) CheckPair(p Pair, known func(name string) bool) *Invalid {
	what := "a job"
	if m.Classes {
		what = "an application class"
	}
	for _, name := range [2]string{p.Of, p.NextTo} {
		if !known(name) {
			return &Invalid{p, what + " of the workload", strconv.Quote(name)}
		}
	}
	if p.Of == p.NextTo && !m.Classes {
		return &Invalid{p, "another job", "itself"}
	}
	return nil
}

// Name returns the name by which pairs refer to a job: its application class, if the model uses
// classes and the job has one, otherwise its ID.
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
		keys[i] = hashName(m.Name(&jobs[i]))
	}
	given := map[[2]uint64]float64{}
	for _, p := range m.Pairs {
		given[[2]uint64{hashName(p.Of), hashName(p.NextTo)}] = p.Slow
	}
	return speed.Contention{Cos: func(i, j job.Index) float64 {
		if slow, ok := given[[2]uint64{keys[i], keys[j]}]; ok {
			return slow
		}
		if !m.Drawn {
			return 1
		}
		return drawnSlowdown(m.Seed, keys[i], keys[j])
	}}
}

// HasSelfSlowdowns reports whether any job has its own SL_nos or SL_crs.
func HasSelfSlowdowns(jobs []job.Job) bool {
	for i := range jobs {
		if m := jobs[i].More; m != nil && (m.SLnos > 0 || m.SLcrs > 0) {
			return true
		}
	}
	return false
}

// Bins holds the distribution of a slowdown as the percentages of nine bins. Each bin is 0.1 wide,
// and the first starts at 0.9. Within a bin, the distribution is uniform.
type Bins [9]int

// Crs, Nos and Cos hold the columns of table 4 in Zeng 2009. Nos is the slowdown of a job when two
// of its own processes share a node. Crs is the further slowdown when four share a node. Cos is the
// slowdown of a job when it shares nodes with another job.
var (
	Crs = Bins{0, 25, 17, 17, 13, 17, 8, 3, 0}
	Nos = Bins{25, 45, 12, 5, 13}
	Cos = Bins{0, 68, 17, 7, 3, 2, 1, 1, 1}
)

// Sample returns a slowdown drawn from the distribution, given two uniform random numbers in [0,1).
// The number bin selects the bin, and the number place selects the position within the bin. The
// result is cut to four decimals, so that it is easy to read.
func (b *Bins) Sample(bin, place float64) float64 {
	percent, k := int(bin*100), 0
	for ; percent >= b[k]; k++ {
		percent -= b[k]
	}
	return math.Floor(9000+float64(1000*(float64(k)+place))) / 10000
}

// hashName returns the FNV-1a hash of a name. It identifies a job in random draws. The index of the
// job would not do, because it changes when other jobs are added.
func hashName(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// drawnSlowdown returns SL_cos(i,j), drawn from the distribution Cos. It depends only on the seed and
// the keys i and j of the two jobs, so adding other jobs does not change it.
func drawnSlowdown(seed int64, i, j uint64) float64 {
	h := draw.Mix(draw.Mix(draw.Mix(uint64(seed))^i) ^ j)
	return Cos.Sample(uniform(h), uniform(draw.Mix(h)))
}

// uniform maps the upper 53 bits of h to [0,1).
func uniform(h uint64) float64 { return float64(h>>11) / (1 << 53) }
