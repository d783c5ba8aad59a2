package worker

import "fmt"

// What a page can hold. Each of its two programs, the page and the worker, has at
// most 4 GiB of memory. Measured with traces of one and two million jobs: both
// together take 1,600 bytes a job until two policies have run. Far more jobs than
// these would fit, but taking them over would keep the page from answering.
const (
	mostOpened = 2_000_000
	bytesAJob  = 1600
)

// roomFor says what jobs would need that are more than a page can hold.
func roomFor(jobs int) error {
	if jobs <= mostOpened {
		return nil
	}
	return fmt.Errorf("expected at most %d jobs in a page, got %d, which would need %.1f GB of memory under two policies (the command backfill runs them)",
		mostOpened, jobs, float64(jobs)*bytesAJob/1e9)
}
