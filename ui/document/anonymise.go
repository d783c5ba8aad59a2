package document

import (
	"math"
	"slices"
	"strconv"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// Anonymised returns a copy of the document in which numbers replace all names. The copy
// has no title, no text, no lesson and no unknown scenario fields, and its first submission is at 0.
// It also returns the mapping from names to numbers. The document must have no problems.
// About every thousand rows, Anonymised calls pause with the number of rows done. It stops if pause
// returns an error.
func (d Doc) Anonymised(pause func(done int) error) (Doc, *anonymise.Names, error) {
	n, first := &anonymise.Names{Previous: d.Names}, job.Time(math.MaxInt64)
	err := d.Rows.each(func(r *Row) { first = min(first, r.Values[Submit-1]) }, pause)
	if err != nil {
		return d, nil, err
	}
	excused := map[Row]bool{}
	rows, err := d.Rows.change(func(r *Row) bool {
		was := *r
		*r = r.replaceNames(n, first)
		if len(d.excused) > 0 && d.excused[was] {
			excused[*r] = true
		}
		return true
	}, pause)
	if err != nil {
		return d, nil, err
	}
	n.Shift = first
	d.Rows, d.Origin, d.excused, d.Names = rows, rows, excused, n
	d.Title, d.Text, d.Lesson, d.Source, d.Changes = "", "", nil, "an anonymised scenario", nil
	base := &scenario.Scenario{Machine: scenario.Machine{Machine: cluster.Flat(1)}, Rules: d.anonymisedRules(n, first)}
	d.Base = base // the size of this machine is never read, but a scenario must have one
	d.Outages = d.anonymisedOutages(first)
	return d.replaceNames(n), n, nil
}

// FirstUserName returns the first user name in the document that is not a number, or "" if there is none. In public
// traces, users are numbers.
func (d *Doc) FirstUserName() string {
	for _, r := range d.Rows.All() {
		if r.optional == nil || r.optional.traits == nil {
			continue
		}
		user := r.optional.traits.User
		if _, err := strconv.Atoi(user); user != "" && err != nil {
			return user
		}
	}
	return ""
}

// anonymisedOutages returns the outages without labels, moved earlier by the given number of seconds.
func (d *Doc) anonymisedOutages(earlier job.Time) []Outage {
	var m scenario.Machine
	for i := range d.Outages {
		b, _, _ := d.Outages[i].Parse()
		m.Outages = append(m.Outages, cluster.Outage(b))
	}
	m.Outages = anonymise.Outages(m.Outages, earlier)
	return OutagesOf(&m)
}

// replaceNames returns the row with numbers in place of names, and with a submit time that is earlier by the given
// number of seconds.
func (r Row) replaceNames(n *anonymise.Names, earlier job.Time) Row {
	r.Name = n.Jobs.Replacement(r.Name)
	r.Values[Submit-1] -= earlier
	if r.optional == nil {
		return r
	}
	m := r.copyOptional()
	m.traits, m.unknown = n.More(m.traits), nil
	return r.withOptional(m)
}

// anonymisedRules returns the data rules that a run still has to apply, adapted to the anonymised jobs. It returns
// none if the jobs came from a file, because the rules were applied when the file was read.
func (d *Doc) anonymisedRules(n *anonymise.Names, earlier job.Time) scenario.Rules {
	if d.Base == nil || d.Base.Workload.File != nil {
		return scenario.Rules{}
	}
	return scenario.Rules{Rules: n.Rules(d.Base.Rules.Rules, earlier)}
}

// replaceNames returns the document with numbers in place of the names in its machine, policies
// and slowdowns.
func (d Doc) replaceNames(n *anonymise.Names) Doc {
	if s, _ := d.Slowdowns(); s != nil {
		d.Slowdown = SlowdownOf(&scenario.Slowdown{Model: n.Pairs(s.Model)})
	}
	d.Resources = slices.Clone(d.Resources)
	for k := range d.Resources {
		r := &d.Resources[k]
		r.Name, r.UnknownFields = n.Resource(r.Name), nil
	}
	d.Policies = slices.Clone(d.Policies)
	for i := range d.Policies {
		p := &d.Policies[i]
		p.Title, p.Knobs, p.UnknownFields = "", n.Knobs(p.Knobs), nil
	}
	return d
}
