package schedule_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/slowdown"
)

// quad is a machine of four nodes with four cores each, on which at most two jobs may share a node.
var quad = cluster.Machine{Nodes: 4, Processors: 2, Cores: 2, JobsPerNode: 2}

// sharingPolicy starts jobs on the nodes of quad with one, two or four processes per node. It
// suspends a job in every third pass. At most two jobs share a node.
type sharingPolicy struct {
	perNode []int
	passes  int
}

func (s *sharingPolicy) Clone() sim.Policy { c := *s; return &c }

func (s *sharingPolicy) Schedule(p *sim.Pass) {
	s.passes++
	for j := range p.Suspended() {
		if contains(p.FreeSlots(), p.Slots(j)) && !s.crowded(p, p.Slots(j)) {
			p.Resume(j, log.Reason{Other: job.None})
		}
	}
	if s.passes%3 == 0 {
		for j := range p.Running() {
			if p.PredictedEnd(j) > p.Now()+1 {
				p.Suspend(j, log.Reason{Other: job.None})
				break
			}
		}
	}
	for j := range p.Waiting() {
		if slots := s.findSlots(p, p.Job(j).Procs, s.perNode[j]); slots != nil {
			p.Start(j, sim.Claim{PerNode: s.perNode[j], Slots: slots}, log.Reason{Code: log.FirstFit, Other: job.None})
		}
	}
	p.WakeAt(p.Now() + 3)
}

// crowded reports whether any of the slots is on a node that already runs the maximum number of
// jobs.
func (s *sharingPolicy) crowded(p *sim.Pass, slots cluster.Set) bool {
	for n := range quad.NodesOf(slots) {
		if s.jobsOn(p, n) >= quad.JobsPerNode {
			return true
		}
	}
	return false
}

// jobsOn returns the number of jobs that run on a node.
func (s *sharingPolicy) jobsOn(p *sim.Pass, node int) (jobs int) {
	for j := range p.Running() {
		for n := range quad.NodesOf(p.Slots(j)) {
			if n == node {
				jobs++
			}
		}
	}
	return jobs
}

// findSlots returns free slots for procs processes, with at most perNode processes on each node. It
// returns nil if there are too few such slots.
func (s *sharingPolicy) findSlots(p *sim.Pass, procs, perNode int) (slots cluster.Set) {
	for n := range quad.Nodes {
		if s.jobsOn(p, n) >= quad.JobsPerNode {
			continue
		}
		var free []int32
		for slot := int32(4 * n); slot < int32(4*n+4); slot++ {
			if contains(p.FreeSlots(), cluster.Set{{Lo: slot, Hi: slot + 1}}) {
				free = append(free, slot)
			}
		}
		for _, slot := range free[:min(len(free), perNode, procs)] {
			slots = slots.Append(slot, slot+1)
			procs--
		}
	}
	if procs > 0 {
		return nil
	}
	return slots
}

// TestSharedNodesBreakNoRule runs random workloads with random slowdowns on shared nodes. The checker
// must find no error in the log of the engine. If the log is changed to allow only one job per node,
// the checker may report only crowded nodes. The progress of each job at its recorded rates must add up
// to its runtime, plus at most the progress of one second.
func TestSharedNodesBreakNoRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := sharedRun(t)
		require.Empty(t, schedule.CheckLogWith(l, schedule.Options{Rates: true}))
		oneJobPerNode := *l
		oneJobPerNode.Machine.JobsPerNode = 1
		for _, f := range schedule.CheckLogWith(&oneJobPerNode, schedule.Options{Rates: true}) {
			require.Equal(t, schedule.NodeCrowded, f.Code)
		}
		requireWork(t, l)
	})
}

// sharedRun draws a workload on quad and returns the log of its run.
func sharedRun(t *rapid.T) *log.Log {
	jobs, policy := make([]job.Job, rapid.IntRange(1, 12).Draw(t, "jobs")), &sharingPolicy{}
	submit := job.Time(0)
	for i := range jobs {
		submit += rapid.Int64Range(0, 30).Draw(t, "gap")
		perNode := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "per node")
		policy.perNode = append(policy.perNode, perNode)
		runtime := rapid.Int64Range(1, 200).Draw(t, "runtime")
		jobs[i] = job.Job{ID: fmt.Sprint(i), Runtime: runtime, Request: job.Request{Submit: submit, Estimate: runtime + rapid.Int64Range(0, 50).Draw(t, "over"),
			Procs: rapid.IntRange(1, 4*perNode).Draw(t, "procs"), More: &job.More{
				SLnos: slowdown.Nos.Sample(rapid.Float64Range(0, 0.99).Draw(t, "nos"), 0.3), SLcrs: slowdown.Crs.Sample(rapid.Float64Range(0, 0.99).Draw(t, "crs"), 0.7)}}}
	}
	m := slowdown.Model{Drawn: true, Seed: rapid.Int64Range(0, 1000).Draw(t, "seed")}
	e, err := sim.New(sim.Config{Machine: quad, Jobs: jobs, Policy: policy, Speed: m.Speed(jobs), Level: log.Full})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// requireWork adds up the progress of each job, second by second, and compares the sum with the
// runtime.
func requireWork(t *rapid.T, l *log.Log) {
	rates := map[job.Index]float64{}
	did, last := map[job.Index]float64{}, map[job.Index]float64{}
	at := job.Time(0)
	for r := range l.All() {
		for ; at < r.At; at++ {
			for j, rate := range rates {
				did[j] += rate
			}
		}
		switch r.Kind {
		case log.Start, log.Resume:
			rates[r.Job] = 1
		case log.RateChange:
			rates[r.Job] = math.Float64frombits(uint64(r.X))
		case log.Suspend, log.Finish:
			last[r.Job] = rates[r.Job]
			delete(rates, r.Job)
		}
	}
	for j, work := range did {
		need := float64(l.Jobs[j].Runtime)
		require.True(t, work >= need-1e-5 && work < need+last[j]+1e-5, "job %d has %g s of work and did %g", j, need, work)
	}
}

// TestSharedNodeErrorsAreFound checks that the checker finds jobs that did too little or too much
// work, and jobs without a recorded rate that run too long.
func TestSharedNodeErrorsAreFound(t *testing.T) {
	for rate, want := range map[float64][]schedule.Code{1 / 1.2: nil, 1 / 1.3: {schedule.RatedWork}, 1 / 1.1: {schedule.RatedWork}, 1: {schedule.RatedWork}} {
		l := log.New(quad, []job.Job{{ID: "a", Runtime: 100, Request: job.Request{Estimate: 100, Procs: 1}}}, log.Full)
		l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1, PerNode: 1})
		l.Add(log.Record{Kind: log.Start, Other: job.None})
		if rate != 1 {
			l.Add(log.Record{Kind: log.RateChange, X: int64(math.Float64bits(rate)), Other: job.None})
		}
		l.Add(log.Record{At: 120, Kind: log.Finish, Other: job.None})
		requireCodes(t, schedule.CheckLogWith(l, schedule.Options{Rates: true}), want...)
	}
}
