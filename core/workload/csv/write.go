package csv

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// Write writes t as a comma-separated table: the columns id, submit, procs, estimate and runtime,
// then the columns that some job needs, then the unknown columns. Read returns the same table. A
// table may hold only Jobs, but Resources must name every extra resource that a job requests.
func Write(w io.Writer, t *Table) error {
	b := bufio.NewWriterSize(w, 64<<10)
	p := newPlan(t)
	writeRow(b, p.header())
	var cells []string
	for i := range t.Jobs {
		cells = p.cells(cells[:0], i)
		writeRow(b, cells)
	}
	return b.Flush()
}

func writeRow(b *bufio.Writer, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoteCell(c))
	}
	b.WriteByte('\n')
}

// quoteCell quotes a cell that contains a separator, a quote or a line end.
func quoteCell(c string) string {
	if strings.ContainsAny(c, ",;\t\"\r\n") {
		return `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
	}
	return c
}

// plan holds which optional columns a table needs.
type plan struct {
	*Table
	downey, slnos, slcrs bool
	words                []job.TextField // text fields that some job has
	widest               int
}

func newPlan(t *Table) *plan {
	p := &plan{Table: t}
	has := make([]bool, len(job.TextFields))
	for i := range t.Jobs {
		m := t.Jobs[i].More
		if m == nil {
			continue
		}
		for k := range has {
			has[k] = has[k] || *job.TextFields[k].Of(m) != ""
		}
		p.slnos = p.slnos || m.SLnos != 0
		p.slcrs = p.slcrs || m.SLcrs != 0
		if s := m.Speedup; s != nil {
			p.downey = p.downey || s.A != 0 || s.L != 0 || s.Sigma != 0
			p.widest = max(p.widest, len(s.Table))
		}
	}
	for k, w := range job.TextFields {
		if has[k] {
			p.words = append(p.words, w)
		}
	}
	return p
}

func (p *plan) header() []string {
	h := []string{"id", "submit", "procs", "estimate", "runtime"}
	if p.downey {
		h = append(h, "L", "A", "sigma")
	}
	for n := range p.widest {
		h = append(h, "T"+strconv.Itoa(n+1))
	}
	for _, r := range p.Resources {
		h = append(h, "res:"+r)
	}
	for _, w := range p.words {
		h = append(h, w.Name)
	}
	if p.slnos {
		h = append(h, "slnos")
	}
	if p.slcrs {
		h = append(h, "slcrs")
	}
	return append(h, p.UnknownColumns...)
}

func (p *plan) cells(c []string, i int) []string {
	j := &p.Jobs[i]
	c = append(c, j.ID, whole(j.Submit), strconv.Itoa(j.Procs), whole(j.Estimate), whole(j.Runtime))
	c = p.curve(c, j.Speedup())
	for k := range p.Resources {
		c = append(c, whole(j.Extra(k)))
	}
	m := j.More
	if m == nil {
		m = &job.More{}
	}
	for _, w := range p.words {
		c = append(c, *w.Of(m))
	}
	if p.slnos {
		c = append(c, given(m.SLnos))
	}
	if p.slcrs {
		c = append(c, given(m.SLcrs))
	}
	for k := range p.UnknownColumns {
		c = append(c, p.UnknownCells[i][k])
	}
	return c
}

// curve appends the speedup columns. They are empty for a rigid job.
func (p *plan) curve(c []string, s *job.Speedup) []string {
	if s == nil {
		s = &job.Speedup{}
	}
	if p.downey {
		sigma := given(s.Sigma)
		if s.A != 0 {
			sigma = format(s.Sigma)
		}
		c = append(c, given(s.L), given(s.A), sigma)
	}
	for n := range p.widest {
		if n < len(s.Table) {
			c = append(c, whole(s.Table[n]))
		} else {
			c = append(c, "")
		}
	}
	return c
}

func whole(v int64) string { return strconv.FormatInt(v, 10) }

// given formats v, or returns an empty text for 0.
func given(v float64) string {
	if v == 0 {
		return ""
	}
	return format(v)
}
