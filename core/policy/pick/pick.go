// Package pick chooses among jobs that may start the one that suits the
// resources in use best (Leinberger, Karypis and Kumar 1999, section 2.2). It
// does not know which jobs may start, and starts none.
package pick

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// The rules of choice.
const (
	First = "first" // the first in the queue: FF
	BL    = "bl"    // the first that asks most of the resource least in use
	BB    = "bb"    // the one with which the resources are used most evenly
)

// How the choice gives way to big jobs as the machine fills.
const (
	Relaxed = "relaxed"
	Product = "product"
	Sum     = "sum"
	None    = "none"

	Usual = Relaxed // the default
)

// What BL starts when no job asks most of the resource least in use.
const (
	FirstJob = "first" // the first job that may be backfilled
	NoJob    = "none"
)

// Knobs is the knobs by which a policy offers a choice.
var Knobs = []policy.Knob{
	{Name: "pick", Kind: policy.Choice, Default: First, Choices: []string{First, BL, BB},
		Help: "which of the jobs that may be backfilled starts: the first, the first that asks most of the resource least in use (bl), or the one that leaves the resources used most evenly (bb)"},
	{Name: "fullness", Kind: policy.Choice, Default: Usual, Choices: []string{Relaxed, Product, Sum, None},
		Help: "how balance counts less as the machine fills (pick=bl and bb): it is relaxed, multiplied by or added to what stays free, or it counts alone"},
	{Name: "fallback", Kind: policy.Choice, Default: FirstJob, Choices: []string{FirstJob, NoJob}, With: "pick", Of: []string{BL},
		Help: "what pick=bl starts when no job asks most of the resource least in use: the first that may be backfilled, or none; with reservations=0 always the first"},
}

// Shares is a share of each resource of a machine, of the processors first. A
// resource of which the machine has nothing has no share.
type Shares []float64

// Job returns the shares of job i in a list of those of several jobs, n each.
func (s Shares) Job(n, i int) Shares { return s[i*n : (i+1)*n] }

// Of appends to dst the shares of the machine that n takes.
func Of(dst Shares, m *cluster.Machine, n job.Demand) Shares {
	dst = append(dst, float64(n.Procs)/float64(m.Slots()))
	for k, r := range m.Resources {
		if r.Capacity > 0 {
			dst = append(dst, float64(n.Amount(k))/float64(r.Capacity))
		}
	}
	return dst
}

// Resource returns the number of the resource with the share at place k, as reasons
// name it.
func Resource(m *cluster.Machine, k int) int64 {
	for i, r := range m.Resources {
		if k > i && r.Capacity == 0 {
			k++
		}
	}
	return int64(k)
}

// Used returns the shares of the machine that are in use.
func Used(m *cluster.Machine, free *policy.Room) Shares {
	used := job.Demand{Procs: m.Slots() - free.Procs}
	for k, r := range m.Resources {
		used.Extra = append(used.Extra, r.Capacity-free.Extra[k])
	}
	return Of(nil, m, used)
}

// Balance returns how evenly the resources would be used with a job: the largest
// share in use by the mean share, 1 at best; and the mean share left free.
func Balance(used, ask Shares) (balance, free float64) {
	sum, most := 0.0, 0.0
	for k := range used {
		v := used[k] + ask[k]
		sum += v
		most = max(most, v)
	}
	mean := sum / float64(len(used))
	return most / mean, 1 - mean
}

// Picker is a rule of choice other than First.
type Picker struct {
	Rule, Fullness string
	Fallback       string // of BL; empty: FirstJob
}

// Nobody is what Pick returns when it takes none of the jobs.
const Nobody = -1

// same is the difference below which scores are equal; then the earlier job is
// taken.
const same = 1e-9

// Less reports whether a score is less than another.
func Less(a, b float64) bool { return a < b-same }

// Pick returns the place of the job to start among those whose shares, one after
// the other in the order of the queue, are given. There is at least one. Pick returns
// Nobody when it needs a match, finds none and may not fall back to the first job.
func (p Picker) Pick(used, asks Shares) int {
	n, best, least := len(used), Nobody, 0.0
	match := p.Rule == BL && p.Fallback == NoJob
	for i := range len(asks) / n {
		ask := asks.Job(n, i)
		if match && !p.LeastFirst(used, ask) {
			continue
		}
		if s := p.Score(used, ask); best == Nobody || Less(s, least) {
			best, least = i, s
		}
	}
	return best
}

// Score returns what the job to start has least of. To BL a job is balanced or it is
// not, so that the first that is will be taken.
func (p Picker) Score(used, ask Shares) float64 {
	balance, free := Balance(used, ask)
	if p.Rule == BL {
		balance = float64(len(used))
		if p.LeastFirst(used, ask) {
			balance = 1
		}
	}
	switch p.Fullness {
	case Relaxed:
		if p.Rule == BB {
			return float64((balance - 1) * free)
		}
	case Product:
		return float64(balance * free)
	case Sum:
		return balance + free
	}
	return balance
}

// LeastFirst reports whether a job asks as much of the resource least in use as
// of any other; with the fullness relaxed, less is enough the fuller the
// machine would be.
func (p Picker) LeastFirst(used, ask Shares) bool {
	enough := largest(ask)
	if p.Fullness == Relaxed {
		_, free := Balance(used, ask)
		enough = float64(enough * free)
	}
	return !Less(ask[Least(used)], enough)
}

// Least returns the resource least in use.
func Least(used Shares) int {
	least := 0
	for k := range used {
		if Less(used[k], used[least]) {
			least = k
		}
	}
	return least
}

func largest(ask Shares) float64 {
	most := 0.0
	for _, share := range ask {
		most = max(most, share)
	}
	return most
}
