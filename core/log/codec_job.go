package log

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// appendJob appends the fields of the line that describes a job.
func appendJob(dst []byte, j *job.Job) []byte {
	dst = appendText(dst, j.ID)
	dst = appendInt(dst, "submit", j.Submit)
	dst = appendInt(dst, "procs", int64(j.Procs))
	dst = appendInt(dst, "estimate", j.Estimate)
	dst = appendInt(dst, "runtime", j.Runtime)
	if j.Killed {
		dst = append(dst, " killed=true"...)
	}
	if j.More != nil {
		dst = appendMore(dst, j.More)
	}
	return dst
}

// appendMore appends the optional fields of a request (see job.More), except NoLimit, which the
// text form does not contain.
func appendMore(dst []byte, m *job.More) []byte {
	if len(m.Extra) > 0 {
		dst = appendList(append(dst, " extra="...), m.Extra)
	}
	if s := m.Speedup; s != nil {
		dst = appendFloat(dst, "L", s.L)
		dst = appendFloat(dst, "A", s.A)
		dst = appendFloat(dst, "sigma", s.Sigma)
		if len(s.Table) > 0 {
			dst = appendList(append(dst, " table="...), s.Table)
		}
	}
	for _, w := range job.TextFields {
		if text := *w.Pointer(m); text != "" {
			dst = appendField(dst, w.Name, text)
		}
	}
	if m.SLnos != 0 {
		dst = appendFloat(dst, "slnos", m.SLnos)
	}
	if m.SLcrs != 0 {
		dst = appendFloat(dst, "slcrs", m.SLcrs)
	}
	return dst
}

// appendList appends numbers, separated by commas.
func appendList(dst []byte, list []int64) []byte {
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, v, 10)
	}
	return dst
}

// jobLine parses the line that describes a job, and validates the job.
func (p *parser) jobLine() (job.Job, error) {
	var j job.Job
	id, err := p.text("the id of a job")
	if err != nil {
		return j, err
	}
	j.ID = id
	p.seen = p.seen[:0]
	for p.rest != "" {
		name, value, err := p.field()
		if err != nil {
			return j, err
		}
		if err := p.jobField(&j, name, value); err != nil {
			return j, err
		}
	}
	if err := j.Validate(len(p.log.Jobs), p.log.Machine.Slots()); err != nil {
		return j, p.malformed("a valid job", err.Error())
	}
	if n := len(p.log.Jobs); n > 0 && p.log.Jobs[n-1].Submit > j.Submit {
		return j, p.malformed("jobs in order of submit time", fmt.Sprintf("%d after %d", j.Submit, p.log.Jobs[n-1].Submit))
	}
	return j, nil
}

// jobField sets the named field of j to a value.
func (p *parser) jobField(j *job.Job, name, value string) error {
	var err error
	switch name {
	case "submit":
		j.Submit, err = p.integer(value)
	case "procs":
		var n int64
		n, err = p.integer(value)
		j.Procs = int(n)
	case "estimate":
		j.Estimate, err = p.integer(value)
	case "runtime":
		j.Runtime, err = p.integer(value)
	case "killed":
		if j.Killed = value == "true"; !j.Killed {
			err = p.malformed("killed=true", value)
		}
	default:
		if j.More == nil {
			j.More = &job.More{}
		}
		err = p.moreField(j.More, name, value)
	}
	return err
}

// moreField sets an optional field of a request (see job.More).
func (p *parser) moreField(m *job.More, name, value string) (err error) {
	if m.Speedup == nil && (name == "L" || name == "A" || name == "sigma" || name == "table") {
		m.Speedup = &job.Speedup{}
	}
	switch name {
	case "extra":
		m.Extra, err = p.list(value)
	case "L":
		m.Speedup.L, err = p.float(value)
	case "A":
		m.Speedup.A, err = p.float(value)
	case "sigma":
		m.Speedup.Sigma, err = p.float(value)
	case "table":
		m.Speedup.Table, err = p.list(value)
	case "slnos":
		m.SLnos, err = p.float(value)
	case "slcrs":
		m.SLcrs, err = p.float(value)
	default:
		w := job.TextFieldNamed(name)
		if w == nil {
			return p.malformed("a field of a job", job.QuoteShort(name))
		}
		*w.Pointer(m) = value
	}
	return err
}

// list parses whole numbers that are separated by commas.
func (p *parser) list(value string) ([]int64, error) {
	var out []int64
	for part := range strings.SplitSeq(value, ",") {
		v, err := p.integer(part)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
