package claims

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Book holds the claims of all papers, each with the values that our program computes and with a
// verdict.
type Book struct {
	Papers []BookPaper `json:"papers"`
}

// BookPaper holds a paper and the entries for its claims.
type BookPaper struct {
	Paper  *Paper  `json:"-"`
	Name   string  `json:"name"`
	Claims []Entry `json:"claims"`
}

// Entry holds a claim, our values for it, and the verdict on it.
type Entry struct {
	Claim    *Claim           `json:"-"`
	ID       string           `json:"id"`
	Verdict  Verdict          `json:"verdict"`            // under the default interpretation
	Findings []Finding        `json:"findings"`           // under the default interpretation
	Variants []Interpretation `json:"variants,omitempty"` // our values under the other interpretations
}

// Interpretation holds our values and the verdict under one of the alternative interpretations of
// the paper.
type Interpretation struct {
	Name     string    `json:"name"` // equal to Variant.Name
	Verdict  Verdict   `json:"verdict"`
	Findings []Finding `json:"findings"`
}

// MakeBook computes the book of claims from the tables of studies, which it gets by calling open.
// It runs the examples and the calculations again, so the book shows the current behaviour of the
// program.
func MakeBook(open Tables) (*Book, error) {
	papers, err := Papers()
	if err != nil {
		return nil, err
	}
	t := &tables{open: open, read: map[string]*table{}}
	b := &Book{}
	for _, p := range papers {
		out := BookPaper{Paper: p, Name: p.Name}
		for i := range p.Claims {
			e, err := p.Claims[i].entry(t)
			if err != nil {
				return nil, fmt.Errorf("claim %s: %w", p.Claims[i].ID, err)
			}
			out.Claims = append(out.Claims, e)
		}
		b.Papers = append(b.Papers, out)
	}
	return b, nil
}

// entry computes the values and the verdict of a claim under every interpretation.
func (c *Claim) entry(t *tables) (Entry, error) {
	e := Entry{Claim: c, ID: c.ID}
	for i, v := range c.interpretations() {
		r := Interpretation{Name: v.Name}
		var verdicts []Verdict
		for k := range v.Parts {
			found, err := v.Parts[k].evaluate(t)
			if err != nil {
				return e, err
			}
			for _, f := range found {
				verdicts = append(verdicts, f.Verdict)
			}
			r.Findings = append(r.Findings, found...)
		}
		if r.Verdict = combine(verdicts); i == 0 {
			e.Verdict, e.Findings = r.Verdict, r.Findings
		} else {
			e.Variants = append(e.Variants, r)
		}
	}
	return e, nil
}

// JSON returns the values and verdicts of the book as JSON. Changes reads this format to compare a
// newer book with this one.
func (b *Book) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(b, "", " ")
	return append(text, '\n'), err
}

// Count returns the number of claims that have the given verdict.
func (b *Book) Count(v Verdict) (n int) {
	for _, p := range b.Papers {
		for _, e := range p.Claims {
			if e.Verdict == v {
				n++
			}
		}
	}
	return n
}

// Changes compares the book with an earlier book, given as the result of its method JSON. It
// returns one line for each verdict or value that changed, and for each claim that was added or
// removed.
func (b *Book) Changes(earlier []byte) ([]string, error) {
	old := &Book{}
	if err := json.Unmarshal(earlier, old); err != nil {
		return nil, fmt.Errorf("cannot read the earlier book of claims: %w", err)
	}
	before, _ := old.lines()
	after, order := b.lines()
	var out []string
	for _, key := range order {
		switch was, ok := before[key]; {
		case !ok:
			out = append(out, key+": new, "+after[key])
		case was != after[key]:
			out = append(out, fmt.Sprintf("%s: was %s, is %s", key, was, after[key]))
		}
	}
	_, oldOrder := old.lines()
	for _, key := range oldOrder {
		if _, ok := after[key]; !ok {
			out = append(out, key+": gone, was "+before[key])
		}
	}
	return out, nil
}

// lines returns a map with the text of each verdict and value, and the keys of the map in the order
// of the book. Each key contains the number of the claim.
func (b *Book) lines() (text map[string]string, keys []string) {
	text = map[string]string{}
	add := func(key, value string) {
		for text[key] != "" {
			key += "'"
		}
		text[key], keys = value, append(keys, key)
	}
	for _, p := range b.Papers {
		for _, e := range p.Claims {
			for _, r := range append([]Interpretation{{"", e.Verdict, e.Findings}}, e.Variants...) {
				at := strings.TrimSuffix(e.ID+", "+r.Name, ", ")
				add(at, string(r.Verdict))
				for _, f := range r.Findings {
					add(strings.TrimSuffix(at+", "+f.Label, ", "), fmt.Sprintf("%s, expected %s (%s)", f.Text, f.Expected, f.Verdict))
				}
			}
		}
	}
	return text, keys
}
