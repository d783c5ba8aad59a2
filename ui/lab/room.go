package lab

import (
	"fmt"

	"backfill-lab/core/job"
)

// What a page can hold: its program has at most 4 GiB of memory, the worker's as
// well. Measured with traces of one to two million jobs: the page needs about 700
// bytes a job, the worker about 300 and, for each policy that has run, 600.
const (
	room       = 4 << 30
	pageJob    = 700
	workerJob  = 300
	resultJob  = 600
	mostOpened = 2_000_000
)

// tooMany says what a file with more jobs than a page can hold would need. How
// many there are is guessed from the part that was read.
func (f *file) tooMany(err error) error {
	jobs := int64(mostOpened)
	if f.seen > 0 && f.size > f.seen {
		jobs = int64(float64(mostOpened) * float64(f.size) / float64(f.seen))
	}
	if jobs > job.MaxJobs {
		return err
	}
	return tooMany(jobs, "about ")
}

func tooMany(jobs int64, about string) error {
	return fmt.Errorf("expected at most %d jobs in a page, got %s%d, which need %.1f GB of memory (two policies; the command backfill runs them)",
		mostOpened, about, jobs, float64(jobs*(pageJob+workerJob+2*resultJob))/1e9)
}
