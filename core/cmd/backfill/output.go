package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// outputs is what a command writes: every file appears complete or not at all,
// and none appears before all of them could be written.
type outputs struct {
	list []output
}

type output struct {
	name  string
	write func(io.Writer) error
	temp  string  // the complete file, until it gets its name
	data  *pieces // what goes to a pipe or a device, which cannot be replaced
}

// add asks for an output; an empty name asks for none.
func (o *outputs) add(name string, write func(io.Writer) error) {
	if name != "" {
		o.list = append(o.list, output{name: name, write: write})
	}
}

// check refuses outputs that would write over each other.
func (o *outputs) check() error {
	met := map[string]bool{}
	for _, x := range o.list {
		if met[filepath.Clean(x.name)] {
			return misuse("expected different outputs, got %s twice", x.name)
		}
		met[filepath.Clean(x.name)] = true
	}
	return nil
}

// onStandard reports whether an output goes to standard output.
func (o *outputs) onStandard() bool {
	for _, x := range o.list {
		if x.name == standardInput {
			return true
		}
	}
	return false
}

// write writes all outputs: files under a name of passage first, then standard
// output, then the files get their names.
func (o *outputs) write(e *env) (err error) {
	defer func() {
		for _, x := range o.list {
			if x.temp != "" {
				_ = os.Remove(x.temp)
			}
		}
	}()
	var standard pieces
	for i := range o.list {
		x := &o.list[i]
		if x.name == standardInput {
			err = x.write(&standard)
		} else {
			err = x.stage()
		}
		if err != nil {
			return err
		}
	}
	if _, err := standard.WriteTo(e.data); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	for i := range o.list {
		if err := o.list[i].publish(); err != nil {
			return o.list[i].failed(err)
		}
	}
	return nil
}

// publish lets the output appear.
func (x *output) publish() error {
	if x.data != nil {
		f, err := os.OpenFile(x.name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = x.data.WriteTo(f)
		return errors.Join(err, f.Close())
	}
	if x.temp == "" {
		return nil
	}
	if err := os.Rename(x.temp, x.name); err != nil {
		return err
	}
	x.temp = ""
	return nil
}

// stage writes the output to a file beside the one that it becomes, which it
// replaces where there is one; behind a link, the file that is meant.
func (x *output) stage() error {
	mode := os.FileMode(0)
	if s, err := os.Stat(x.name); err == nil {
		switch mode = s.Mode(); {
		case mode.IsDir():
			return fmt.Errorf("%s: expected the name of a file, got a folder", x.name)
		case !mode.IsRegular():
			x.data = &pieces{}
			return x.write(x.data)
		}
		if real, err := filepath.EvalSymlinks(x.name); err == nil {
			x.name = real
		}
	}
	f, err := besides(x.name)
	if err != nil {
		return x.failed(err)
	}
	x.temp = f.Name()
	if mode != 0 {
		err = f.Chmod(mode.Perm())
	}
	b := bufio.NewWriterSize(f, 1<<16)
	if err = errors.Join(err, x.write(b), b.Flush(), f.Close()); err != nil {
		return x.failed(err)
	}
	return nil
}

// pieces holds text until it is complete, without the copies of a buffer that
// grows in one stretch.
type pieces [][]byte

func (p *pieces) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		last := len(*p) - 1
		if last < 0 || len((*p)[last]) == cap((*p)[last]) {
			*p = append(*p, make([]byte, 0, 1<<16))
			last++
		}
		piece := (*p)[last]
		n := copy(piece[len(piece):cap(piece)], rest)
		(*p)[last], rest = piece[:len(piece)+n], rest[n:]
	}
	return len(data), nil
}

// WriteTo hands the text on.
func (p *pieces) WriteTo(w io.Writer) (n int64, err error) {
	for _, piece := range *p {
		k, err := w.Write(piece)
		n += int64(k)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (x *output) failed(err error) error {
	return fmt.Errorf("%s: expected to write it, got %s", x.name, fileWords(err))
}

// besides creates a new file in the folder of name. os.CreateTemp would hide
// the file from everyone else, and the renamed output with it.
func besides(name string) (*os.File, error) {
	folder, base := filepath.Split(name)
	for i := 0; ; i++ {
		f, err := os.OpenFile(filepath.Join(folder, fmt.Sprintf(".%s.%d-%d", base, os.Getpid(), i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}
