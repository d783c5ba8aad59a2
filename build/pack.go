package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
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
	kept := filepath.Join(root, "build", "cache", fmt.Sprintf("%s-%x.gz", packing, sha256.Sum256(data)))
	if packed, err := os.ReadFile(kept); err == nil {
		return packed, nil
	}
	packages := filepath.Join(root, "build", "browser")
	if _, err := os.Stat(filepath.Join(packages, "node_modules", "@gfx", "zopfli")); err != nil {
		return nil, fmt.Errorf("packing the program: expected the packages of build/browser, which npm ci installs there (make site does); -quick packs without them")
	}
	cmd := exec.Command("node", "--input-type=module", "-e", packer)
	cmd.Dir, cmd.Stdin = packages, bytes.NewReader(data)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("packing the program: %w\n%s", err, msg.String())
	}
	if err := same(out.Bytes(), data); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return nil, err
	}
	return out.Bytes(), writeFile(kept, out.Bytes())
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
