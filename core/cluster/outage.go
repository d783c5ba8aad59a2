package cluster

import (
	"fmt"
	"sort"

	"backfill-lab/core/job"
)

// MaxOutages is the largest number of outages a machine may have.
const MaxOutages = 1000

// Outage describes an outage that is known in advance: maintenance, drained nodes, or a reservation
// for other users. Its slots are not fixed in advance: when the outage begins, it takes the
// highest-numbered free slots. Overlapping outages take different slots, so their processors add
// up.
type Outage struct {
	From, To job.Time // start and end; To is exclusive
	Procs    int      // number of slots taken
	Label    string   // name of the outage; if empty, Name returns "blocked"
}

// Edge is the start or the end of an outage.
type Edge struct {
	At     job.Time
	Outage int  // index in Machine.Outages
	Ends   bool // true if the outage ends at this time, false if it starts
}

// OutageEdges returns the starts and ends of all outages, sorted by time. At equal times, ends
// precede starts; remaining ties keep the order of Machine.Outages.
func (m *Machine) OutageEdges() []Edge {
	out := make([]Edge, 0, 2*len(m.Outages))
	for i, b := range m.Outages {
		out = append(out, Edge{b.From, i, false}, Edge{b.To, i, true})
	}
	sort.Stable(byTime(out))
	return out
}

// byTime sorts edges by time. At equal times, ends precede starts.
type byTime []Edge

func (e byTime) Len() int      { return len(e) }
func (e byTime) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e byTime) Less(i, k int) bool {
	return e[i].At < e[k].At || e[i].At == e[k].At && e[i].Ends && !e[k].Ends
}

// UnavailableProcs returns the number of processors that outages make unavailable at the given
// time.
func (m *Machine) UnavailableProcs(at job.Time) (procs int) {
	for _, b := range m.Outages {
		if b.From <= at && at < b.To {
			procs += b.Procs
		}
	}
	return procs
}

// OutageSeconds returns the processor-seconds that outages take in [from,to).
func (m *Machine) OutageSeconds(from, to job.Time) float64 {
	sum := 0.0
	for _, b := range m.Outages {
		if lo, hi := max(from, b.From), min(to, b.To); lo < hi {
			sum += float64(float64(b.Procs) * float64(hi-lo))
		}
	}
	return sum
}

// Name returns the label of the outage, or "blocked" if it has none.
func (b *Outage) Name() string {
	if b.Label == "" {
		return "blocked"
	}
	return b.Label
}

// checkOutages returns an error if there are too many outages, if a field of an outage is invalid, or
// if overlapping outages take more slots than the machine has.
func (m *Machine) checkOutages() error {
	if len(m.Outages) > MaxOutages {
		return &Invalid{"blocks", fmt.Sprintf("at most %d", MaxOutages), fmt.Sprint(len(m.Outages))}
	}
	for i, b := range m.Outages {
		bad := func(field, expected string, got any) error {
			return &Invalid{fmt.Sprintf("block %d, %s", i+1, field), expected, fmt.Sprint(got)}
		}
		switch {
		case b.From < 0 || b.From > job.MaxTime:
			return bad("from", "a time from 0 to 10^12", b.From)
		case b.To <= b.From || b.To > job.MaxTime:
			return bad("to", fmt.Sprintf("a time after %d, at most 10^12", b.From), b.To)
		case b.Procs < 1 || b.Procs > m.Slots():
			return bad("procs", fmt.Sprintf("1 to %d (processors of the machine)", m.Slots()), b.Procs)
		case len(b.Label) > job.MaxName:
			return bad("label", fmt.Sprintf("at most %d bytes", job.MaxName), len(b.Label))
		}
	}
	return m.checkOverlap()
}

// checkOverlap checks that overlapping outages never take more slots than the machine has.
func (m *Machine) checkOverlap() error {
	taken := 0
	for _, e := range m.OutageEdges() {
		b := &m.Outages[e.Outage]
		if e.Ends {
			taken -= b.Procs
		} else if taken += b.Procs; taken > m.Slots() {
			return &Invalid{fmt.Sprintf("block %d, procs", e.Outage+1),
				fmt.Sprintf("at most %d, because other outages take the rest at %d", m.Slots()-taken+b.Procs, b.From), fmt.Sprint(b.Procs)}
		}
	}
	return nil
}
