package workload

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// recordLimits holds the wall time limits that the user typed, until the page applies them.
type recordLimits struct {
	of    *protocol.Records // the records to which the typed limits apply
	typed map[string]string // by partition
}

// HasUnlimited reports whether some jobs in the records have no wall time limit.
func (c *Workload) HasUnlimited() bool { return len(c.Records().Unlimited) > 0 }

// limitText returns the wall time limit of a partition: the limit that the user typed, otherwise
// the limit in use.
func (c *Workload) limitText(partition string) string {
	r := c.Records()
	if text, ok := c.limits.typed[partition]; ok && c.limits.of == r {
		return text
	}
	if t := sacct.Limits(r.Limits).Listed(partition); t > 0 {
		return format.UnitClock.Duration(t)
	}
	return ""
}

// LimitFields returns a field for each partition in which some jobs have no wall time limit, and a
// field for all other partitions.
func (c *Workload) LimitFields() (out []widgets.Field) {
	for k, p := range c.Records().Unlimited {
		if p.Name != "" {
			out = append(out, widgets.Field{ID: fmt.Sprintf("records-limit-%d", k), Name: p.Name, Label: "Limit of " + p.Name,
				Help: fmt.Sprintf("applies to %s without a wall time limit; type a duration such as 2d or 12:00:00", format.Count(p.Records, "job"))})
		}
	}
	out = append(out, widgets.Field{ID: "records-limit", Label: "Limit for all other jobs",
		Help: "applies to jobs that have no limit and whose partition has none. If this field is empty, the estimate of such a job is its runtime"})
	for i := range out {
		f := &out[i]
		f.Text, f.Duration = c.limitText(f.Name), true
		_, err := parseLimit(f.Text)
		f.SetError(err)
	}
	return out
}

// parseLimit parses a wall time limit, such as 1h, and returns it in seconds. It returns 0 for an empty text, which
// means no limit.
func parseLimit(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	t, err := format.ParseDuration(text)
	if err == nil && t < 1 {
		err = fmt.Errorf("expected a wall time limit of at least 1 s, got %q", text)
	}
	return t, err
}

// SetLimit stores the text typed in a field.
func (c *Workload) SetLimit(e vugu.DOMEvent, f widgets.Field) {
	if l := &c.limits; l.of != c.Records() {
		*l = recordLimits{of: c.Records(), typed: map[string]string{}}
	}
	c.limits.typed[f.Name] = e.PropString("target", "value")
}

// ApplyLimits reads the records again with the typed limits. If a limit is invalid, it moves the keyboard
// focus to the field of this limit instead.
func (c *Workload) ApplyLimits() {
	q := c.Records().RecordsChoice
	limits := sacct.Limits(q.Limits)
	for _, f := range c.LimitFields() {
		t, err := parseLimit(f.Text)
		if err != nil {
			c.Focus = f.ID
			return
		}
		limits = limits.With(f.Name, t)
	}
	q.Limits = limits.String()
	c.readAgain(q)
}
