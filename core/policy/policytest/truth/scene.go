package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// scene is how things stand when sets of jobs are tried. In time slices, some jobs
// are due and cannot start, since others are on their processors; and sets can start
// as guests in the slice of another type, or be of preempted jobs.
type scene struct {
	due   []job.Index // waiting jobs that start now in the plan, whatever the set
	queue []job.Index // the other waiting jobs of the type
	from  []job.Index // jobs that can be in a set
	back  bool        // these are preempted
	room  amount      // what is free for the set
	stay  job.Time    // how long guests can stay; 0: the slice is of their own type
	hosts []job.Index // waiting jobs of the type whose slice it is
}

// scene returns that of the type of the record. A set is of preempted jobs if back.
func (j *judge) scene(back bool) scene {
	s := scene{queue: j.waiting(j.member), room: j.virtual(), back: back}
	if j.sliced && j.present() != j.type_ {
		s.stay, s.hosts = j.turn.Y-j.now, j.waiting(func(k job.Index) bool { return j.class(k) == j.present() })
		s.room = j.roomOfGuests(back)
	} else {
		s.due = j.due()
		s.queue, s.room = s.queue[len(s.due):], s.room.less(j.needs(s.due))
	}
	if s.from = s.queue; back {
		s.from = j.preempted()
	}
	return s
}

// due returns the first waiting jobs of the type, as far as they have room together.
func (j *judge) due() (out []job.Index) {
	if !j.sliced {
		return nil
	}
	room := j.virtual()
	for _, k := range j.waiting(j.member) {
		if !room.has(j.asks(k)) {
			break
		}
		room = room.less(j.asks(k))
		out = append(out, k)
	}
	return out
}

// roomOfGuests returns what a slice leaves free for jobs of the type of the record:
// preempted ones have their processors.
func (j *judge) roomOfGuests(back bool) amount {
	a := j.free()
	if back {
		return a
	}
	for k, n := range j.virtual() {
		a[k] = min(a[k], n)
	}
	a[0] = j.open(j.record.Job)
	return a
}

// preempted returns the preempted jobs of the type on whose processors no one is.
func (j *judge) preempted() (out []job.Index) {
	for i := range j.jobs {
		k, l := job.Index(i), &j.jobs[i]
		taken := func(o job.Index) bool { return j.log.Alloc(o).Intersect(j.log.Alloc(k)) != nil }
		if l.started && !l.on && !l.done && j.member(k) && !slices.ContainsFunc(j.running(everyone), taken) {
			out = append(out, k)
		}
	}
	return out
}

// jobs returns how many waiting jobs a set can delay.
func (s *scene) jobs() int64 { return int64(len(s.queue) + len(s.hosts)) }

// begins is the start of a job.
type begins struct {
	job job.Index
	at  job.Time // on the wall
}

// startsWith is where each waiting job starts if those of a set do now and the others
// are planned in the order of their submission: first those whose slice it is.
func (j *judge) startsWith(s *scene, set []job.Index) (out []begins) {
	out = j.hostsWith(s, set)
	p := j.runningPlan()
	for _, k := range s.due {
		p.hold(j.asks(k), j.now, j.now+j.length(k))
	}
	for _, k := range set {
		if s.back {
			p.shorten(j.asks(k), j.now+j.remaining(k)-j.visits(s, k), j.now+j.remaining(k))
		} else {
			p.hold(j.asks(k), j.now, j.now+j.length(k)-j.visits(s, k))
		}
	}
	for _, k := range s.queue {
		at := j.now
		if !slices.Contains(set, k) {
			at = j.wall(p.book(j.asks(k), j.length(k), j.now))
		}
		out = append(out, begins{k, at})
	}
	return out
}

// visits returns how long a job of a set runs as a guest.
func (j *judge) visits(s *scene, k job.Index) job.Time {
	if s.back {
		return min(s.stay, j.remaining(k))
	}
	return min(s.stay, j.length(k))
}

// hostsWith is where the jobs start whose slice it is, beside a set of guests and those
// that are there.
func (j *judge) hostsWith(s *scene, set []job.Index) (out []begins) {
	if s.stay == 0 {
		return nil
	}
	defer func(of int) { j.type_ = of }(j.type_)
	j.type_ = j.present()
	p := j.runningPlan()
	for _, k := range j.running(func(k job.Index) bool { return !j.member(k) }) {
		p.hold(j.asks(k), j.now, j.now+min(s.stay, j.remaining(k)))
	}
	for _, k := range set {
		p.hold(j.asks(k), j.now, j.now+j.visits(s, k))
	}
	for _, k := range s.hosts {
		out = append(out, begins{k, j.wall(p.book(j.asks(k), j.length(k), j.now))})
	}
	return out
}

// tooLate returns the first job, in no set, that would start after its latest start.
func (j *judge) tooLate(s *scene, set []job.Index) job.Index {
	for _, x := range j.startsWith(s, set) {
		if !slices.Contains(set, x.job) && x.at > j.latest(x.job) {
			return x.job
		}
	}
	return job.None
}

// fitsBeside reports whether the waiting job k fits what is free, in time slices
// without the jobs of its type that are due.
func (j *judge) fitsBeside(k job.Index) bool { return j.fits(k) && j.fitsOthers(k) }

// fitsOthers returns the same, wherever guests are.
func (j *judge) fitsOthers(k job.Index) bool {
	var due []job.Index
	j.atChoice(func() { due = j.due() })
	due = slices.DeleteFunc(due, func(d job.Index) bool { return j.jobs[d].started })
	return j.virtual().less(j.needs(due)).has(j.asks(k))
}

// moment is the jobs at a moment within an instant.
type moment struct {
	at   job.Time
	jobs []life
}

// keepChoice keeps how things stood before the first start, after those of the first
// of the queue, of the type of the record at this instant: when sets were tried.
func (j *judge) keepChoice() {
	r := j.record
	if c := &j.choices[j.type_]; r.Kind == log.Start && r.Code != log.Head && (c.jobs == nil || c.at != j.now) {
		*c = moment{j.now, slices.Clone(j.jobs)}
	}
}

// atChoice does something as things stood then.
func (j *judge) atChoice(do func()) {
	if c := &j.choices[j.type_]; c.jobs != nil && c.at == j.now {
		defer func(now []life) { j.jobs = now }(j.jobs)
		j.jobs = c.jobs
	}
	do()
}
