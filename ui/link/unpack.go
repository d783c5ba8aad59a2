package link

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

var (
	errIncomplete = errors.New("the link is incomplete or damaged")
	errNoSuchRow  = errors.New("the link refers to rows or fields that do not exist")
)

// unpacker reads a columnar form. It stops reading after the first error.
type unpacker struct {
	in  []byte // bytes that are not yet read, nil after an error
	err error
}

// fail records the first error and stops reading.
func (u *unpacker) fail(err error) {
	if u.in = nil; u.err == nil {
		u.err = err
	}
}

// skip skips a varint of n bytes. If n <= 0, the varint was invalid, and skip records an error.
func (u *unpacker) skip(n int) {
	if n <= 0 {
		u.fail(errIncomplete)
		return
	}
	u.in = u.in[n:]
}

// number reads a number from 0 to limit.
func (u *unpacker) number(limit int) int {
	v, n := binary.Uvarint(u.in)
	if u.skip(n); u.err == nil && v > uint64(limit) {
		u.fail(errNoSuchRow)
	}
	if u.err != nil {
		return 0
	}
	return int(v)
}

func (u *unpacker) signed() int64 {
	v, n := binary.Varint(u.in)
	if u.skip(n); u.err != nil {
		return 0
	}
	return v
}

func (u *unpacker) text() string {
	n := u.number(math.MaxInt32)
	if n > len(u.in) {
		u.fail(errIncomplete)
	}
	if u.err != nil {
		return ""
	}
	s := string(u.in[:n])
	u.in = u.in[n:]
	return s
}

// Unpack decodes the columnar form of version 1.
func Unpack(data []byte) (*Document, error) {
	u := &unpacker{in: data}
	text := u.text()
	if u.err != nil {
		return nil, u.err
	}
	s, err := scenario.Parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the scenario in the link cannot be read: %w", err)
	}
	if n := len(s.Policies); n > scenario.MaxPolicies {
		return nil, fmt.Errorf("the link has %d policies, more than the %d that can be compared", n, scenario.MaxPolicies)
	}
	u.jobs(s)
	d := &Document{Scenario: s, Typed: u.typed(len(s.Workload.Jobs), &s.Machine)}
	if u.err == nil && len(u.in) > 0 {
		u.err = errNoSuchRow
	}
	if u.err != nil {
		return nil, u.err
	}
	return d, nil
}

// jobs reads the columns and replaces the jobs of s, the scenario file in the payload, by the jobs in the columns.
// Data outside the columns, such as speedup curves, come from the old jobs of s.
func (u *unpacker) jobs(s *scenario.Scenario) {
	w := &s.Workload
	special, kept := w.Jobs, w.JobsUnknown
	n := u.number(len(u.in) / 4) // a job takes at least four bytes
	if w.Generator != nil && n > 0 {
		u.fail(errNoSuchRow)
	}
	if w.File = nil; u.err != nil {
		return
	}
	if w.Jobs, w.JobsUnknown = make([]job.Job, n), nil; w.Generator != nil {
		w.Jobs = nil
	}
	u.ids(w.Jobs)
	u.columns(w.Jobs)
	row := 0
	for i := range special {
		row += u.number(n)
		if row >= n {
			u.fail(errNoSuchRow)
			return
		}
		w.Jobs[row].More, w.Jobs[row].Killed = special[i].More, special[i].Killed
		if i < len(kept) && kept[i] != nil {
			if w.JobsUnknown == nil {
				w.JobsUnknown = make([]scenario.Fields, n)
			}
			w.JobsUnknown[row] = kept[i]
		}
	}
}

func (u *unpacker) ids(jobs []job.Job) {
	given := u.number(1) == 1
	for i := range jobs {
		if jobs[i].ID = strconv.Itoa(i + 1); given {
			jobs[i].ID = u.text()
		}
	}
}

func (u *unpacker) columns(jobs []job.Job) {
	last := int64(0)
	for i := range jobs {
		last += u.signed()
		jobs[i].Submit = last
	}
	for i := range jobs {
		jobs[i].Procs = int(u.signed())
	}
	for i := range jobs {
		jobs[i].Estimate = u.signed()
	}
	for i := range jobs {
		jobs[i].Runtime = jobs[i].Estimate - u.signed()
	}
}

// typed reads the half-typed or invalid texts of a scenario with the given number of jobs.
func (u *unpacker) typed(jobs int, m *scenario.Machine) (out []Typed) {
	resources := len(m.Resources)
	n := u.number(len(u.in) / 3)
	row := -1
	for range n {
		row += u.number(jobs)
		limit := 3 + 2*resources + machineTexts + outageTexts*len(m.Outages)
		if row >= 0 {
			limit = FirstAmount + resources + maxTraits
		}
		t := Typed{Row: row, Column: u.number(limit - 1), Text: u.text()}
		if row >= jobs {
			u.fail(errNoSuchRow)
		}
		if u.err != nil {
			return nil
		}
		out = append(out, t)
	}
	return out
}
