package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// packing names the way to pack; packed programs are kept under it.
const packing = "zstd-19"

// packer packs standard input into standard output. Higher levels than 19 gain
// next to nothing.
const packer = `
import { init, compress } from '@bokuweb/zstd-wasm';
import { readFileSync, writeFileSync } from 'node:fs';
await init();
writeFileSync(1, compress(readFileSync(0), 19));
`

// unpacker unpacks with the decoder of the page, as the page does.
const unpacker = `
import { Decompress } from 'fzstd';
import { readFileSync, writeFileSync } from 'node:fs';
const parts = [];
new Decompress(part => parts.push(part)).push(readFileSync(0));
writeFileSync(1, Buffer.concat(parts));
`

// A codec packs programs and unpacks them again.
type codec struct {
	pack, unpack func([]byte) ([]byte, error)
}

// zstd packs with packages that npm has installed in a folder.
func zstd(dir string) codec {
	return codec{
		pack: func(data []byte) ([]byte, error) {
			if _, err := installed(dir, "@bokuweb", "zstd-wasm"); err != nil {
				return nil, err
			}
			return node(dir, packer, data)
		},
		unpack: func(data []byte) ([]byte, error) {
			if _, err := installed(dir, "fzstd"); err != nil {
				return nil, err
			}
			return node(dir, unpacker, data)
		},
	}
}

// browserDir is where npm installs its packages.
func browserDir(root string) string { return filepath.Join(root, "build", "browser") }

// installed returns a place in a package of npm.
func installed(dir string, path ...string) (string, error) {
	p := filepath.Join(append([]string{dir, "node_modules"}, path...)...)
	if _, err := os.Stat(p); err != nil {
		return "", errors.New("packing the program: expected the packages of build/browser, which npm ci installs there (make site does); -quick leaves the program as it is")
	}
	return p, nil
}

// pack packs a program for the download, or takes it from the cache.
func pack(root string, data []byte) ([]byte, error) {
	return zstd(browserDir(root)).keep(filepath.Join(root, "build", "cache"), data)
}

// keep holds the packed form of the last program in a folder. It looks at what it
// finds there: an interrupted build leaves a part of one.
func (c codec) keep(dir string, data []byte) ([]byte, error) {
	kept := filepath.Join(dir, fmt.Sprintf("%s-%x.zst", packing, sha256.Sum256(data)))
	if packed, err := os.ReadFile(kept); err == nil && c.same(packed, data) == nil {
		return packed, nil
	}
	packed, err := c.pack(data)
	if err != nil {
		return nil, err
	}
	if err := c.same(packed, data); err != nil {
		return nil, err
	}
	earlier, err := filepath.Glob(filepath.Join(dir, "*.zst"))
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

// same holds a packed program against the plain one.
func (c codec) same(packed, data []byte) error {
	got, err := c.unpack(packed)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, data) {
		return errors.New("packing the program: unpacked it is another one")
	}
	return nil
}

// node runs a script over data, with the packages of a folder.
func node(dir, script string, data []byte) ([]byte, error) {
	cmd := exec.Command("node", "--input-type=module", "-e", script)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(data)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("packing the program: %w\n%s", err, msg.String())
	}
	return out.Bytes(), nil
}

// addDecoder adds the script that unpacks the program in the page, with its licence.
func addDecoder(root string, t target, a *assets) error {
	if t.quick {
		return nil
	}
	for _, part := range [][2]string{{"js/fzstd.js", "umd/index.js"}, {"js/fzstd.LICENSE", "LICENSE"}} {
		file, err := installed(browserDir(root), "fzstd", part[1])
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := a.add(part[0], data); err != nil {
			return err
		}
	}
	return nil
}
