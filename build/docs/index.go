package docs

import (
	"encoding/json"
	"strings"
)

// entry is a place that the search can find: the id on the page, the heading above it, and
// the text. The text is empty for a heading.
type entry struct{ id, heading, words string }

// note adds an entry to the page.
func (p *Page) note(id, heading, words string) {
	p.entries = append(p.entries, entry{id, heading, strings.Join(strings.Fields(words), " ")})
}

// Index returns the search index as a script that sets self.docsIndex. The index is a list
// of pages, each with address, title and entries. A script also loads from a disk, where
// pages cannot fetch files.
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
