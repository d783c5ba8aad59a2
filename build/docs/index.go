package docs

import (
	"encoding/json"
	"strings"
)

// entry is a place that a search may find: its id on the page, the heading that it
// is under, and its words; none where it is the heading itself.
type entry struct{ id, heading, words string }

func (p *Page) note(id, heading, words string) {
	p.entries = append(p.entries, entry{id, heading, strings.Join(strings.Fields(words), " ")})
}

// Index returns the script that gives a search what it looks through: a list of pages,
// each its address, its title and its entries. As a script it is read from a disk
// as well, where pages may not fetch.
func (d *Docs) Index() ([]byte, error) {
	var all [][]any
	for _, p := range d.Pages {
		var list [][3]string
		for _, e := range p.entries {
			list = append(list, [3]string{e.id, e.heading, e.words})
		}
		all = append(all, []any{p.Name + ".html", p.Title, list})
	}
	data, err := json.Marshal(all)
	return append(append([]byte("self.docsIndex="), data...), ";\n"...), err
}
