package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/job"
	"backfill-lab/core/policy/fairslack/rule"
	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/state"
)

const (
	slackWidest = 130_000 // expected wait at the right edge, in seconds, as in the thesis
	slackLength = 1800    // estimate of the job that is shown: factors above 1.5 are for such
)

// slackPoints is the expected waits at which the thesis tells the factor (Jin 2009,
// figure 6).
var slackPoints = []job.Time{5000, 65000, 125000}

// SlackCurve is how late jobs may start under the knobs of a policy, as rendered.
type SlackCurve struct {
	ID   string
	rule *rule.Slack // nil while a knob has a fault
	wait job.Time    // that the job of the second picture expects
	text string      // as typed
	open bool
}

// slack is the curve of a policy, nil where no knob is of slack.
func (c *App) slack(id string, p *state.Policy, knobs []Field) *SlackCurve {
	for i := range knobs {
		if strings.HasSuffix(knobs[i].Name, "slack-up") {
			s := &SlackCurve{ID: id + "-slack", text: c.slackWait, open: c.slackOpen}
			s.wait, _ = strconv.ParseInt(s.text, 10, 64)
			if r := registry.Decisions(p.Name, p.Knobs); r != nil {
				s.rule = &r.Slack
			}
			return s
		}
	}
	return nil
}

// Ready reports whether there is a curve to draw.
func (s *SlackCurve) Ready() bool { return s.rule != nil }

func (s *SlackCurve) factor(wait job.Time) float64 { return s.rule.Factor(wait, slackLength) }

func (s *SlackCurve) part(already job.Time) float64 {
	return s.rule.Part(already, s.wait, slackLength)
}

// top is the upper edge of both pictures.
func (s *SlackCurve) top() float64 { return max(1.05, s.rule.Up, s.factor(0)) }

// Factors is the picture of F_slack over the expected wait.
func (s *SlackCurve) Factors() vugu.HTML {
	p := begin(0, slackWidest, 1, s.top())
	for x := job.Time(0); x <= slackWidest; x += 1000 {
		p.to(float64(x), s.factor(x))
	}
	p.stroke()
	p.ends(show(p.y1, 2), "1", "0", strconv.Itoa(slackWidest))
	for i, x := range slackPoints {
		y := s.factor(x)
		p.dot(float64(x), y)
		class := []string{"left", "middle", "right"}[i] // so that none is on another, or on the curve
		p.label(p.x(float64(x))+[]float64{7, 0, 6}[i], p.y(y)+[]float64{4, -7, 15}[i], class, fmt.Sprintf("%d s: %s", x, show(y, 4)))
	}
	return vugu.HTML(p.end())
}

// Parts is the picture of F_part over the time that a job has waited.
func (s *SlackCurve) Parts() vugu.HTML {
	end := max(s.wait+s.wait/4, 4)
	p := begin(0, float64(end), 1, s.top())
	for i := range job.Time(65) {
		p.to(float64(end*i/64), s.part(end*i/64))
	}
	p.stroke()
	p.line("asked", float64(s.wait))
	p.ends(show(p.y1, 2), "1", "0", "")
	for i, x := range []job.Time{0, s.wait / 2, s.wait} {
		y := s.part(x)
		p.dot(float64(x), y)
		p.label(p.x(float64(x))+[]float64{6, 0, 0}[i], p.y(y)-7, []string{"left", "middle", "middle"}[i], show(y, 4))
	}
	p.label(p.x(float64(s.wait)), curveHigh-3, "middle", fmt.Sprint(s.wait))
	return vugu.HTML(p.end())
}

// FactorLabel is the first picture in words.
func (s *SlackCurve) FactorLabel() string {
	text := fmt.Sprintf("Slack factor %s with nothing to wait for", show(s.factor(0), 4))
	for _, x := range slackPoints {
		text += fmt.Sprintf(", %s at %d s", show(s.factor(x), 4), x)
	}
	return text + "."
}

// PartLabel is the second picture in words.
func (s *SlackCurve) PartLabel() string {
	return fmt.Sprintf("A job that expects to wait %d s may wait %s times as long at its submission, %s times after half of that, and %s times from then on: it may start until %d s after its submission.",
		s.wait, show(s.part(0), 4), show(s.part(s.wait/2), 4), show(s.part(s.wait), 4), s.rule.Latest(0, slackLength, s.wait, s.wait))
}

// Caption says whose picture the second is.
func (s *SlackCurve) Caption() string {
	return fmt.Sprintf("F_part over the time waited, in seconds, of a job that expects to wait %d s", s.wait)
}

// Unfolded is the value of aria-expanded of the button for the values.
func (s *SlackCurve) Unfolded() string { return fmt.Sprint(s.open) }

// Rows is the values of both pictures, the first ones of F_slack.
func (s *SlackCurve) Rows() (out []Fact) {
	if !s.open {
		return nil
	}
	for _, x := range []job.Time{0, 3600, 5000, 7200, 10800, 21600, 43200, 65000, 125000} {
		out = append(out, Fact{Name: fmt.Sprintf("F_slack, expected wait %d s", x), Value: show(s.factor(x), 4)})
	}
	for i := range job.Time(5) {
		out = append(out, Fact{Name: fmt.Sprintf("F_part, waited %d s", s.wait*i/4), Value: show(s.part(s.wait*i/4), 4)})
	}
	return out
}

// UnfoldSlack opens or closes the values.
func (c *App) UnfoldSlack() { c.slackOpen = !c.slackOpen }

// SetSlackWait takes the expected wait of the second picture.
func (c *App) SetSlackWait(e vugu.DOMEvent) { c.slackWait = e.PropString("target", "value") }

// Bad is what is wrong with the expected wait as typed.
func (s *SlackCurve) Bad() string {
	if v, err := strconv.ParseInt(s.text, 10, 64); err != nil || v < 0 || v > 1e9 {
		return fmt.Sprintf("expected whole seconds from 0 to 1000000000, got %q", s.text)
	}
	return ""
}

// Drawn reports whether both pictures can be drawn.
func (s *SlackCurve) Drawn() bool { return s.Bad() == "" }

// Invalid is the value of aria-invalid of the field.
func (s *SlackCurve) Invalid() string { return fmt.Sprint(s.Bad() != "") }

// Text is the field as typed.
func (s *SlackCurve) Text() string { return s.text }
