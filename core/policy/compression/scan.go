package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/profile"
)

// scan finds, from the first job of the compression queue on, one that can move
// to where room was given back.
type scan struct {
	*reservations
	now    job.Time
	blocks []block
	todo   []stretch    // the one at the front last
	at     int          // entries before it cannot move
	room   profile.Hole // what the entry at at has not been tried at
}

// stretch is the entries of the queue up to end, behind those of the stretches
// that come later in the list. They have not been tried at hole, nor at the
// holes of those.
type stretch struct {
	end  int
	hole profile.Hole
}

// begin starts over: no job has been tried at hole.
func (s *scan) begin(r *reservations, now job.Time, hole profile.Hole) {
	s.reservations, s.now = r, now
	s.blocks = summarize(s.blocks[:0], r)
	s.todo = append(s.todo[:0], stretch{len(r.queue.Entries), hole})
	s.at, s.room = 0, profile.Hole{}
}

// next returns the place of the next job that can move and its earliest start,
// a place below 0 if there is none.
func (s *scan) next() (int, job.Time) {
	for len(s.todo) > 0 {
		last := &s.todo[len(s.todo)-1]
		room := s.room
		room.Join(last.hole)
		if i, at := s.within(last.end, room); i >= 0 {
			last.hole = room
			return i, at
		}
		s.at, s.room = last.end, room
		s.todo = s.todo[:len(s.todo)-1]
	}
	return -1, 0
}

// moved says that the job at place i has moved and left a hole.
func (s *scan) moved(i int, hole profile.Hole) {
	s.todo = append(s.todo, stretch{i + 1, hole})
	s.at, s.room = 0, profile.Hole{}
}

// within looks through the entries from s.at to end.
func (s *scan) within(end int, room profile.Hole) (int, job.Time) {
	for i := s.at; i < end; {
		stop := min(end, (i/blockLen+1)*blockLen)
		if s.blocks[i/blockLen].fits(room) {
			if i, at := s.among(i, stop, room); i >= 0 {
				return i, at
			}
		}
		i = stop
	}
	return -1, 0
}

// among tries the entries from i to end. A job that could not move before can
// only to a start from which it reaches into room.
func (s *scan) among(i, end int, room profile.Hole) (int, job.Time) {
	for ; i < end; i++ {
		e := &s.queue.Entries[i]
		if int(e.Procs) > room.Free || s.plan.Planned(e.Job) <= room.From {
			continue
		}
		from := max(s.now, room.From-e.Estimate+1)
		if at, planned := s.sooner(e, from, room.To); at < planned {
			return i, at
		}
	}
	return -1, 0
}

// block sums up blockLen entries of the queue.
type block struct {
	latest    job.Time // planned start; jobs move only forward, so it stays a bound
	narrowest int
}

const blockLen = 32

func (b *block) fits(room profile.Hole) bool {
	return b.narrowest <= room.Free && b.latest > room.From
}

func summarize(blocks []block, r *reservations) []block {
	for i := range r.queue.Entries {
		e := &r.queue.Entries[i]
		if i%blockLen == 0 {
			blocks = append(blocks, block{0, int(e.Procs)})
		}
		b := &blocks[len(blocks)-1]
		b.latest = max(b.latest, r.plan.Planned(e.Job))
		b.narrowest = min(b.narrowest, int(e.Procs))
	}
	return blocks
}
