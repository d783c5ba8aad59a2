package csv

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// Write writes table t in CSV format, so that Read returns the same table. It writes the columns
// id, submit, procs, estimate and runtime, then the resources and the other columns that at least
// one job needs, then the unknown columns. All fields of t except Jobs may be empty, but Resources
// must contain every extra resource that a job requests.
func Write(w io.Writer, t *Table) error {
	b := bufio.NewWriterSize(w, 64<<10)
	p := findOptionalColumns(t)
	writeRow(b, p.header())
	var cells []string
	for i := range t.Jobs {
		cells = p.appendCells(cells[:0], i)
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

// optionalColumns says which optional columns a table needs.
type optionalColumns struct {
	*Table
	downey, slnos, slcrs, noLimit bool            // downey: columns of Downey's curve; others: one column each
	textFields                    []job.TextField // text fields that at least one job has
	widest                        int             // number of columns named T1, T2 and so on
}

// findOptionalColumns finds the optional columns that the jobs in t need.
func findOptionalColumns(t *Table) *optionalColumns {
	p := &optionalColumns{Table: t}
	has := make([]bool, len(job.TextFields))
	for i := range t.Jobs {
		m := t.Jobs[i].More
		if m == nil {
			continue
		}
		for k := range has {
			has[k] = has[k] || *job.TextFields[k].Pointer(m) != ""
		}
		p.noLimit = p.noLimit || m.NoLimit
		p.slnos = p.slnos || m.SLnos != 0
		p.slcrs = p.slcrs || m.SLcrs != 0
		if s := m.Speedup; s != nil {
			p.downey = p.downey || s.A != 0 || s.L != 0 || s.Sigma != 0
			p.widest = max(p.widest, len(s.Table))
		}
	}
	for k, w := range job.TextFields {
		if has[k] {
			p.textFields = append(p.textFields, w)
		}
	}
	return p
}

// header returns the column names.
func (p *optionalColumns) header() []string {
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
	for _, w := range p.textFields {
		h = append(h, w.Name)
	}
	if p.slnos {
		h = append(h, "slnos")
	}
	if p.slcrs {
		h = append(h, "slcrs")
	}
	if p.noLimit {
		h = append(h, "no-limit")
	}
	return append(h, p.UnknownColumns...)
}

// appendCells appends the cells for job i to c.
func (p *optionalColumns) appendCells(c []string, i int) []string {
	j := &p.Jobs[i]
	c = append(c, j.ID, formatInt(j.Submit), strconv.Itoa(j.Procs), formatInt(j.Estimate), formatInt(j.Runtime))
	c = p.appendCurve(c, j.Speedup())
	for k := range p.Resources {
		c = append(c, formatInt(j.Extra(k)))
	}
	m := j.More
	if m == nil {
		m = &job.More{}
	}
	for _, w := range p.textFields {
		c = append(c, *w.Pointer(m))
	}
	if p.slnos {
		c = append(c, formatNonZero(m.SLnos))
	}
	if p.slcrs {
		c = append(c, formatNonZero(m.SLcrs))
	}
	if p.noLimit {
		c = append(c, formatTrue(m.NoLimit))
	}
	for k := range p.UnknownColumns {
		c = append(c, p.UnknownCells[i][k])
	}
	return c
}

// appendCurve appends the cells about a speedup to c. They are empty for a rigid job.
func (p *optionalColumns) appendCurve(c []string, s *job.Speedup) []string {
	if s == nil {
		s = &job.Speedup{}
	}
	if p.downey {
		sigma := formatNonZero(s.Sigma)
		if s.A != 0 {
			sigma = formatFloat(s.Sigma)
		}
		c = append(c, formatNonZero(s.L), formatNonZero(s.A), sigma)
	}
	for n := range p.widest {
		if n < len(s.Table) {
			c = append(c, formatInt(s.Table[n]))
		} else {
			c = append(c, "")
		}
	}
	return c
}

func formatInt(v int64) string { return strconv.FormatInt(v, 10) }

// formatTrue returns "true", or "" for false.
func formatTrue(v bool) string {
	if v {
		return "true"
	}
	return ""
}

// formatNonZero formats v. It returns "" for 0.
func formatNonZero(v float64) string {
	if v == 0 {
		return ""
	}
	return formatFloat(v)
}
