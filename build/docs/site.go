package docs

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"strings"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML returns a complete HTML page. Asset returns the final name of a file in the site.
func (d *Docs) HTML(p *Page, asset func(string) string) ([]byte, error) {
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, view{d, p, strings.Repeat("../", strings.Count(p.Name, "/")), asset})
	return out.Bytes(), err
}

// view holds the data for the template page.html.
type view struct {
	*Docs
	Page *Page
	Up   string              // relative path from the page to docs/
	name func(string) string // returns the name of a file in the site
}

// Asset returns the relative address of a file of the site.
func (v view) Asset(name string) string { return v.Up + "../" + v.name(name) }

// Shown reports whether a link in the table of contents leads to the current page.
func (v view) Shown(l Link) bool { return l.Name == v.Page.Name }

// Previous returns the previous page in the table of contents, or nil for the first one.
func (v view) Previous() *Page { return v.neighbour(-1) }

// Next returns the next page in the table of contents, or nil for the last one.
func (v view) Next() *Page { return v.neighbour(1) }

// neighbour returns the page step places after this one, or nil if there is none.
func (v view) neighbour(step int) *Page {
	for i, p := range v.Pages {
		if to := i + step; p == v.Page && to >= 0 && to < len(v.Pages) {
			return v.Pages[to]
		}
	}
	return nil
}

// entry is a place that the search can find: its id, the heading above it, and its text. The text
// is empty for a heading.
type entry struct{ id, heading, words string }

// note adds an entry to the page.
func (p *Page) note(id, heading, words string) {
	p.entries = append(p.entries, entry{id, heading, strings.Join(strings.Fields(words), " ")})
}

// Index returns the search index as a script that sets self.docsIndex to a list of pages, each with
// address, title and entries. A script also loads from a disk, where pages cannot fetch files.
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
