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

// pageTemplate is the template of all pages.
var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML returns page p as a complete HTML document. It calls asset to convert the name of a file in the sources to its
// name in the site.
func (d *Docs) HTML(p *Page, asset func(string) string) ([]byte, error) {
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, view{d, p, strings.Repeat("../", strings.Count(p.Name, "/")), asset})
	return out.Bytes(), err
}

// view holds the values that the template page.html inserts.
type view struct {
	*Docs
	Page *Page
	Up   string              // relative path from the page to the folder docs/
	name func(string) string // converts the name of a file in the sources to its name in the site
}

// Asset returns the address of a file in the site, relative to the page.
func (v view) Asset(name string) string { return v.Up + "../" + v.name(name) }

// IsCurrent reports whether a link in the table of contents leads to the current page.
func (v view) IsCurrent(l Link) bool { return l.Name == v.Page.Name }

// Previous returns the page before this one in the table of contents, or nil if this is the first
// page.
func (v view) Previous() *Page { return v.neighbour(-1) }

// Next returns the page after this one in the table of contents, or nil if this is the last page.
func (v view) Next() *Page { return v.neighbour(1) }

// neighbour returns the page that is n places after this one in the table of contents, or before it if n is
// negative. It returns nil if there is no such page.
func (v view) neighbour(n int) *Page {
	for i, p := range v.Pages {
		if to := i + n; p == v.Page && to >= 0 && to < len(v.Pages) {
			return v.Pages[to]
		}
	}
	return nil
}

// entry is an entry in the search index: a heading, a paragraph, a code block or a table row.
type entry struct {
	id      string // id of its place on the page
	heading string // heading above it
	text    string // text without markup; "" for a heading
}

// addEntry adds an entry to the search index.
func (p *Page) addEntry(id, heading, text string) {
	p.entries = append(p.entries, entry{id, heading, strings.Join(strings.Fields(text), " ")})
}

// Index returns the search index as a script, which sets self.docsIndex to a list of pages with
// their addresses, titles and entries. It is a script because a page that is opened from a disk can
// load scripts, but no other files.
func (d *Docs) Index() ([]byte, error) {
	var all [][]any
	for _, p := range d.Pages {
		var list [][3]string
		for _, e := range p.entries {
			list = append(list, [3]string{e.id, e.heading, e.text})
		}
		all = append(all, []any{p.Name + ".html", p.Title, list})
	}
	data, err := json.Marshal(all)
	return append(append([]byte("self.docsIndex="), data...), ";\n"...), err
}
