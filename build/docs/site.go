package docs

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// HTML returns a page as it is shipped; asset gives the name that a file has in the site.
func (d *Docs) HTML(p *Page, asset func(string) string) ([]byte, error) {
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, view{d, p, strings.Repeat("../", strings.Count(p.Name, "/")), asset})
	return out.Bytes(), err
}

// view is what the markup around a page asks for.
type view struct {
	*Docs
	Page *Page
	Up   string // the way from the page to docs/
	name func(string) string
}

// Asset returns the address of a file of the site.
func (v view) Asset(name string) string { return v.Up + "../" + v.name(name) }

// Shown reports whether a link of the contents leads to the page itself.
func (v view) Shown(l Link) bool { return l.Name == v.Page.Name }

// Previous and Next are the pages beside this one in the contents, nil at the ends.
func (v view) Previous() *Page { return v.beside(-1) }
func (v view) Next() *Page     { return v.beside(1) }

func (v view) beside(step int) *Page {
	for i, p := range v.Pages {
		if to := i + step; p == v.Page && to >= 0 && to < len(v.Pages) {
			return v.Pages[to]
		}
	}
	return nil
}
