package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"backfill-lab/core/version"
)

// archiveSite packs a finished site, with the licence, into one file beside it: what
// is handed out for others to host. The same site gives the same bytes.
func archiveSite(root string, t target) error {
	folder := "backfill-lab-" + version.Program
	site := filepath.Join(root, filepath.FromSlash(t.out))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(name, file string) error {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		f, err := w.Create(path.Join(folder, name)) // without a time of its own
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	}
	if err := add("LICENSE", filepath.Join(root, "LICENSE")); err != nil {
		return err
	}
	err := walkFiles(site, ".", func(name string, _ fs.FileInfo) error {
		return add(name, filepath.Join(site, filepath.FromSlash(name)))
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return writeWhole(filepath.Join(filepath.Dir(site), folder+".zip"), out.Bytes())
}

// writeWhole puts a file into its place at once: nobody finds a part of it.
func writeWhole(name string, data []byte) error {
	part := name + ".part"
	if err := writeFile(part, data); err != nil {
		return err
	}
	return os.Rename(part, name)
}
