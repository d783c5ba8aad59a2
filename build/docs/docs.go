// Package docs converts the Markdown files in docs/ to the HTML pages of the documentation, and
// builds the search index.
//
// Each Markdown file is a template. Template functions (see facts.go) insert facts from the code,
// such as policies, knobs (parameters), metrics and commands, so that these are written only once.
// In the Markdown files, links between files end in .md, so that they work on GitHub and similar
// hosts. In the site, they end in .html. The links in index.md become the table of contents of
// every page.
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

// Page is one page of the documentation.
type Page struct {
	Name     string // path below docs/, without extension
	Title    string
	Sections []Section     // sections with headings of level 2
	Body     template.HTML // content of the page, without the frame of page.html
	entries  []entry       // entries of the search index
}

// Section holds a heading and the id that links use.
type Section struct{ ID, Title string }

// Link is an entry in the table of contents. Name is the name of the page.
type Link struct{ Name, Title string }

// Part is a heading in the table of contents, with the links below it.
type Part struct {
	Title string
	Links []Link
}

// Docs holds all pages, in the order of the table of contents.
type Docs struct {
	Parts []Part
	Pages []*Page
}

// Read reads the documentation of the project in the folder root. It takes the reference of the commands from
// commandText, the output of `backfill manual`.
func Read(root, commandText string) (*Docs, error) {
	f := &facts{root: root, commands: commandText}
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
	return d, d.checkContents(root)
}

// readPage reads the page with the given name. It also returns the links below each heading. For
// index.md, these become the table of contents.
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

// checkContents returns an error unless the table of contents contains every Markdown file exactly
// once.
func (d *Docs) checkContents(root string) error {
	known := map[string]bool{}
	for _, p := range d.Pages {
		if known[p.Name] {
			return fmt.Errorf("docs/index.md has two links to %s.md", p.Name)
		}
		known[p.Name] = true
	}
	dir := filepath.Join(root, "docs")
	return filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		name, isPage := strings.CutSuffix(file, ".md")
		if err != nil || !isPage {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err == nil && !known[filepath.ToSlash(rel)] {
			err = fmt.Errorf("docs/index.md has no link to %s.md", filepath.ToSlash(rel))
		}
		return err
	})
}
