package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/script"
)

// MaxTitle is the maximum number of characters in a policy title that a user enters.
const MaxTitle = 100

// Policy holds the name of a policy, its knobs, and settings for its display on the page. A knob
// that is not in the map Knobs has its default value.
type Policy struct {
	Name          string
	Title         string // title that the user entered; if empty, DerivedTitle is used
	Knobs         map[string]string
	Baseline      bool // whether the other policies are compared with this one
	NoChart       bool // whether the page hides the chart of this policy
	UnknownFields Fields

	// Program describes a policy that runs as a separate program. It is nil for policies in the
	// registry. Only the command line can set it: no file, link or lesson can make the page run a
	// program.
	Program *policy.Spec
}

// Spec returns the description of the policy. If the policy is unknown, the error lists the
// policies in the registry.
func (p *Policy) Spec() (*policy.Spec, error) {
	if p.Program != nil {
		return p.Program, nil
	}
	return registry.Find(p.Name)
}

// settings returns the description of the policy and the values of all its knobs.
func (p *Policy) settings() (*policy.Spec, policy.Values, error) {
	spec, err := p.Spec()
	if err != nil {
		return nil, nil, err
	}
	v, err := spec.Settings(p.Knobs)
	return spec, v, err
}

// Baseline returns the index of the policy with which the others are compared. This is the policy
// marked as baseline, or else the first one.
func (s *Scenario) Baseline() int {
	return max(0, slices.IndexFunc(s.Policies, func(p Policy) bool { return p.Baseline }))
}

// Titles returns a title for each policy: the title that the user entered, or else the derived
// title. If several policies have the same title, all but the first get a number.
func (s *Scenario) Titles() []string {
	out := make([]string, len(s.Policies))
	for i := range s.Policies {
		p := &s.Policies[i]
		if out[i] = strings.TrimSpace(p.Title); out[i] == "" {
			out[i] = p.DerivedTitle()
		}
	}
	return numberDuplicates(out)
}

// numberDuplicates appends a number to each title that an earlier policy already has, such as "EASY
// (2)".
func numberDuplicates(titles []string) []string {
	out := make([]string, 0, len(titles))
	for _, t := range titles {
		unique := t
		for n := 2; slices.Contains(out, unique); n++ {
			unique = fmt.Sprintf("%s (%d)", t, n)
		}
		out = append(out, unique)
	}
	return out
}

// DerivedTitle returns the title in the description of the policy, followed by the knobs that
// differ from their defaults, such as "EASY, queue order: shortest first (SJF)". It leaves out the
// source of a script. If the policy is unknown, it returns the name of the policy.
func (p *Policy) DerivedTitle() string {
	spec, err := p.Spec()
	if err != nil {
		return p.Name
	}
	title := spec.Title
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		if v, ok := p.Knobs[k.Name]; ok && v != k.Default && k.Name != script.SourceKnob {
			title += ", " + k.Setting(v)
		}
	}
	return title
}

// String returns the name and the knobs of the policy, such as "easy order=sjf".
func (p *Policy) String() string {
	return strings.TrimSuffix(p.Name+" "+Settings(p.Knobs), " ")
}

// checkPolicies checks each policy and the number of policies. It also checks that at most one
// policy is marked as the baseline.
func (s *Scenario) checkPolicies() error {
	if n := len(s.Policies); n < 1 || n > MaxPolicies {
		return &Error{Where: "policies", Expected: "1 to " + strconv.Itoa(MaxPolicies), Got: strconv.Itoa(n)}
	}
	marked := 0 // number of the policy marked as baseline, from 1; 0 if there is none
	for i := range s.Policies {
		p := &s.Policies[i]
		if err := p.check(i+1, &s.Machine.Machine); err != nil {
			return err
		}
		if p.Baseline && marked > 0 {
			return &Error{Where: spot{"policies", i + 1, "baseline"}.String(), Expected: "only one baseline (policy " + strconv.Itoa(marked) + " already is the baseline)", Got: "a second one"}
		}
		if p.Baseline {
			marked = i + 1
		}
	}
	return nil
}

// CheckTitle returns an error if a policy title is too long, or if it contains line breaks or other
// control characters.
func CheckTitle(title string) error {
	if n := len([]rune(title)); n > MaxTitle {
		return fmt.Errorf("expected at most %d characters, got %d", MaxTitle, n)
	}
	if strings.ContainsFunc(title, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("expected one line of text")
	}
	return nil
}
