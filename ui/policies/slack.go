package policies

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/fairslack/rule"
	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/document"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/widgets"
)

const (
	slackAxisEnd  = 130_000 // largest expected wait in the first chart, in seconds, as in Jin 2009
	slackEstimate = 1800    // estimate of the example job in seconds; between 600 and 3600, so that the slack factor can exceed 1.5
)

// slack holds the data of two charts of the slack factor. A job may wait at most this factor times its expected wait.
type slack struct {
	*rule.Slack
	wait job.Time // expected wait of the example job in the second chart
}

// addSlack adds the slack charts and the field for the example job to the form of a
// policy with slack knobs. Forms of other policies stay unchanged.
func (c *Policies) addSlack(x *Choice, p *document.Policy) {
	n := len(x.Knobs)
	for i := range n {
		if !strings.HasSuffix(x.Knobs[i].Name, "slack-up") {
			continue
		}
		wait, err := strconv.ParseUint(c.slackWait, 10, 31)
		f := widgets.Field{ID: x.ID + "-wait", Label: "expected wait", Text: c.slackWait, Help: "expected wait of the example job in the charts below, in seconds; not a knob of the policy"}
		f.SetProblem("")
		if err != nil {
			f.SetProblem("expected whole seconds, 0 or more")
		}
		x.Knobs = append(x.Knobs, f)
		if r := registry.SlackRules(p.Name, p.Knobs); r != nil && err == nil {
			x.Slack = vugu.HTML((&slack{&r.Slack, job.Time(wait)}).html())
		}
	}
}

// html returns both charts as HTML, each with a caption and its values in words, and a sentence about the latest
// start of the example job.
func (s *slack) html() string {
	top := max(1.05, s.Up, s.Factor(0, slackEstimate))
	return factorChart("Slack factor by expected wait: a job may wait at most this many times its expected wait (F_slack in Jin 2009, figure 6)", top, slackAxisEnd,
		func(wait job.Time) float64 { return s.Factor(wait, slackEstimate) }, 5000, 65000, 125000) +
		factorChart("Slack factor of the example job, depending on how long the job has already waited. During the expected wait, the factor grows to its full value (F_part in Jin 2009)", top, max(s.wait+s.wait/4, 4),
			func(already job.Time) float64 { return s.CurrentFactor(already, s.wait, slackEstimate) }, 0, s.wait/2, s.wait) +
		fmt.Sprintf(`<p class="help">The example job may start at most %d s after its submission.</p>`, s.Latest(0, slackEstimate, s.wait, s.wait))
}

// factorChart returns the chart of the function f as HTML. The chart extends from 0 to the given end, in seconds. It
// marks three points and gives their values in words.
func factorChart(caption string, top float64, end job.Time, f func(job.Time) float64, points ...job.Time) string {
	p := plot.NewCurve(0, float64(end), 1, top)
	for i := range job.Time(129) {
		p.To(float64(end*i/128), f(end*i/128))
	}
	p.Stroke()
	p.EndLabels(format.Decimals(top, 2), "1", "0", fmt.Sprint(end, " s"))
	words := "Factor"
	for i, x := range points {
		y := f(x)
		if i > 0 {
			words += ","
		}
		words += fmt.Sprintf(" %s at %d s", format.Decimals(y, 4), x)
		p.Dot(float64(x), y)
		p.Label(p.X(float64(x))+[]float64{6, 0, 6}[i], max(p.Y(y)-7, 12), []string{"left", "middle", "right"}[i], format.Decimals(y, 4))
	}
	return fmt.Sprintf(`<p class="caption">%s</p>%s<p class="help">%s.</p>`, caption, p.End(), words)
}
