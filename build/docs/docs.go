// Package docs is not a program and writes no file: it turns the Markdown of
// docs/ into the pages of the site's documentation, and their index for search.
//
// A text is a template: what another part of the project knows - policies, knobs,
// metrics, commands - it names in braces, so that it is said in one place only
// (see facts.go). A link to another text ends in .md, as on a host of sources, and
// in .html in the site. The contents beside every page are the links of index.md.
package docs

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	text "text/template"
)

// Page is one text.
type Page struct {
	Name     string // its path below docs/, without the ending
	Title    string
	Sections []Section // the parts of the page, by its headings of level 2
	Body     template.HTML
	entries  []entry
}

// Section is a heading that can be linked.
type Section struct{ ID, Title string }

// Link is a line of the contents.
type Link struct{ Name, Title string }

// Part is a part of the contents.
type Part struct {
	Title string
	Links []Link
}

// Docs is all pages, in the order of the contents.
type Docs struct {
	Parts []Part
	Pages []*Page
}

// Read reads the texts of the project at root. Commands is the text of `backfill
// manual`.
func Read(root, commands string) (*Docs, error) {
	f := &facts{root: root, commands: commands}
	d := &Docs{}
	index, parts, err := readPage(f, "index")
	if err != nil {
		return nil, err
	}
	d.Parts, d.Pages = parts, []*Page{index}
	for _, part := range parts {
		for _, l := range part.Links {
			p, _, err := readPage(f, l.Name)
			if err != nil {
				return nil, err
			}
			d.Pages = append(d.Pages, p)
		}
	}
	return d, d.complete(root)
}

// readPage reads a text; parts are the links that stand under its headings.
func readPage(f *facts, name string) (*Page, []Part, error) {
	file := filepath.Join(f.root, "docs", filepath.FromSlash(name)+".md")
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	t, err := text.New(name + ".md").Funcs(f.functions(path.Base(name))).Parse(string(source))
	if err != nil {
		return nil, nil, err
	}
	var filled bytes.Buffer
	if err := t.Execute(&filled, nil); err != nil {
		return nil, nil, err
	}
	p := &Page{Name: name}
	parts, err := p.parse(filled.Bytes())
	if err != nil {
		return nil, nil, fmt.Errorf("docs/%s.md: %w", name, err)
	}
	return p, parts, nil
}

// complete sees to it that every text is in the contents, once.
func (d *Docs) complete(root string) error {
	known := map[string]bool{}
	for _, p := range d.Pages {
		if known[p.Name] {
			return fmt.Errorf("docs/index.md has two links to %s.md", p.Name)
		}
		known[p.Name] = true
	}
	dir := filepath.Join(root, "docs")
	return filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		name, isText := strings.CutSuffix(file, ".md")
		if err != nil || !isText {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err == nil && !known[filepath.ToSlash(rel)] {
			err = fmt.Errorf("docs/index.md has no link to %s.md", filepath.ToSlash(rel))
		}
		return err
	})
}
