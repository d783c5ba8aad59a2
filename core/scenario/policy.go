package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/policy/registry"
)

// MaxTitle is the largest number of characters in the own title of a policy.
const MaxTitle = 100

// Policy names a policy, and its knobs that differ from the defaults.
type Policy struct {
	Name          string
	Title         string // given by the user; empty for the derived title
	Knobs         map[string]string
	Baseline      bool // the other policies are compared with this one
	NoChart       bool // the page shows no chart of this policy
	UnknownFields Fields
}

// Baseline returns the index of the policy that the others are compared with: the one that
// is marked, or else the first.
func (s *Scenario) Baseline() int {
	return max(0, slices.IndexFunc(s.Policies, func(p Policy) bool { return p.Baseline }))
}

// Titles returns a title for each policy: its own title, or else its derived title. Equal
// titles get numbers.
func (s *Scenario) Titles() []string { return s.titles((*Policy).DerivedTitle) }

// Labels returns the same titles in the words of the command line: a policy without a title
// of its own is its name with its knobs, such as "easy order=sjf".
func (s *Scenario) Labels() []string { return s.titles((*Policy).String) }

func (s *Scenario) titles(derived func(*Policy) string) []string {
	out := make([]string, len(s.Policies))
	for i := range s.Policies {
		p := &s.Policies[i]
		if out[i] = strings.TrimSpace(p.Title); out[i] == "" {
			out[i] = derived(p)
		}
	}
	return distinct(out)
}

// distinct returns the titles with numbers after those that occurred before, such as
// "EASY (2)".
func distinct(titles []string) []string {
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

// DerivedTitle returns the title of the policy in the registry and the knobs that differ
// from their defaults, such as "EASY, order sjf".
func (p *Policy) DerivedTitle() string {
	spec, err := registry.Find(p.Name)
	if err != nil {
		return p.Name
	}
	title := spec.Title
	for _, k := range spec.Knobs {
		if v, ok := p.Knobs[k.Name]; ok && v != k.Default {
			title += ", " + k.Name + " " + v
		}
	}
	return title
}

// String returns the name and the knobs of the policy, such as "easy order=sjf".
func (p *Policy) String() string {
	return strings.TrimSuffix(p.Name+" "+Settings(p.Knobs), " ")
}

// validPolicies checks the number of policies, each policy, and that one baseline is marked
// at most.
func (s *Scenario) validPolicies() error {
	if n := len(s.Policies); n < 1 || n > MaxPolicies {
		return &Error{Where: "policies", Expected: "1 to " + strconv.Itoa(MaxPolicies), Got: strconv.Itoa(n)}
	}
	marked := 0
	for i := range s.Policies {
		p := &s.Policies[i]
		if err := p.valid(i+1, &s.Machine.Machine); err != nil {
			return err
		}
		if p.Baseline && marked > 0 {
			return &Error{Where: spot{"policies", i + 1, "baseline"}.String(), Expected: "one baseline, which is policy " + strconv.Itoa(marked), Got: "a second one"}
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
