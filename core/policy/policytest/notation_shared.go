package policytest

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/speed"
)

// parseSlowdowns parses the slowdowns that a job's own processes cause: SLnos with two processes
// per node, then SLcrs, the further slowdown with four.
func parseSlowdowns(m *job.More, words []string) (err error) {
	if m.SLnos, err = strconv.ParseFloat(words[0], 64); err == nil {
		m.SLcrs, err = strconv.ParseFloat(words[1], 64)
	}
	if err != nil {
		return fmt.Errorf("slowdowns: %w", err)
	}
	return nil
}

// formatSlowdowns formats SLnos and SLcrs in the form that parseSlowdowns reads. It returns "" if
// both are 0.
func formatSlowdowns(m *job.More) string {
	if m == nil || m.SLnos == 0 && m.SLcrs == 0 {
		return ""
	}
	return fmt.Sprintf(" ~%g,%g", m.SLnos, m.SLcrs)
}

// parsePairs separates the lines with slowdowns of pairs of jobs from the lines that describe jobs.
// The line "A beside B 1.1" gives the slowdown of A when it shares nodes with B. If a pair has no
// line, B does not slow A down.
func parsePairs(text string) (jobs string, m slowdown.Model, err error) {
	var rest []string
	for _, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) != 4 || fields[1] != "beside" {
			rest = append(rest, line)
			continue
		}
		p := slowdown.Pair{Of: fields[0], NextTo: fields[2]}
		if p.Slow, err = strconv.ParseFloat(fields[3], 64); err != nil {
			return "", m, fmt.Errorf("%q: slowdown: %w", line, err)
		}
		m.Pairs = append(m.Pairs, p)
	}
	return strings.Join(rest, "\n"), m, nil
}

// formatPairs formats the pairwise slowdowns of a case in the form that parsePairs reads.
func (c *Case) formatPairs() string {
	m, ok := c.Speed.(speed.Contention)
	if !ok || c.Machine.JobsPerNode == 0 {
		return ""
	}
	var b strings.Builder
	for i := range c.Jobs {
		for j := range c.Jobs {
			if s := m.Cos(job.Index(i), job.Index(j)); i != j && s != 1 {
				fmt.Fprintf(&b, "%s beside %s %g\n", c.Jobs[i].ID, c.Jobs[j].ID, s)
			}
		}
	}
	return b.String()
}

// formatMachine formats a machine as arguments of the scenario command.
func formatMachine(m *cluster.Machine) string {
	if m.JobsPerNode == 0 {
		return fmt.Sprintf("m=%d", m.Slots())
	}
	return fmt.Sprintf("nodes=%d processors=%d cores=%d", m.Nodes, m.Processors, m.Cores)
}
