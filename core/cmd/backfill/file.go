package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"backfill-lab/core/job"
	"backfill-lab/core/opening"
	"backfill-lab/core/workload/input"
)

// standardStream is the file name that stands for standard input or standard output.
const standardStream = "-"

// file is an input that a flag names. A regular file is read when its content is needed. Standard
// input is read into memory immediately.
type file struct {
	io.ReaderAt
	name string
	size int64  // number of bytes
	data []byte // content of standard input; nil for a regular file
}

// open opens the file that a flag names, or reads standard input.
func (e *env) open(flag, name string) (*file, error) {
	switch name {
	case "":
		return nil, usageErrorf("-%s: expected a file, or - for standard input, got nothing", flag)
	case standardStream:
		f := &file{name: name}
		var err error
		f.data, err = f.read(e.in)
		f.ReaderAt, f.size = bytes.NewReader(f.data), int64(len(f.data))
		return f, err
	}
	f, err := openRegular(name)
	if err == nil {
		e.addInput(name)
	}
	return f, err
}

// addInput records that the command reads the file with this name.
func (e *env) addInput(name string) {
	if info, err := os.Stat(name); err == nil {
		e.inputs = append(e.inputs, info)
	}
}

// isInput reports whether the command reads the file with this name, or a file to which it links.
func (e *env) isInput(name string) bool {
	info, err := os.Stat(name)
	return err == nil && slices.ContainsFunc(e.inputs, func(x os.FileInfo) bool { return os.SameFile(x, info) })
}

// openRegular opens a file. It returns an error if the file is not a regular file, or has more than
// input.DefaultMaxBytes bytes.
func openRegular(name string) (*file, error) {
	info, err := os.Stat(name) // before os.Open, because that would block on a pipe
	if err != nil {
		return nil, unreadableError(name, err)
	}
	if mode := info.Mode(); !mode.IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file, or - for standard input, got %s", displayName(name), fileKind(mode))
	}
	f := &file{name: name, size: info.Size()}
	if f.size > input.DefaultMaxBytes {
		return nil, f.tooLarge()
	}
	if f.ReaderAt, err = os.Open(name); err != nil {
		return nil, unreadableError(name, err)
	}
	return f, nil
}

// readFile returns the content of a regular file. Its errors name the file.
func readFile(name string) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.close()
	return f.bytes()
}

// hashFile returns the SHA-256 hash of a file, in hexadecimal.
func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// bytes returns the content of the file.
func (f *file) bytes() ([]byte, error) {
	if f.data != nil {
		return f.data, nil
	}
	return f.read(io.NewSectionReader(f, 0, input.DefaultMaxBytes+1)) // limited, because the file may have grown since openRegular checked its size
}

func (f *file) close() {
	if c, ok := f.ReaderAt.(io.Closer); ok {
		c.Close()
	}
}

// read reads r to its end. It returns an error if the content has more than input.DefaultMaxBytes
// bytes.
func (f *file) read(r io.Reader) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(int(f.size) + bytes.MinRead) // otherwise the growing buffer would copy its content several times
	_, err := data.ReadFrom(io.LimitReader(r, input.DefaultMaxBytes+1))
	switch {
	case err != nil:
		return nil, unreadableError(f.name, err)
	case data.Len() > input.DefaultMaxBytes:
		return nil, f.tooLarge()
	}
	return data.Bytes(), nil
}

// formatOf returns the format of the file, given the value of the flag -format. If this value is empty, the file
// extension determines the format or, if the extension is unknown, the content.
func (f *file) formatOf(value string) (string, error) {
	switch value {
	case opening.SWF, opening.CSV, opening.JSON, opening.SACCT:
		return value, nil
	case "":
	default:
		return "", usageErrorf("-format: expected swf, csv, sacct or json, got %q", value)
	}
	if format := opening.FormatByName(f.name); format != "" {
		return format, nil
	}
	format, _, err := opening.DetectFormat(opening.BufferedReader(f, f.size), input.Options{})
	if err != nil {
		return "", withFile(f.name, err)
	}
	return format, nil
}

// text returns a reader of the text of the file, decompressed if necessary.
func (f *file) text() (*bufio.Reader, error) {
	text, err := input.Open(opening.BufferedReader(f, f.size), input.Options{})
	if err != nil {
		return nil, withFile(f.name, err)
	}
	return bufio.NewReader(text), nil
}

// jobs returns the content of a file with jobs. It counts the jobs first, so that it can reject a
// file with too many jobs before loading it.
func (f *file) jobs(format string) ([]byte, error) {
	if _, err := opening.Count(format, f, f.size, job.MaxJobs, input.Options{}); err != nil {
		return nil, withFile(f.name, err)
	}
	return f.bytes()
}

// tooLarge returns an error which says that the file has more than input.DefaultMaxBytes bytes.
func (f *file) tooLarge() error {
	return withFile(f.name, fmt.Errorf("%w: more than %d bytes", input.ErrTooLarge, input.DefaultMaxBytes))
}

// fileKind returns a phrase for a file that is not regular, such as "a folder".
func fileKind(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// unreadableError returns an error which says that a file cannot be read.
func unreadableError(name string, err error) error {
	return fmt.Errorf("%s: expected a readable file, got %s", displayName(name), errorText(err))
}

// errorText returns the text of a file error. For common errors, this text is the same on every
// operating system.
func errorText(err error) string {
	var path *os.PathError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, os.ErrPermission):
		return "no permission"
	case errors.Is(err, syscall.EISDIR):
		return "a folder"
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}

// displayName returns the name of a file, or "standard input", for messages.
func displayName(name string) string {
	if name == standardStream {
		return "standard input"
	}
	return name
}

// withFile adds the name of a file to an error.
func withFile(name string, err error) error { return opening.WithFile(displayName(name), err) }
