package claims

import (
	"fmt"
	"math"
	"strings"

	"backfill-lab/core/stats"
)

// evaluate computes the values of a part and returns them with their verdicts.
func (p *Part) evaluate(t *tables) ([]Finding, error) {
	switch {
	case p.Study != "":
		x, err := t.find(p.Study)
		if err != nil {
			return nil, err
		}
		if p.Traces != "" {
			f, err := p.checkTraces(x)
			return []Finding{f}, err
		}
		return p.checkCells(x)
	case p.Lesson != "":
		f, err := p.checkExample()
		return []Finding{f}, err
	case p.Figure != "":
		f, err := p.checkFigure()
		return []Finding{f}, err
	case p.Calculation != "":
		f, err := p.checkCalculation()
		return []Finding{f}, err
	case p.Test != "":
		return []Finding{{p.Label, "passes: `make test` runs it", "the test " + p.Test + " passes", stats.Interval{}, Holds}}, nil
	case p.Benchmark != "":
		return []Finding{{p.Label, "a benchmark measures it; the book contains no times", "no rule", stats.Interval{}, Undecided}}, nil
	}
	return nil, fmt.Errorf("expected a study, a lesson, a figure, a calculation, a test or a benchmark")
}

// maxListed is the maximum number of cells that checkCells lists one by one. If a part has more
// cells, checkCells summarizes them.
const maxListed = 4

// checkCells returns one finding for each cell, ordered by row, then by column. If there are more
// than maxListed cells, or if p.Most is set, it returns one finding that summarizes all cells.
func (p *Part) checkCells(t *table) (out []Finding, err error) {
	if err := p.Rule.check(len(p.Rows) * len(p.Columns)); err != nil {
		return nil, err
	}
	for i, row := range p.Rows {
		for k, column := range p.Columns {
			v, err := t.cell(row, column)
			if err != nil {
				return nil, err
			}
			if p.Subtracted != nil {
				other, err := t.cell(p.Subtracted.Row, p.Subtracted.Column)
				if err != nil {
					return nil, err
				}
				v = subtract(v, other)
			}
			n := i*len(p.Columns) + k
			f := Finding{p.cellLabel(row, column), valueText(v, p.digits(t, column), isPercent(column) && p.Subtracted == nil), p.Rule.expectedText(n), v, p.Rule.judge(v, n)}
			if math.IsNaN(v.HalfWidth()) && t.study.Rows != nil {
				f.Verdict = Undecided // the value comes from a single run, so it has no interval
			}
			out = append(out, f)
		}
	}
	if len(out) > maxListed || p.Most {
		return []Finding{p.summary(out)}, nil
	}
	return out, nil
}

// subtract returns a - b. The half width of the result is the sum of the half widths of a and b,
// which is large enough for both independent and paired samples.
func subtract(a, b stats.Interval) stats.Interval {
	out := stats.Interval{N: min(a.N, b.N), Mean: a.Mean - b.Mean, Low: math.NaN(), High: math.NaN()}
	if half := a.HalfWidth() + b.HalfWidth(); !math.IsNaN(half) {
		out.Low, out.High = out.Mean-half, out.Mean+half
	}
	return out
}

// cellLabel returns the label of a cell: p.Label, then the column, then the row. It omits the
// column if the part has only one column, unless p.Label is empty. It omits the row if the part
// has only one row. The row appears without the text in p.change, which the heading of the variant
// already shows.
func (p *Part) cellLabel(row, column string) string {
	label := p.Label
	add := func(text string) {
		if label != "" {
			label += ", "
		}
		label += text
	}
	if len(p.Columns) > 1 || label == "" {
		add(trimUnit(column))
	}
	if len(p.Rows) > 1 {
		add(strings.Replace(row, ", "+p.change+":", ":", 1))
	}
	return label
}

// summary combines many cells into one finding that contains the number of cells on which the rule
// holds, and the lowest and highest values.
func (p *Part) summary(cells []Finding) Finding {
	verdicts := make([]Verdict, len(cells))
	holds, low, high := 0, 0, 0
	for i, f := range cells {
		if verdicts[i] = f.Verdict; f.Verdict == Holds {
			holds++
		}
		if f.Value.Mean < cells[low].Value.Mean {
			low = i
		}
		if f.Value.Mean > cells[high].Value.Mean {
			high = i
		}
	}
	verdict, expected := combine(verdicts), "each "+p.Rule.expectedTexts()
	if p.Most {
		verdict, expected = majority(verdicts), "most "+p.Rule.expectedTexts()
	}
	return Finding{p.label(), fmt.Sprintf("%d of %d values as expected; smallest %s, largest %s", holds, len(cells), cells[low].Text, cells[high].Text), expected, stats.Interval{}, verdict}
}

// label returns p.Label or, if p.Label is empty, the title of the first column without its unit.
func (p *Part) label() string {
	if p.Label != "" {
		return p.Label
	}
	if len(p.Columns) > 0 {
		return trimUnit(p.Columns[0])
	}
	return ""
}

func (p *Part) digits(t *table, column string) int {
	if p.Digits != nil {
		return *p.Digits
	}
	return t.digits(column)
}
