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

// packMethod identifies the compression method in the names of cached files.
const packMethod = "xz-6-4.0.2"

// packScript compresses standard input to standard output. It uses the preset 6. Higher presets and
// the slower variant 6e make some programs smaller and others larger, by less than 0.3 %. The page's
// decoder can verify only the checksum CRC32.
const packScript = `
import createLZMA from 'node-liblzma/wasm/liblzma.js';
import { initModule, LZMA_CHECK_CRC32, xzAsync } from 'node-liblzma/wasm';
import { readFileSync, writeFileSync } from 'node:fs';
const wasmBinary = readFileSync(new URL(import.meta.resolve('node-liblzma/wasm/liblzma.wasm')));
await initModule(() => createLZMA({ wasmBinary }));
writeFileSync(1, await xzAsync(readFileSync(0), { preset: 6, check: LZMA_CHECK_CRC32 }));
`

// unpackScript decompresses standard input to standard output. It uses the same decoder as the
// page.
const unpackScript = `
import xz from 'xz-decompress';
import { readFileSync, writeFileSync } from 'node:fs';
const packed = new Response(readFileSync(0)).body;
writeFileSync(1, Buffer.from(await new Response(new xz.XzReadableStream(packed)).arrayBuffer()));
`

// codec compresses and decompresses programs.
type codec struct {
	pack, unpack func([]byte) ([]byte, error)
}

// xz returns a codec for the format XZ. It uses the npm packages that are installed in dir.
func xz(dir string) codec {
	return codec{
		pack: func(data []byte) ([]byte, error) {
			if _, err := npmPath(dir, "node-liblzma"); err != nil {
				return nil, err
			}
			return runNode(dir, packScript, data)
		},
		unpack: func(data []byte) ([]byte, error) {
			if _, err := npmPath(dir, "xz-decompress"); err != nil {
				return nil, err
			}
			return runNode(dir, unpackScript, data)
		},
	}
}

// browserDir returns the folder in which npm installs packages.
func browserDir(root string) string { return filepath.Join(root, "build", "browser") }

// npmPath returns the path of a file or folder in an installed npm package. It returns an error if
// the package is not installed.
func npmPath(dir string, path ...string) (string, error) {
	p := filepath.Join(append([]string{dir, "node_modules"}, path...)...)
	if _, err := os.Stat(p); err != nil {
		return "", errors.New("compressing the program: expected the npm packages of build/browser; install them with npm ci (make site does), or use -quick to skip compression")
	}
	return p, nil
}

// pack returns a compressed program. It uses the cache if possible.
func pack(root, name string, data []byte) ([]byte, error) {
	return xz(browserDir(root)).cached(filepath.Join(root, "build", "cache"), name, data)
}

// cached returns a compressed program, from the cache if possible. The folder dir is the cache: it contains the last
// compressed version of each program. cached verifies a file of the cache, because a build that was interrupted can
// leave an incomplete file.
func (c codec) cached(dir, name string, data []byte) ([]byte, error) {
	file := filepath.Join(dir, fmt.Sprintf("%s-%s-%x.xz", name, packMethod, sha256.Sum256(data)))
	if packed, err := os.ReadFile(file); err == nil && c.verify(packed, data) == nil {
		return packed, nil
	}
	packed, err := c.pack(data)
	if err != nil {
		return nil, err
	}
	if err := c.verify(packed, data); err != nil {
		return nil, err
	}
	old, err := filepath.Glob(filepath.Join(dir, name+"-*.xz"))
	if err != nil {
		return nil, err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return nil, err
		}
	}
	return packed, writeFile(file, packed)
}

// verify returns an error unless the packed bytes decompress to the given data.
func (c codec) verify(packed, data []byte) error {
	got, err := c.unpack(packed)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, data) {
		return errors.New("compressing the program: the decompressed program differs")
	}
	return nil
}

// runNode runs a script in Node.js with the npm packages in dir. It passes data to the standard
// input of the script, and returns what the script writes to standard output.
func runNode(dir, script string, data []byte) ([]byte, error) {
	cmd := exec.Command("node", "--input-type=module", "-e", script)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(data)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("compressing the program: %w\n%s", err, msg.String())
	}
	return out.Bytes(), nil
}
