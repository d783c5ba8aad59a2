package gantt

import (
	"sort"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Slice is a time slice [From,To), in which the machine runs the jobs of one virtual machine: those
// of one type, such as short jobs. The machine first switches jobs during [From,RunFrom), which is
// overhead. The clock of the virtual machine runs only during [RunFrom,To).
type Slice struct {
	View              uint8 // number of the virtual machine
	From, RunFrom, To job.Time

	clock job.Time // time on the clock of the virtual machine at RunFrom, in seconds
}

// timeSlices holds the time slices in order of time.
type timeSlices struct {
	all   []Slice
	views uint8 // number of virtual machines
}

// readSlices returns the time slices. It reads them from the log when it is first called.
func (c *Chart) readSlices() *timeSlices {
	if c.slices == nil {
		c.slices = &timeSlices{}
		c.slices.read(c)
	}
	return c.slices
}

// read reads the slices of a log. Between slices, the machine is idle if all submitted jobs have
// finished. Otherwise, it is switching to the next slice.
func (s *timeSlices) read(c *Chart) {
	l := c.log
	var clocks [256]job.Time
	arrived, unfinished, from, open := 0, 0, job.Time(0), -1
	for r := range l.All() {
		for ; arrived < len(l.Jobs) && l.Jobs[arrived].Submit <= r.At; arrived++ {
			if unfinished++; unfinished == 1 {
				from = max(from, l.Jobs[arrived].Submit)
			}
		}
		switch {
		case r.Kind == log.Finish:
			unfinished--
		case r.Kind != log.Slice || r.View == 0:
		case r.X != 0:
			open = len(s.all)
			s.all = append(s.all, Slice{r.View, min(from, r.At), r.At, max(min(r.Y, c.End), r.At), clocks[r.View]})
			s.views = max(s.views, r.View)
		case open >= 0 && s.all[open].View == r.View:
			s.all[open].To = r.At
			clocks[r.View] += r.At - s.all[open].RunFrom
			from, open = r.At, -1
		}
	}
}

// firstAfter returns the index of the first slice whose end is after t.
func (s *timeSlices) firstAfter(t job.Time) int {
	return sort.Search(len(s.all), func(i int) bool { return s.all[i].To > t })
}

// SliceAt returns the slice that contains time t. It reports false if there is none.
func (c *Chart) SliceAt(t job.Time) (Slice, bool) {
	s := c.readSlices()
	if i := s.firstAfter(t); i < len(s.all) && s.all[i].From <= t {
		return s.all[i], true
	}
	return Slice{}, false
}

// SliceCounts returns the number of slices of each virtual machine. Element 0 belongs to virtual
// machine 1. It returns nil if there are no time slices.
func (c *Chart) SliceCounts() []int {
	s := c.readSlices()
	if s.views == 0 {
		return nil
	}
	out := make([]int, s.views)
	for i := range s.all {
		out[s.all[i].View-1]++
	}
	return out
}

// SliceNames returns the capitalized names of the virtual machines, such as "Short", in the same
// order as SliceCounts.
func (c *Chart) SliceNames() (out []string) {
	for v := range c.readSlices().views {
		name := log.ViewName(v + 1)
		out = append(out, strings.ToUpper(name[:1])+name[1:])
	}
	return out
}

// SliceClocks returns the time on the clock of each virtual machine at time t, in seconds, in the
// same order as SliceCounts.
func (c *Chart) SliceClocks(t job.Time) []job.Time {
	s := c.readSlices()
	out := make([]job.Time, s.views)
	for i := range s.all {
		x := &s.all[i]
		if x.RunFrom > t {
			break
		}
		out[x.View-1] = x.clock + min(t, x.To) - x.RunFrom
	}
	return out
}

// Band shows one time slice in a view, or several slices that are too short to show one by one.
// RunFrom equals From if it shows several.
type Band struct {
	From, RunFrom, To job.Time
	View              uint8 // number of the virtual machine; 0 for several slices
	Count             int32 // number of slices
}

// bandsIn returns bands for the slices in a window. It merges neighbouring slices that are shorter
// than minTime.
func (c *Chart) bandsIn(q Query, minTime job.Time) (out []Band) {
	s := c.readSlices()
	for _, x := range s.all[s.firstAfter(q.T0):] {
		if x.From >= q.T1 {
			break
		}
		if n := len(out) - 1; n >= 0 && x.To-x.From < minTime && x.From-out[n].To < minTime && (out[n].View == 0 || out[n].To-out[n].From < minTime) {
			out[n] = Band{out[n].From, out[n].From, x.To, 0, out[n].Count + 1}
			continue
		}
		out = append(out, Band{x.From, x.RunFrom, x.To, x.View, 1})
	}
	return out
}

// EncodeBands appends bands to dst, in the format of Encode, as pieces on all lanes. In these
// pieces, Job is the number of the virtual machine, or 0 for overhead. A band of several slices is
// encoded as a bin.
func (v *View) EncodeBands(dst []byte) []byte {
	lanes := int32(v.Query.Lanes1)
	var pieces []Piece
	for _, b := range v.Bands {
		if b.View == 0 {
			pieces = append(pieces, Piece{From: b.From, To: b.To, Lane1: lanes, Flags: Bin, Count: b.Count})
			continue
		}
		if b.From < b.RunFrom {
			pieces = append(pieces, Piece{From: b.From, To: b.RunFrom, Lane1: lanes})
		}
		pieces = append(pieces, Piece{From: b.RunFrom, To: b.To, Lane1: lanes, Job: job.Index(b.View)})
	}
	return Encode(pieces, dst)
}
