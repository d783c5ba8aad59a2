package workload

import (
	"fmt"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/workload"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// jobStats holds statistics of the document's jobs, computed in the background.
type jobStats struct {
	survey  *document.Survey // nil until the first survey is done
	rows    document.Rows    // rows that were surveyed last, or are being surveyed
	version int              // increases with every change that makes a running survey outdated
}

// survey computes the statistics again if the jobs have changed and the panel is visible.
func (c *Workload) survey() {
	s := &c.stats
	if rows := c.Doc().Rows; c.Tab == "workload" && c.Env != nil && (s.version == 0 || !rows.Same(s.rows)) {
		s.version++
		s.rows = rows
		go c.surveyRows(rows, s.version)
	}
}

// surveyRows computes the statistics of rows and stores them. It stops if the jobs change meanwhile. The version in
// c.stats then differs from the given version.
func (c *Workload) surveyRows(rows document.Rows, version int) {
	defer browser.Recover("survey of the jobs")
	result, err := rows.Survey(session.PauseFunc(func() bool { return version == c.stats.version }))
	if err != nil {
		return
	}
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if version == c.stats.version {
		c.stats.survey = result
	}
}

// Origin says where the jobs come from.
func (c *Workload) Origin() string {
	d := c.Doc()
	switch {
	case d.Rows.Len() == 0:
		return "There are no jobs yet. Add them in the Jobs tab, or open a file."
	case d.Source == "":
		return "The jobs were entered by hand."
	case d.Rows.Same(d.Origin):
		return fmt.Sprintf("The jobs come from %s.", d.Source)
	}
	return fmt.Sprintf("The jobs came from %s and have been edited since.", d.Source)
}

// Changes lists the operations that were applied to all jobs. It returns "" if there were none.
func (c *Workload) Changes() string {
	if c.Doc().Changes == nil {
		return ""
	}
	return fmt.Sprintf("Changes to all jobs: %s.", strings.Join(c.Doc().Changes, "; "))
}

// RulesText says when the data rules of the scenario are applied. It returns "" if the scenario has
// no data rules. It also returns "" if the rules were applied to the jobs of a file and the jobs
// have been edited since.
func (c *Workload) RulesText() string {
	d := c.Doc()
	if d.Base == nil || d.Base.Rules.Rules == (workload.Rules{}) {
		return ""
	}
	if d.Base.Workload.File == nil {
		return "The scenario has data rules, which are applied to these jobs at each run."
	}
	if d.Rows.Same(d.Origin) {
		return "The data rules of the scenario were applied when the file was read."
	}
	return ""
}

// scaledText says what the open operation would do to the wall times. It returns "" if the form is
// invalid.
func (c *Workload) scaledText(l *document.Prediction) string {
	rules, err := c.rules(c.work.operation())
	if err != nil {
		return ""
	}
	text := l.ScaledText(rules.Rules)
	if l.Skipped > 0 {
		text += fmt.Sprintf(" %s with invalid cells %s not change.", format.Count(l.Skipped, "job"), format.SingularOrPlural(l.Skipped, "does", "do"))
	}
	return text
}

// Facts returns the statistics of the jobs: number, submit times, span and offered load. It returns none until
// they have been computed.
func (c *Workload) Facts() (out []widgets.Fact) {
	s := c.stats.survey
	if s == nil || s.Jobs == 0 {
		return nil
	}
	clock := c.Clock()
	out = []widgets.Fact{
		{Name: "jobs", Value: format.Whole(s.Jobs)},
		{Name: "submitted", Value: "from " + clock.Instant(s.First) + " to " + clock.Instant(s.Last) + clock.Suffix()},
		{Name: "span", Value: clock.Duration(s.Last - s.First)},
		{Name: "offered load", Value: "–"},
	}
	if load := s.Load(c.Doc().Slots()); load > 0 {
		out[3].Value = fmt.Sprintf("%.2f", load)
	}
	return out
}

// Histograms returns the histograms of the jobs.
func (c *Workload) Histograms() []widgets.Histogram { return histograms(c.stats.survey) }

func histograms(s *document.Survey) []widgets.Histogram {
	if s == nil || s.Jobs == 0 {
		return nil
	}
	return []widgets.Histogram{
		bars("Processors of a job", s.Sizes, false),
		bars("Runtime", s.Runtimes, true),
		bars("Time between submissions", s.Gaps, true),
	}
}

func bars(title string, n *plot.Histogram, times bool) widgets.Histogram {
	p := plot.BarChart{Name: title, Bins: n.Bins(), Times: times}
	return widgets.Histogram{Title: title, SVG: vugu.HTML(p.SVG())}
}
