package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// packing names the way to pack; packed programs are kept under it.
const packing = "zopfli-3"

// packer packs standard input into standard output. Zopfli makes a gzip file
// that is a twentieth smaller than the best of the ordinary packers, and takes
// ten seconds for it; more iterations than three gain next to nothing.
const packer = `
import zopfli from '@gfx/zopfli';
import { readFileSync, writeFileSync } from 'node:fs';
writeFileSync(1, await zopfli.gzipAsync(readFileSync(0), { numiterations: 3 }));
`

// pack packs a program for the download, or takes it from the cache.
func pack(root string, data []byte) ([]byte, error) {
	return keep(filepath.Join(root, "build", "cache"), data, func() ([]byte, error) {
		return zopfli(filepath.Join(root, "build", "browser"), data)
	})
}

// keep holds the packed form of the last program in a folder. It looks at what it
// finds there: an interrupted build leaves a part of one.
func keep(dir string, data []byte, pack func() ([]byte, error)) ([]byte, error) {
	kept := filepath.Join(dir, fmt.Sprintf("%s-%x.gz", packing, sha256.Sum256(data)))
	if packed, err := os.ReadFile(kept); err == nil && same(packed, data) == nil {
		return packed, nil
	}
	packed, err := pack()
	if err != nil {
		return nil, err
	}
	if err := same(packed, data); err != nil {
		return nil, err
	}
	earlier, err := filepath.Glob(filepath.Join(dir, "zopfli-*.gz"))
	if err != nil {
		return nil, err
	}
	for _, f := range earlier {
		if err := os.Remove(f); err != nil {
			return nil, err
		}
	}
	return packed, writeFile(kept, packed)
}

// zopfli packs with a package that npm has installed in a folder.
func zopfli(dir string, data []byte) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@gfx", "zopfli")); err != nil {
		return nil, errors.New("packing the program: expected the packages of build/browser, which npm ci installs there (make site does); -quick packs without them")
	}
	cmd := exec.Command("node", "--input-type=module", "-e", packer)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(data)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("packing the program: %w\n%s", err, msg.String())
	}
	return out.Bytes(), nil
}

// same holds a packed program against the plain one.
func same(packed, data []byte) error {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return fmt.Errorf("packing the program: %w", err)
	}
	var got bytes.Buffer
	if _, err := got.ReadFrom(r); err != nil || !bytes.Equal(got.Bytes(), data) {
		return fmt.Errorf("packing the program: unpacked it is another one (%v)", err)
	}
	return nil
}

// gzipBest compresses without a name or a date, so equal input gives equal bytes.
func gzipBest(data []byte) ([]byte, error) {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
