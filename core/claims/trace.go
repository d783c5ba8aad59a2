package claims

import (
	"fmt"
	"math"
	"slices"

	"backfill-lab/core/experiment"
	"backfill-lab/core/stats"
)

// What a part computes over the rows of a study on traces. The first version of each trace counts.
const (
	overMean  = "mean"   // mean of the column over the traces; the rule applies to the mean
	overAll   = "all"    // the rule applies to each trace, and must hold on all of them
	overMost  = "most"   // the rule applies to each trace, and must hold on more than half of the traces in general
	overShare = "share"  // percentage of the columns with a value below 0, averaged over the traces
	lowest    = "lowest" // the trace in Rows has the lowest value of all traces; there is no rule
)

// ofTraces returns the finding of a part about a study on traces.
func (p *Part) ofTraces(t *table) (Finding, error) {
	rows := p.traceRows(t)
	switch p.Traces {
	case overMean, overShare:
		var values []float64
		for _, row := range rows {
			v, err := p.traceValue(t, row)
			if err != nil {
				return Finding{}, err
			}
			if !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		v := stats.Mean(values)
		text := valueText(v, p.digits(t, p.Columns[0]), isPercent(p.Columns[0]) || p.Traces == overShare)
		if v.N > 1 {
			text += fmt.Sprintf(" over %d traces", v.N)
		}
		return Finding{p.label(), text + p.Rule.paperText(0), v, p.Rule.judge(v, 0)}, nil
	case overAll, overMost:
		return p.count(t, rows)
	}
	if p.Traces == lowest {
		return p.lowestTrace(t)
	}
	return Finding{}, fmt.Errorf("traces: expected mean, share, all, most or lowest, got %q", p.Traces)
}

// traceRows returns the names of the traces that a part counts.
func (p *Part) traceRows(t *table) (out []string) {
	met := map[string]bool{}
	for _, row := range t.rows[1:] {
		name := experiment.TraceWithoutVersion(row[0])
		if !met[name] && !slices.Contains(p.Except, name) && (p.Rows == nil || slices.Contains(p.Rows, name)) {
			out = append(out, row[0])
		}
		met[name] = true
	}
	return out
}

// traceValue returns the value of a part for a trace, NaN if it has none.
func (p *Part) traceValue(t *table, row string) (float64, error) {
	if p.Traces == overMean {
		v, err := t.cell(row, p.Columns[0])
		return v.Mean, err
	}
	worse := 0
	for _, column := range p.Columns {
		v, err := t.cell(row, column)
		if err != nil {
			return 0, err
		}
		if v.Mean < 0 {
			worse++
		}
	}
	return 100 * float64(worse) / float64(len(p.Columns)), nil
}

// count returns on how many traces the rule holds for all columns. Without a value, a trace does not
// count.
func (p *Part) count(t *table, rows []string) (Finding, error) {
	holds, n := 0, 0
	var others []string
	for _, row := range rows {
		good, has, err := p.holdsOn(t, row)
		if err != nil {
			return Finding{}, err
		}
		switch {
		case has && good:
			holds++
		case has:
			others = append(others, experiment.TraceWithoutVersion(row))
		}
		if has {
			n++
		}
	}
	if n == 0 {
		return Finding{p.label(), "no such trace", stats.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}, Undecided}, nil
	}
	share := stats.Share(holds, n)
	text := fmt.Sprintf("on %d of %d traces", holds, n)
	if p.Traces == overMost {
		text += fmt.Sprintf(", on %.0f to %.0f %% of such traces", 100*share.Low, 100*share.High)
	}
	verdict := side(share.Low > 0.5, share.High < 0.5)
	if p.Traces == overAll {
		verdict = side(holds == n, holds == 0)
		if verdict == Undecided {
			verdict = No // some trace contradicts the claim
		}
	}
	if len(others) > 0 && len(others) <= 4 {
		text += ", not on " + join(others)
	}
	return Finding{p.label(), text, share, verdict}, nil
}

// holdsOn reports whether the rule holds for all columns on a trace, and whether the trace has a value in
// each of them.
func (p *Part) holdsOn(t *table, row string) (good, has bool, err error) {
	good, has = true, true
	for i, column := range p.Columns {
		v, err := t.cell(row, column)
		if err != nil {
			return false, false, err
		}
		has = has && !math.IsNaN(v.Mean)
		good = good && p.Rule.judge(v, i) == Holds
	}
	return good, has, nil
}

// lowestTrace reports whether the trace of the part has the lowest value.
func (p *Part) lowestTrace(t *table) (Finding, error) {
	all := Part{Columns: p.Columns, Except: p.Except}
	least, name := math.Inf(1), ""
	for _, row := range all.traceRows(t) {
		v, err := t.cell(row, p.Columns[0])
		if err != nil {
			return Finding{}, err
		}
		if v.Mean < least {
			least, name = v.Mean, experiment.TraceWithoutVersion(row)
		}
	}
	v := stats.Interval{N: 1, Mean: least, Low: math.NaN(), High: math.NaN()}
	text := "lowest on " + name + ", " + valueText(v, p.digits(t, p.Columns[0]), isPercent(p.Columns[0]))
	return Finding{p.label(), text, v, side(slices.Equal(p.Rows, []string{name}), !slices.Equal(p.Rows, []string{name}))}, nil
}
