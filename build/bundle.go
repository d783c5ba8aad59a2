package main

import (
	"bytes"
	"regexp"
)

// Style sheets that follow each other in the page come as one file, and so do scripts:
// browsers ask a host for few files at a time, and the program is among them. Scripts
// with an attribute are files of their own: workers run them, too, or they read it.
var bundles = []struct {
	run  *regexp.Regexp
	name string
	tag  string
}{
	{regexp.MustCompile(`(?:\s*<link rel="stylesheet" href="[^"]+">){2,}`), "css/all.css", "\n  <link rel=\"stylesheet\" href=\"css/all.css\">"},
	{regexp.MustCompile(`(?:\s*<script defer src="[^"]+"></script>){2,}`), "js/all.js", "\n  <script defer src=\"js/all.js\"></script>"},
}

var namedFile = regexp.MustCompile(`(?:href|src)="([^"]+)"`)

// bundle adds the joined files and answers with the page that names them.
func (a *assets) bundle(page string) (string, error) {
	for _, b := range bundles {
		var all bytes.Buffer
		for _, named := range namedFile.FindAllStringSubmatch(b.run.FindString(page), -1) {
			data, err := a.read(named[1])
			if err != nil {
				return "", err
			}
			all.Write(data)
			all.WriteByte('\n')
		}
		if all.Len() == 0 {
			continue
		}
		if err := a.add(b.name, all.Bytes()); err != nil {
			return "", err
		}
		page = b.run.ReplaceAllLiteralString(page, b.tag)
	}
	return page, nil
}
