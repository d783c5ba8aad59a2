// Package gantt turns a log into the bars of a Gantt chart. It writes charts as text and as SVG. It
// also encodes the bars for the page, which draws its own charts. A chart depends only on the log.
package gantt

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// Chart holds the spans of one run, and everything that is drawn with them. A span is a period in
// which a job runs without interruption. Each lane of a chart shows a slot (core) of the machine. If
// nodes have one core, each lane is a node. Callers must not change a chart.
type Chart struct {
	*timeline.Timeline
	Lanes int // number of lanes

	log         *log.Log
	flags       []Flags        // by span
	parts       jobParts       // numbering of the spans of each preempted job
	paces       pacePhases     // speeds of the jobs over time; empty for single-core nodes
	shares      []share        // times at which jobs share nodes, in order of start
	usage       usage          // numbers of busy lanes and waiting jobs over time
	resourceUse []stepFunction // by extra resource; read on first use
	slices      *timeSlices    // read on first use
}

// New returns the chart of a log. It takes time proportional to the number of records, and memory
// proportional to the number of spans.
func New(l *log.Log) *Chart {
	c := &Chart{Timeline: timeline.New(l), Lanes: l.Machine.Slots(), log: l}
	c.flags = make([]Flags, len(c.Jobs))
	c.parts = readParts(c)
	readPaces(c)
	c.setFlags()
	c.usage = readUsage(c)
	return c
}

// slotsOf returns the slots on which the job of span i runs.
func (c *Chart) slotsOf(i int) cluster.Set { return c.log.Alloc(c.Jobs[i]) }
