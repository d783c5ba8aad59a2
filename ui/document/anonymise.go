package document

import (
	"math"
	"slices"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// Anonymised returns the document with numbers in the place of names, without title and
// text and what we do not know of it, and with the first submission at 0. It is for
// documents without problems, and calls pause like ReadRows.
func (d Doc) Anonymised(pause func(done int) error) (Doc, *anonymise.Names, error) {
	n, first := &anonymise.Names{Before: d.Names}, job.Time(math.MaxInt64)
	err := d.Rows.each(func(r *Row) { first = min(first, r.Values[Submit-1]) }, pause)
	if err != nil {
		return d, nil, err
	}
	excused := map[Row]bool{}
	rows, err := d.Rows.change(func(r *Row) bool {
		was := *r
		*r = r.renamed(n, first)
		if len(d.excused) > 0 && d.excused[was] {
			excused[*r] = true
		}
		return true
	}, pause)
	if err != nil {
		return d, nil, err
	}
	n.Earlier = first
	d.Rows, d.Origin, d.excused, d.Names = rows, rows, excused, n
	d.Title, d.Text, d.Source = "", "", "an anonymised scenario"
	base := &scenario.Scenario{Machine: scenario.Machine{Machine: cluster.Flat(1)}, Rules: d.rulesFor(n, first)}
	d.Base = base // its machine is not looked at, but every scenario has one
	d.Blocks = d.blocksFor(first)
	return d.renamed(n), n, nil
}

// blocksFor returns the blocks without labels, for such jobs.
func (d *Doc) blocksFor(earlier job.Time) []Block {
	var m scenario.Machine
	for i := range d.Blocks {
		b, _, _ := d.Blocks[i].Value()
		m.Blocks = append(m.Blocks, cluster.Block(b))
	}
	m.Blocks = anonymise.Blocks(m.Blocks, earlier)
	return BlocksOf(&m)
}

// renamed returns the row with numbers for names, submitted so much earlier.
func (r Row) renamed(n *anonymise.Names, earlier job.Time) Row {
	r.Name = n.Jobs.Of(r.Name)
	r.Values[Submit-1] -= earlier
	if r.more == nil {
		return r
	}
	m := r.extras()
	m.traits, m.kept = n.More(m.traits), nil
	return r.having(m)
}

// rulesFor returns the data rules that are still to be applied, for such jobs.
func (d *Doc) rulesFor(n *anonymise.Names, earlier job.Time) scenario.Rules {
	if d.Base == nil || d.Base.Workload.File != nil {
		return scenario.Rules{}
	}
	return scenario.Rules{Rules: n.Rules(d.Base.Rules.Rules, earlier)}
}

// renamed returns the document with numbers for the names in machine, policies and
// slowdowns.
func (d Doc) renamed(n *anonymise.Names) Doc {
	if s, _ := d.Slowdowns(); s != nil {
		d.Slowdown = SlowdownOf(&scenario.Slowdown{Model: n.Pairs(s.Model)})
	}
	d.Resources = slices.Clone(d.Resources)
	for k := range d.Resources {
		r := &d.Resources[k]
		r.Name, r.Kept = n.Resource(r.Name), nil
	}
	d.Policies = slices.Clone(d.Policies)
	for i := range d.Policies {
		p := &d.Policies[i]
		p.Knobs, p.Kept = n.Knobs(p.Knobs), nil
	}
	return d
}
