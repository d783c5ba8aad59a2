package experiments

import "maps"

// headMetrics lists the metrics of a new experiment.
var headMetrics = []string{"mean-wait", "mean-bounded-slowdown", "utilization", "max-wait"}

// template returns the definition of a new experiment: jobs of Lublin's model, and the policies of the
// current scenario.
func (c *Experiments) template() *draft {
	return &draft{Loads: "0.8, 1, 1.2", Seeds: "1-10", Metrics: headMetrics, Workloads: []draftWorkload{newModel("lublin")}, Policies: c.currentPolicies()}
}

// ComparePolicies replaces the definition by a typical one: four policies on jobs of Lublin's model, at
// five load factors, with ten seeds.
func (c *Experiments) ComparePolicies() {
	c.replace("Four policies at five load factors with ten seeds. Change what you like, then run.", func() {
		c.draft = &draft{Title: "Policies at several loads", Loads: "0.6, 0.8, 1, 1.2, 1.4", Seeds: "1-10", Metrics: headMetrics,
			Workloads: []draftWorkload{newModel("lublin")},
			Policies:  []draftPolicy{{Name: "fcfs"}, {Name: "easy", Baseline: true}, {Name: "easy", Knobs: map[string]string{"order": "sjf"}}, {Name: "conservative"}}}
	})
}

// newModel returns a workload of Lublin's model.
func newModel(name string) draftWorkload {
	return draftWorkload{Name: name, Model: &model{Name: "lublin", Nodes: "128", Seed: "1", Warmup: "5", Cooldown: "5", Knobs: map[string]string{"jobs": "1000", "estimates": "tsafrir"}}}
}

// currentPolicies returns the policies of the current scenario.
func (c *Experiments) currentPolicies() (out []draftPolicy) {
	for _, p := range c.Doc().Policies {
		out = append(out, draftPolicy{Name: p.Name, Title: p.Title, Baseline: p.Baseline, Knobs: maps.Clone(p.Knobs)})
	}
	return out
}
