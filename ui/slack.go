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
// figure 6), and how their labels lie so that none is on another or on the curve.
var slackPoints = [...]struct {
	wait   job.Time
	dx, dy float64
	class  string
}{{5000, 7, 4, "left"}, {65000, 0, -7, "middle"}, {125000, 6, 15, "right"}}

// slack is how late jobs may start under the knobs of a policy.
type slack struct {
	*rule.Slack
	wait job.Time // that the job of the second picture expects
}

// slacks is the field and the pictures of a policy whose knobs are of slack.
func (c *App) slacks(x *Choice, p *state.Policy) {
	for i := range x.Knobs {
		if !strings.HasSuffix(x.Knobs[i].Name, "slack-up") {
			continue
		}
		wait, err := strconv.ParseUint(c.slackWait, 10, 31)
		f := Field{ID: x.ID + "-wait", Label: "expected wait", Text: c.slackWait, Help: "of a job as an example, in seconds; no knob"}
		f.fault("")
		if err != nil {
			f.fault(fmt.Sprintf("expected whole seconds, 0 or more, got %q", c.slackWait))
		}
		x.Wait = []Field{f}
		if r := registry.Decisions(p.Name, p.Knobs); r != nil {
			x.Slack = vugu.HTML((&slack{&r.Slack, job.Time(wait)}).html())
		}
		return
	}
}

// SetSlackWait takes the expected wait of the example.
func (c *App) SetSlackWait(e vugu.DOMEvent, _ Field) {
	c.slackWait = e.PropString("target", "value")
}

func (s *slack) factor(wait job.Time) float64 { return s.Factor(wait, slackLength) }

func (s *slack) part(already job.Time) float64 { return s.Part(already, s.wait, slackLength) }

// html is both pictures, each with its name and its values in words.
func (s *slack) html() string {
	const figure = `<p class="caption">%s</p>%s<p class="help">%s</p>`
	return fmt.Sprintf(figure, "F_slack over the expected wait, in seconds: the wait may become so many times the expected one (Jin 2009, figure 6)", s.factors(), s.factorWords()) +
		fmt.Sprintf(figure, "F_part over the time waited: the part of it that counts for the example", s.parts(), s.partWords())
}

// top is the upper edge of both pictures.
func (s *slack) top() float64 { return max(1.05, s.Up, s.factor(0)) }

// factors is the picture of F_slack.
func (s *slack) factors() string {
	p := begin(0, slackWidest, 1, s.top())
	for x := job.Time(0); x <= slackWidest; x += 1000 {
		p.to(float64(x), s.factor(x))
	}
	p.stroke()
	p.ends(show(p.y1, 2), "1", "0", strconv.Itoa(slackWidest))
	for i := range slackPoints {
		x := &slackPoints[i]
		p.point(float64(x.wait), s.factor(x.wait), x.dx, x.dy, x.class, fmt.Sprintf("%d s: %s", x.wait, show(s.factor(x.wait), 4)))
	}
	return p.end()
}

// parts is the picture of F_part.
func (s *slack) parts() string {
	end := max(s.wait+s.wait/4, 4)
	p := begin(0, float64(end), 1, s.top())
	for i := range job.Time(65) {
		p.to(float64(end*i/64), s.part(end*i/64))
	}
	p.stroke()
	p.line("asked", float64(s.wait))
	p.ends(show(p.y1, 2), "1", "0", "")
	for i := range job.Time(3) {
		x := s.wait * i / 2
		p.point(float64(x), s.part(x), 2, -7, "left", show(s.part(x), 4))
	}
	p.label(p.x(float64(s.wait)), curveHigh-3, "middle", fmt.Sprint(s.wait))
	return p.end()
}

// factorWords is the first picture in words.
func (s *slack) factorWords() string {
	text := "Factor " + show(s.factor(0), 4) + " with nothing to wait for"
	for i := range slackPoints {
		x := slackPoints[i].wait
		text += fmt.Sprintf(", %s at %d s", show(s.factor(x), 4), x)
	}
	return text + "."
}

// partWords is the second picture in words.
func (s *slack) partWords() string {
	return fmt.Sprintf("A job that expects to wait %d s may wait %s times as long at its submission, %s times after half of that, and %s times from then on: it may start until %d s after its submission.",
		s.wait, show(s.part(0), 4), show(s.part(s.wait/2), 4), show(s.part(s.wait), 4), s.Latest(0, slackLength, s.wait, s.wait))
}
