package docs

import (
	"bytes"
	"compress/flate"
	"fmt"
	"maps"
	"strings"

	"backfill-lab/core/experiment"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/link"
)

// maxPolicies is the maximum number of policies in the scenario that a link opens. The link contains only
// the first policies of the study.
const maxPolicies = 2

// runLink returns Markdown text: a comma and a link that opens a run of a study in the page. The run uses
// the first workload and seed in the definition of the study. It returns "" if the study needs traces, or if
// the arrival rate has to be searched for.
func runLink(study string) (string, error) {
	text, err := experiment.Definition(study)
	if err != nil {
		return "", err
	}
	d, err := sweep.Parse(text)
	if err != nil {
		return "", fmt.Errorf("study %s: %w", study, err)
	}
	if len(d.Workloads) == 0 || d.Workloads[0].Queue != nil {
		return "", nil
	}
	g := d.Group(0)
	s := d.Scenario(g, 0)
	s.Title, s.Text = d.Title, "A run of the study "+study+": "+d.Describe(g)+"."
	s.Policies = nil
	for i := range d.Policies[:min(maxPolicies, len(d.Policies))] {
		p := d.Scenario(g, i).Policies[0]
		if maps.Equal(p.Knobs, d.Policies[i].Knobs) { // otherwise the workload sets knobs that the title does not contain
			p.Title = d.Policies[i].Title
		}
		s.Policies = append(s.Policies, p)
	}
	address, err := fragment(s)
	return ", [a run in the page](../index.html#" + address + ")", err
}

// fragment returns the part after "#" of a link that opens a scenario.
func fragment(s *scenario.Scenario) (string, error) {
	var deflated bytes.Buffer
	w, err := flate.NewWriter(&deflated, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(link.Pack(&link.Document{Scenario: s})); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	out := link.Fragment{Version: link.Version, View: link.Whole, Payload: link.EncodePayload(deflated.Bytes())}.String()
	return strings.TrimPrefix(out, "#"), nil
}
