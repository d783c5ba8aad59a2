package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
)

// MaxTitle is the maximum number of characters in a title that the user gives a policy.
const MaxTitle = 100

// Policy names a policy, and its knobs that differ from the defaults.
type Policy struct {
	Name          string
	Title         string // given by the user; empty for the derived title
	Knobs         map[string]string
	Baseline      bool // whether the other policies are compared with this one
	NoChart       bool // whether the page hides the chart of this policy
	UnknownFields Fields
}

// Baseline returns the index of the policy that the others are compared with: the one that
// is marked, or else the first.
func (s *Scenario) Baseline() int {
	return max(0, slices.IndexFunc(s.Policies, func(p Policy) bool { return p.Baseline }))
}

// Titles returns a title for each policy: the title given by the user, or else the derived
// title. Equal titles get numbers.
func (s *Scenario) Titles() []string { return s.titles((*Policy).DerivedTitle) }

// PlainTitles returns the same titles as Titles, but with the names and values of knobs instead of
// their titles, such as "EASY, order sjf". Tables for programs contain them.
func (s *Scenario) PlainTitles() []string { return s.titles((*Policy).PlainTitle) }

// titles returns the titles given by the user. Where there is none, it calls derived.
func (s *Scenario) titles(derived func(*Policy) string) []string {
	out := make([]string, len(s.Policies))
	for i := range s.Policies {
		p := &s.Policies[i]
		if out[i] = strings.TrimSpace(p.Title); out[i] == "" {
			out[i] = derived(p)
		}
	}
	return numberDuplicates(out)
}

// numberDuplicates adds a number to each title that occurred before, such as "EASY (2)".
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

// DerivedTitle returns the title that the registry gives the policy, and in words the knobs that
// differ from their defaults, such as "EASY, queue order: shortest first (SJF)".
func (p *Policy) DerivedTitle() string { return p.titleWith((*policy.Knob).Setting) }

// PlainTitle returns the derived title with the names and values of knobs, such as "EASY, order sjf".
func (p *Policy) PlainTitle() string {
	return p.titleWith(func(k *policy.Knob, value string) string { return k.Name + " " + value })
}

// titleWith returns the title that the registry gives the policy, and a text for each knob that
// differs from its default.
func (p *Policy) titleWith(text func(*policy.Knob, string) string) string {
	spec, err := registry.Find(p.Name)
	if err != nil {
		return p.Name
	}
	title := spec.Title
	for i := range spec.Knobs {
		k := &spec.Knobs[i]
		if v, ok := p.Knobs[k.Name]; ok && v != k.Default {
			title += ", " + text(k, v)
		}
	}
	return title
}

// String returns the name and the knobs of the policy, such as "easy order=sjf".
func (p *Policy) String() string {
	return strings.TrimSuffix(p.Name+" "+Settings(p.Knobs), " ")
}

// checkPolicies checks the number of policies, each policy, and that at most one policy
// is marked as the baseline.
func (s *Scenario) checkPolicies() error {
	if n := len(s.Policies); n < 1 || n > MaxPolicies {
		return &Error{Where: "policies", Expected: "1 to " + strconv.Itoa(MaxPolicies), Got: strconv.Itoa(n)}
	}
	marked := 0 // number of the baseline policy, from 1; 0 if none is marked
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

// CheckTitle returns an error if the title of a policy is too long or has line breaks or
// other control characters.
func CheckTitle(title string) error {
	if n := len([]rune(title)); n > MaxTitle {
		return fmt.Errorf("expected at most %d characters, got %d", MaxTitle, n)
	}
	if strings.ContainsFunc(title, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("expected one line of text")
	}
	return nil
}
