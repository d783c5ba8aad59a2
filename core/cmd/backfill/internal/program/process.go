package program

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// maxAnswer is the maximum length of an answer, in bytes.
const maxAnswer = 16 << 20

// process is a running program, with its standard input and output.
type process struct {
	command *exec.Cmd
	limit   time.Duration // time limit for each answer
	in, out *os.File      // ends of the pipes to its standard input and from its standard output
	reader  *bufio.Reader // buffered reader of out
	errors  tail          // last lines of its standard error
	ended   bool          // whether the process has ended and its pipes are closed
}

// startProcess runs a command line with the shell, in its own process group.
func startProcess(command string, limit time.Duration) (*process, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer childOut.Close()
	x := &process{command: shellCommand(command), limit: limit, in: in, out: out, reader: bufio.NewReader(out)}
	// Python orders sets of strings by their hashes. With a fixed seed, the order is the same in
	// every process, so that a restarted program gives the same answers.
	x.command.Env = append(os.Environ(), "PYTHONHASHSEED=0")
	x.command.Stdin, x.command.Stdout, x.command.Stderr = childIn, childOut, &x.errors
	x.command.WaitDelay = time.Second
	if err := x.command.Start(); err != nil {
		in.Close()
		out.Close()
		return nil, fmt.Errorf("the program could not be started: %w", err)
	}
	return x, nil
}

// ask sends a line to the program and returns the answer. The given line must end with a newline,
// but the answer does not.
func (x *process) ask(line []byte) ([]byte, error) {
	if extra := x.unreadLine(); extra != nil {
		return nil, fmt.Errorf("expected one line for each message, got another line: %s", shorten(extra))
	}
	deadline := time.Now().Add(x.limit)
	if err := errors.Join(x.in.SetWriteDeadline(deadline), x.out.SetReadDeadline(deadline)); err != nil {
		return nil, err
	}
	if _, err := x.in.Write(line); errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fmt.Errorf("expected the program to read its standard input within %s, but it did not", x.limit)
	} // if the program has ended, reading the answer reports that
	return x.readAnswer()
}

// unreadLine returns the first line that is in the reader's buffer but was not read as an answer, or
// nil if the buffer is empty. It does not see output that is still in the pipe.
func (x *process) unreadLine() []byte {
	text, _ := x.reader.Peek(x.reader.Buffered())
	if len(text) == 0 {
		return nil
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return first
}

// readAnswer reads one line. It returns an error if the line has more than maxAnswer bytes.
func (x *process) readAnswer() (answer []byte, err error) {
	for {
		part, err := x.reader.ReadSlice('\n')
		answer = append(answer, part...)
		switch {
		case len(answer) > maxAnswer:
			return nil, fmt.Errorf("expected an answer of at most %d bytes, got a longer one: %s", maxAnswer, shorten(answer))
		case err == nil:
			return bytes.TrimRight(answer, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, fmt.Errorf("expected an answer within %s, got %s (does the program flush its standard output?)", x.limit, quotedOrNothing(answer))
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("expected an answer, got %s: the program %s", quotedOrNothing(answer), x.waitForEnd())
		default:
			return nil, err
		}
	}
}

// finish closes the standard input of the program and waits for the program to end. It returns an
// error if the program writes more output, does not end, or fails.
func (x *process) finish() error {
	x.in.Close()
	if err := x.out.SetReadDeadline(time.Now().Add(x.limit)); err != nil {
		return err
	}
	rest, err := io.ReadAll(io.LimitReader(x.reader, maxShown+1))
	switch {
	case len(rest) > 0:
		return fmt.Errorf("expected one line for each message, got more after the last one: %s", shorten(rest))
	case err != nil:
		return fmt.Errorf("expected the program to end within %s after the end of its input, but it is still running", x.limit)
	}
	if text := x.waitForEnd(); text != endedNormally {
		return fmt.Errorf("expected the program to end with exit status 0 after the end of its input, but it %s", text)
	}
	return nil
}

// endedNormally is the result of waitForEnd for a process that ended with exit status 0.
const endedNormally = "ended with exit status 0"

// waitForEnd waits until the process ends, but no longer than the time limit. It returns a phrase
// that says how the process ended. It also kills all other processes in the group, and closes the
// pipes.
func (x *process) waitForEnd() string {
	late := time.AfterFunc(x.limit, func() { killGroup(x.command) })
	_ = x.command.Wait() // the process state, used below, contains more than the error
	inTime := late.Stop()
	killGroup(x.command)
	x.close()
	switch state := x.command.ProcessState; {
	case !inTime:
		return fmt.Sprintf("closed its standard output and was still running after %s", x.limit)
	case state.Exited():
		return fmt.Sprintf("ended with exit status %d", state.ExitCode())
	default:
		return "was ended by a " + state.String()
	}
}

// kill kills the process group and waits for the process to end, unless it has already ended.
func (x *process) kill() {
	if x.ended {
		return
	}
	killGroup(x.command)
	_ = x.command.Wait() // the error only says that the process was killed
	x.close()
}

// close closes the pipes to the process. The process must have ended.
func (x *process) close() {
	x.ended = true
	x.in.Close()
	x.out.Close()
}

// maxShown is the maximum number of bytes of a line that an error message shows.
const maxShown = 200

// shorten returns a line in quotes for an error message. It truncates a long line.
func shorten(line []byte) string {
	if len(line) > maxShown {
		return fmt.Sprintf("%#q...", line[:maxShown])
	}
	return fmt.Sprintf("%#q", line)
}

// quotedOrNothing returns "only" and a line in quotes for an error message, or "nothing" if the line is
// empty.
func quotedOrNothing(line []byte) string {
	if len(line) == 0 {
		return "nothing"
	}
	return "only " + shorten(line)
}

// tail is a writer that keeps only the last bytes written to it.
type tail struct{ text []byte }

// maxTail is the maximum number of bytes that a tail keeps. Its method String returns at most
// maxTailLines lines.
const (
	maxTail      = 4096
	maxTailLines = 10
)

// Write appends data and drops bytes from the beginning if there are too many.
func (t *tail) Write(data []byte) (int, error) {
	t.text = append(t.text, data[max(0, len(data)-maxTail):]...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(data), nil
}

// String returns the last lines. Each line is indented and follows a line break. If nothing was
// written, String returns "".
func (t *tail) String() string {
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	out := ""
	for _, line := range lines[max(0, len(lines)-maxTailLines):] {
		if line = strings.TrimRight(line, "\r"); line != "" || len(lines) > 1 {
			out += "\n  " + line
		}
	}
	return out
}
