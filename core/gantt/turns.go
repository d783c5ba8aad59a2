package gantt

import (
	"sort"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Slice is the time [From,To) that a virtual machine has on the real one. Its
// clock runs from On on; what lies before is overhead.
type Slice struct {
	View         uint8
	From, On, To job.Time

	clock job.Time // of its machine at On
}

// turns is the time slices in order.
type turns struct {
	list  []Slice
	views uint8 // the highest number of a virtual machine
}

// sliced reads the slices when they are first asked for.
func (c *Chart) sliced() *turns {
	if c.turns == nil {
		c.turns = &turns{}
		c.turns.read(c)
	}
	return c.turns
}

// read walks the records beside the submissions. While there are jobs and no
// clock runs, the machine is changing slices; while there are none, it rests.
func (s *turns) read(c *Chart) {
	l := c.log
	var clocks [256]job.Time
	arrived, present, from, open := 0, 0, job.Time(0), -1
	for r := range l.All() {
		for ; arrived < len(l.Jobs) && l.Jobs[arrived].Submit <= r.At; arrived++ {
			if present++; present == 1 {
				from = max(from, l.Jobs[arrived].Submit)
			}
		}
		switch {
		case r.Kind == log.Finish:
			present--
		case r.Kind != log.Slice || r.View == 0:
		case r.X != 0:
			open = len(s.list)
			s.list = append(s.list, Slice{r.View, min(from, r.At), r.At, max(min(r.Y, c.End), r.At), clocks[r.View]})
			s.views = max(s.views, r.View)
		case open >= 0 && s.list[open].View == r.View:
			s.list[open].To = r.At
			clocks[r.View] += r.At - s.list[open].On
			from, open = r.At, -1
		}
	}
}

// after returns the first slice that ends after t.
func (s *turns) after(t job.Time) int {
	return sort.Search(len(s.list), func(i int) bool { return s.list[i].To > t })
}

// SliceAt returns the slice at the moment t; false if there is none.
func (c *Chart) SliceAt(t job.Time) (Slice, bool) {
	s := c.sliced()
	if i := s.after(t); i < len(s.list) && s.list[i].From <= t {
		return s.list[i], true
	}
	return Slice{}, false
}

// Slices returns how many slices each virtual machine has, by its number less one;
// nil if the machine is not shared by slices.
func (c *Chart) Slices() []int {
	s := c.sliced()
	if s.views == 0 {
		return nil
	}
	out := make([]int, s.views)
	for i := range s.list {
		out[s.list[i].View-1]++
	}
	return out
}

// Types returns the names of the virtual machines as titles, in the order of Slices.
func (c *Chart) Types() (out []string) {
	for v := range c.sliced().views {
		name := log.ViewName(v + 1)
		out = append(out, strings.ToUpper(name[:1])+name[1:])
	}
	return out
}

// Clocks returns what the clock of each virtual machine shows at the moment t, by its
// number less one.
func (c *Chart) Clocks(t job.Time) []job.Time {
	s := c.sliced()
	out := make([]job.Time, s.views)
	for i := range s.list {
		x := &s.list[i]
		if x.On > t {
			break
		}
		out[x.View-1] = x.clock + min(t, x.To) - x.On
	}
	return out
}

// Band is a slice as a view shows it, or several that are too short to be told
// apart.
type Band struct {
	From, On, To job.Time
	View         uint8 // 0: several
	Count        int32
}

// bands returns the slices of a window. Neighbours shorter than least are one band.
func (c *Chart) bands(q Query, least job.Time) (out []Band) {
	s := c.sliced()
	for _, x := range s.list[s.after(q.T0):] {
		if x.From >= q.T1 {
			break
		}
		if n := len(out) - 1; n >= 0 && x.To-x.From < least && x.From-out[n].To < least && (out[n].View == 0 || out[n].To-out[n].From < least) {
			out[n] = Band{out[n].From, out[n].From, x.To, 0, out[n].Count + 1}
			continue
		}
		out = append(out, Band{x.From, x.On, x.To, x.View, 1})
	}
	return out
}

// EncodeBands appends bands to dst as pieces on all lanes, Stride numbers each: the
// job is the number of the virtual machine, 0 for overhead. Several slices are a bin.
func (v *View) EncodeBands(dst []byte) []byte {
	lanes := int32(v.Query.Lanes1)
	var pieces []Piece
	for _, b := range v.Bands {
		if b.View == 0 {
			pieces = append(pieces, Piece{From: b.From, To: b.To, Lane1: lanes, Flags: Bin, Count: b.Count})
			continue
		}
		if b.From < b.On {
			pieces = append(pieces, Piece{From: b.From, To: b.On, Lane1: lanes})
		}
		pieces = append(pieces, Piece{From: b.On, To: b.To, Lane1: lanes, Job: job.Index(b.View)})
	}
	return Encode(pieces, dst)
}
