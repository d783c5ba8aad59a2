package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"backfill-lab/core/job"
	"backfill-lab/core/reading"
	"backfill-lab/core/workload/input"
)

const standardInput = "-"

// file is what a flag names: a regular file, which is read when it is needed, or
// standard input, which is held as a whole.
type file struct {
	io.ReaderAt
	name string
	size int64
	data []byte // of standard input
}

// open opens the file of a flag, or reads standard input.
func (e *env) open(flag, name string) (*file, error) {
	switch name {
	case "":
		return nil, misuse("-%s: expected a file, or - for standard input, got nothing", flag)
	case standardInput:
		f := &file{name: name}
		var err error
		f.data, err = f.read(e.in)
		f.ReaderAt, f.size = bytes.NewReader(f.data), int64(len(f.data))
		return f, err
	}
	return regular(name)
}

// regular opens a regular file that is not larger than any that we take.
func regular(name string) (*file, error) {
	info, err := os.Stat(name) // first, as a pipe would be waited for when it is opened
	if err != nil {
		return nil, unreadable(name, err)
	}
	if mode := info.Mode(); !mode.IsRegular() {
		return nil, fmt.Errorf("%s: expected a regular file, or - for standard input, got %s", shown(name), kindOf(mode))
	}
	f := &file{name: name, size: info.Size()}
	if f.size > input.DefaultMaxBytes {
		return nil, f.tooLarge()
	}
	if f.ReaderAt, err = os.Open(name); err != nil {
		return nil, unreadable(name, err)
	}
	return f, nil
}

// wholeFile returns the bytes of a regular file.
func wholeFile(name string) ([]byte, error) {
	f, err := regular(name)
	if err != nil {
		return nil, err
	}
	defer f.close()
	return f.whole()
}

// whole returns the bytes of the file.
func (f *file) whole() ([]byte, error) {
	if f.data != nil {
		return f.data, nil
	}
	return f.read(io.NewSectionReader(f, 0, input.DefaultMaxBytes+1)) // it may have grown
}

func (f *file) close() {
	if c, ok := f.ReaderAt.(io.Closer); ok {
		c.Close()
	}
}

// read returns what r holds, if that is not larger than any that we take.
func (f *file) read(r io.Reader) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(int(f.size) + bytes.MinRead) // so that a large file is not copied as it grows
	_, err := data.ReadFrom(io.LimitReader(r, input.DefaultMaxBytes+1))
	switch {
	case err != nil:
		return nil, unreadable(f.name, err)
	case data.Len() > input.DefaultMaxBytes:
		return nil, f.tooLarge()
	}
	return data.Bytes(), nil
}

// format tells the format by flag, name or content.
func (f *file) format(flag string) (string, error) {
	switch flag {
	case reading.SWF, reading.CSV, reading.JSON, reading.SACCT:
		return flag, nil
	case "":
	default:
		return "", misuse("-format: expected swf, csv, sacct or json, got %q", flag)
	}
	if format := reading.FormatByName(f.name); format != "" {
		return format, nil
	}
	format, _, err := reading.DetectFormat(reading.Stream(f, f.size), input.Options{})
	if err != nil {
		return "", placed(f.name, err)
	}
	return format, nil
}

// text reads the file, inflated where it is gzip.
func (f *file) text() (*bufio.Reader, error) {
	text, err := input.Open(reading.Stream(f, f.size), input.Options{})
	if err != nil {
		return nil, placed(f.name, err)
	}
	return bufio.NewReader(text), nil
}

// jobs returns the bytes of a file of jobs. It fails before it keeps any of them if they
// are too many.
func (f *file) jobs(format string) ([]byte, error) {
	if _, err := reading.Count(format, f, f.size, job.MaxJobs, input.Options{}); err != nil {
		return nil, placed(f.name, err)
	}
	return f.whole()
}

func (f *file) tooLarge() error {
	return placed(f.name, fmt.Errorf("%w: more than %d bytes", input.ErrTooLarge, input.DefaultMaxBytes))
}

// kindOf says what is no regular file.
func kindOf(mode os.FileMode) string {
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

func unreadable(name string, err error) error {
	return fmt.Errorf("%s: expected a file that can be read, got %s", shown(name), fileWords(err))
}

// fileWords puts an error of the system into words that are the same on every
// system, where it is a common one.
func fileWords(err error) string {
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

// shown returns the name of a source in messages.
func shown(name string) string {
	if name == standardInput {
		return "standard input"
	}
	return name
}

// placed adds the file.
func placed(name string, err error) error { return reading.WithFile(shown(name), err) }
