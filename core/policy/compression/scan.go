package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/profile"
)

// scan searches the compression queue, from its first job on, for a job that can move into released
// capacity.
type scan struct {
	*reservations
	now     job.Time
	chunks  []chunk      // summaries of the queue, each for chunkLen entries
	todo    []queuePart  // stack of the parts of the queue that are still to be tried; the top part comes first in the queue
	entry   int          // index of the entry to try next; entries before it cannot move
	untried profile.Hole // joined holes at which the remaining entries have not been tried
}

// queuePart describes a part of the queue that is still to be tried. It begins where the part above it on
// the stack scan.todo ends.
type queuePart struct {
	end  int          // index after the last entry of the part
	hole profile.Hole // the entries have not been tried at this hole, nor at the holes of the parts above
}

// reset starts a new search of the whole queue for jobs that can move into hole.
func (s *scan) reset(r *reservations, now job.Time, hole profile.Hole) {
	s.reservations, s.now = r, now
	s.chunks = summarize(s.chunks[:0], r)
	s.todo = append(s.todo[:0], queuePart{len(r.queue.Entries), hole})
	s.entry, s.untried = 0, profile.Hole{}
}

// nextMovable returns the index in the queue of the next job that can move, and the earliest start
// of this job. The index is negative if no job can move.
func (s *scan) nextMovable() (int, job.Time) {
	for len(s.todo) > 0 {
		last := &s.todo[len(s.todo)-1]
		hole := s.untried
		hole.Join(last.hole)
		if i, start := s.searchUntil(last.end, hole); i >= 0 {
			last.hole = hole
			return i, start
		}
		s.entry, s.untried = last.end, hole
		s.todo = s.todo[:len(s.todo)-1]
	}
	return -1, 0
}

// recordMove records that the job at index i has moved. The hole that it left is new, so no job has
// been tried at this hole yet.
func (s *scan) recordMove(i int, hole profile.Hole) {
	s.todo = append(s.todo, queuePart{i + 1, hole})
	s.entry, s.untried = 0, profile.Hole{}
}

// searchUntil searches the queue entries with indices in [s.entry,end) for one that can move into
// hole. It returns the index and the new start of this entry. The index is -1 if no entry can move.
// The search skips chunks in which no entry fits into hole.
func (s *scan) searchUntil(end int, hole profile.Hole) (int, job.Time) {
	for i := s.entry; i < end; {
		stop := min(end, (i/chunkLen+1)*chunkLen)
		if s.chunks[i/chunkLen].mayFit(hole) {
			if i, start := s.tryEntries(i, stop, hole); i >= 0 {
				return i, start
			}
		}
		i = stop
	}
	return -1, 0
}

// tryEntries tries the queue entries with indices in [i,end). It returns the index and the earliest
// start of the first entry that can move earlier. The index is -1 if none can. No entry could move until
// the capacity in hole was released, so an entry can move only to a start at which it overlaps hole.
func (s *scan) tryEntries(i, end int, hole profile.Hole) (int, job.Time) {
	for ; i < end; i++ {
		e := &s.queue.Entries[i]
		if int(e.Procs) > hole.Free || s.plan.WaitingStart(e.Job) <= hole.From {
			continue
		}
		from := max(s.now, hole.From-e.Estimate+1)
		if start, planned := s.earliestBefore(e, from, hole.To); start < planned {
			return i, start
		}
	}
	return -1, 0
}

// chunk summarizes chunkLen consecutive entries of the queue.
type chunk struct {
	latest    job.Time // upper bound of the planned starts; it stays valid because jobs move only to earlier starts
	narrowest int      // number of processors of the narrowest job
}

// chunkLen is the number of queue entries in a chunk.
const chunkLen = 32

// mayFit reports whether a job of the chunk might move into hole.
func (c *chunk) mayFit(hole profile.Hole) bool {
	return c.narrowest <= hole.Free && c.latest > hole.From
}

// summarize divides the queue into parts of chunkLen entries, and appends the summary of each part to chunks.
func summarize(chunks []chunk, r *reservations) []chunk {
	for i := range r.queue.Entries {
		e := &r.queue.Entries[i]
		if i%chunkLen == 0 {
			chunks = append(chunks, chunk{0, int(e.Procs)})
		}
		c := &chunks[len(chunks)-1]
		c.latest = max(c.latest, r.plan.WaitingStart(e.Job))
		c.narrowest = min(c.narrowest, int(e.Procs))
	}
	return chunks
}
