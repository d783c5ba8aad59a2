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

// parseSlow reads the slowdowns of a job by its own processes.
func parseSlow(m *job.More, words []string) (err error) {
	if m.SLnos, err = strconv.ParseFloat(words[0], 64); err == nil {
		m.SLcrs, err = strconv.ParseFloat(words[1], 64)
	}
	if err != nil {
		return fmt.Errorf("slowdowns: %w", err)
	}
	return nil
}

// slow returns these slowdowns in the notation.
func slow(m *job.More) string {
	if m == nil || m.SLnos == 0 && m.SLcrs == 0 {
		return ""
	}
	return fmt.Sprintf(" ~%g,%g", m.SLnos, m.SLcrs)
}

// parsePairs takes the lines "A beside B 1.1" out of a text of jobs: the slowdown of
// A next to B. Pairs that are not named do not slow each other down.
func parsePairs(text string) (jobs string, m slowdown.Model, err error) {
	var rest []string
	for _, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) != 4 || fields[1] != "beside" {
			rest = append(rest, line)
			continue
		}
		p := slowdown.Pair{Of: fields[0], Beside: fields[2]}
		if p.Slow, err = strconv.ParseFloat(fields[3], 64); err != nil {
			return "", m, fmt.Errorf("%q: slowdown: %w", line, err)
		}
		m.Pairs = append(m.Pairs, p)
	}
	return strings.Join(rest, "\n"), m, nil
}

// pairs returns the slowdowns of a case next to each other in the notation.
func (c *Case) pairs() string {
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

// machine returns the machine as the words of a scenario.
func machine(m *cluster.Machine) string {
	if m.JobsPerNode == 0 {
		return fmt.Sprintf("m=%d", m.Slots())
	}
	return fmt.Sprintf("nodes=%d processors=%d cores=%d", m.Nodes, m.Processors, m.Cores)
}
