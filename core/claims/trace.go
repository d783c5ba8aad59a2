package claims

import (
	"fmt"
	"math"
	"slices"

	"backfill-lab/core/experiment"
	"backfill-lab/core/stats"
)

// These are the values of Part.Traces. Each one names a statistic over the traces of a study. If
// the table has several versions of a trace, only the first version counts.
const (
	overMean  = "mean"   // mean of the column over the traces; the rule is applied to this mean
	overAll   = "all"    // the rule is applied to each trace and must hold on every trace
	overMost  = "most"   // the rule is applied to each trace; the whole interval of the share of traces on which it holds must exceed 50 %
	overShare = "share"  // percentage of the columns whose value is below 0, averaged over the traces
	lowest    = "lowest" // the trace named in Rows must have the lowest value of all traces; no rule is set
)

// checkTraces returns the finding of a part that uses a study on traces.
func (p *Part) checkTraces(t *table) (Finding, error) {
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
		return Finding{p.label(), text, p.Rule.expectedText(0), v, p.Rule.judge(v, 0)}, nil
	case overAll, overMost:
		return p.countTraces(t, rows)
	}
	if p.Traces == lowest {
		return p.lowestTrace(t)
	}
	return Finding{}, fmt.Errorf("traces: expected mean, share, all, most or lowest, got %q", p.Traces)
}

// traceRows returns the row names of the traces that the part includes.
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

// traceValue returns the value of the part for one trace. With overMean, this is the value in the
// first column, or NaN if the cell is empty. With overShare, it is the percentage of the columns in
// which the value is below 0.
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

// countTraces returns a finding with the number of traces on which the rule holds for all columns.
// It leaves out traces that lack a value.
func (p *Part) countTraces(t *table, rows []string) (Finding, error) {
	holds, n := 0, 0
	var others []string
	for _, row := range rows {
		ruleHolds, hasValues, err := p.holdsOn(t, row)
		if err != nil {
			return Finding{}, err
		}
		switch {
		case hasValues && ruleHolds:
			holds++
		case hasValues:
			others = append(others, experiment.TraceWithoutVersion(row))
		}
		if hasValues {
			n++
		}
	}
	if n == 0 {
		return Finding{p.label(), "no trace has these values", p.Rule.expectedText(0), stats.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}, Undecided}, nil
	}
	share := stats.Share(holds, n)
	text, expected := fmt.Sprintf("on %d of %d traces", holds, n), p.Rule.expectedText(0)+" on every trace"
	if p.Traces == overMost {
		expected = p.Rule.expectedText(0) + " on most traces"
		text += fmt.Sprintf(" (95 %% interval of the share: %.0f to %.0f %%)", 100*share.Low, 100*share.High)
	}
	verdict := verdictOf(share.Low > 0.5, share.High < 0.5)
	if p.Traces == overAll {
		verdict = verdictOf(holds == n, holds == 0)
		if verdict == Undecided {
			verdict = DoesNotHold // at least one trace contradicts the claim
		}
	}
	if len(others) > 0 && len(others) <= 4 {
		text += ", not on " + join(others)
	}
	return Finding{p.label(), text, expected, share, verdict}, nil
}

// holdsOn reports whether the rule holds in all columns for one trace, and whether every column has
// a value for this trace.
func (p *Part) holdsOn(t *table, row string) (ruleHolds, hasValues bool, err error) {
	ruleHolds, hasValues = true, true
	for i, column := range p.Columns {
		v, err := t.cell(row, column)
		if err != nil {
			return false, false, err
		}
		hasValues = hasValues && !math.IsNaN(v.Mean)
		ruleHolds = ruleHolds && p.Rule.judge(v, i) == Holds
	}
	return ruleHolds, hasValues, nil
}

// lowestTrace returns a finding that says whether the trace named in p.Rows has the lowest value of
// all traces.
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
	return Finding{p.label(), text, "lowest on " + join(p.Rows), v, verdictOf(slices.Equal(p.Rows, []string{name}), !slices.Equal(p.Rows, []string{name}))}, nil
}
