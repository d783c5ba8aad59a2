package sweep

import (
	"fmt"
	"maps"
	"strconv"

	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/generator"
)

// QueueTarget determines the arrival rate of a generated workload by a mean queue length: the mean number
// of jobs that wait under a given policy (Leinberger et al. 1999, section 3.2). The workload model
// must have the knob mean-interarrival.
type QueueTarget struct {
	Length   float64 // mean number of waiting jobs from the first to the last arrival
	Policy   string  // name of the policy, which uses its default knobs
	From, To float64 // range to search for the mean time between arrivals, in seconds
}

// queue reads the field that sets the mean queue length of a workload.
func (r *reader) queue(v raw.Value, at place) *QueueTarget {
	q := &QueueTarget{Policy: "easy", From: 1, To: 1e6}
	r.Object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "length":
			q.Length = r.positive(v, at.Field("length"))
		case "policy":
			q.Policy = r.LongText(v, at.Field("policy"))
			if _, err := registry.New(q.Policy, nil); err != nil {
				r.failWith(v, at.Field("policy"), err)
			}
		case "from":
			q.From = r.positive(v, at.Field("from"))
		case "to":
			q.To = r.positive(v, at.Field("to"))
		default:
			return false
		}
		return true
	})
	switch {
	case q.Length == 0:
		r.Fail(v, at, "the field \"length\", the mean length of the queue")
	case q.From >= q.To:
		r.Fail(v, at, "times between arrivals, with \"from\" smaller than \"to\"")
	}
	return q
}

// positive reads a number and fails unless it is above 0.
func (r *reader) positive(v raw.Value, at place) float64 {
	f, ok := v.Float()
	if !ok || f <= 0 {
		r.Fail(v, at, "a number above 0")
	}
	return f
}

// TunedArrivals holds the mean time between arrivals that was found for a requested queue length, and
// the queue length that it gives.
type TunedArrivals struct {
	Interarrival float64 // mean time between arrivals, in seconds
	Queue        float64 // mean number of waiting jobs
}

// withInterval returns a copy of scenario x with the given mean time between arrivals, in seconds,
// and with q.Policy as its only policy.
func (q *QueueTarget) withInterval(x *scenario.Scenario, interval float64) *scenario.Scenario {
	out, drawn := *x, *x.Workload.Generator
	drawn.Parameters = maps.Clone(drawn.Parameters)
	if drawn.Parameters == nil {
		drawn.Parameters = map[string]string{}
	}
	drawn.Parameters[generator.MeanInterarrival] = strconv.FormatFloat(interval, 'g', -1, 64)
	out.Workload.Generator = &drawn
	out.Policies = []scenario.Policy{{Name: q.Policy}}
	return &out
}

// tune searches for the arrival rate at which the mean queue length is q.Length. It returns a copy
// of scenario x with this rate.
func (q *QueueTarget) tune(x *scenario.Scenario, load JobLoader) (*scenario.Scenario, *TunedArrivals, error) {
	interval, length, err := arrivals.Tune(q.Length, q.From, q.To, func(interval float64) (float64, error) {
		s := q.withInterval(x, interval)
		up, err := load(s)
		if err != nil {
			return 0, err
		}
		v, err := run(s, up, log.Starts)
		return v["mean-queue-length"], err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("mean queue %g under %s: %w", q.Length, q.Policy, err)
	}
	return q.withInterval(x, interval), &TunedArrivals{interval, length}, nil
}
