//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// These are the limits for one run of the command on a hostile input.
const (
	maxSeconds = 2.0
	maxMB      = 1024
)

// buildCommand builds the command and returns the name of the executable.
func buildCommand(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "backfill")
	out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return name
}

// TestHostile runs the command on each hostile input in a separate process. The command must reject
// the input with a message, quickly and with little memory, and must not create a file.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	program := buildCommand(t)
	seen, ran := map[string]bool{}, 0
	var longestSeconds, largestMB float64
	var slowest, largest string // names of the inputs
	for i := range hostileInputs {
		h := &hostileInputs[i]
		key := h.name + " " + h.file
		require.False(t, seen[key], "%s: listed twice", key)
		seen[key] = true
		if h.want == "" {
			continue // only the page reads it
		}
		ran++
		t.Run(key, func(t *testing.T) {
			message, seconds, mb, code := h.process(t, program)
			require.Contains(t, message, h.want)
			require.Contains(t, []int{1, 2}, code)
			require.True(t, strings.HasPrefix(message, "backfill: "), message)
			require.Less(t, len(message), 4096, "length of the message")
			require.NotContains(t, message, "\x1b")
			require.NotContains(t, message, "\u202e")
			for try := 1; try < 3 && seconds >= maxSeconds; try++ { // other programs make this one slower
				_, again, _, _ := h.process(t, program)
				seconds = min(seconds, again)
			}
			require.Less(t, seconds, maxSeconds)
			require.Less(t, mb, float64(maxMB))
			if seconds > longestSeconds {
				longestSeconds, slowest = seconds, key
			}
			if mb > largestMB {
				largestMB, largest = mb, key
			}
		})
	}
	t.Logf("%d inputs, %d of them for the command; the slowest: %.2f s (%s), the most memory: %.0f MB (%s)", len(hostileInputs), ran, longestSeconds, slowest, largestMB, largest)
	require.GreaterOrEqual(t, len(hostileInputs), 150)
}

// process runs the command on the input in a new folder. The command must not create files in this
// folder. process returns the message, the time, the peak memory and the exit code. The time is the
// smaller of wall-clock time and processor time, because other programs may run too.
func (h *hostileInput) process(t *testing.T, program string) (message string, seconds, mb float64, code int) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("good.csv", csvHead+csvJob)
	write("beside.json", `{"version":1,"machine":{"nodes":8},"workload":{"file":"pipe"},"policies":[{"name":"easy"}]}`)
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	if h.file != "" {
		h.writeFile(t, filepath.Join(dir, h.file))
	}
	before := fileNames(t, dir)
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 8000000; exec "$0" "$@"`, program}, h.arguments()...)...)
	var out bytes.Buffer
	c.Dir, c.Stderr, c.Env = dir, &out, append(os.Environ(), "GOGC=100")
	start := time.Now()
	require.NoError(t, c.Start())
	ended, peak := make(chan struct{}), make(chan float64)
	go func() { peak <- peakMB(c.Process.Pid, ended) }()
	_ = c.Wait() // the caller checks the exit code
	took := time.Since(start)
	close(ended)
	s := c.ProcessState
	require.Equal(t, before, fileNames(t, dir), "files")
	return out.String(), min(took, s.UserTime()+s.SystemTime()).Seconds(), <-peak, s.ExitCode()
}

// peakMB returns the peak resident memory of a process in MB. It polls while the process runs, because
// the value that the system reports afterwards includes memory of this test.
func peakMB(pid int, ended <-chan struct{}) (mb float64) {
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
			var kb float64
			if _, err := fmt.Sscan(string(rest), &kb); err == nil {
				mb = max(mb, kb/1024)
			}
		}
		select {
		case <-ended:
			return mb
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// fileNames returns the names of the files in a folder.
func fileNames(t *testing.T, dir string) (out []string) {
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range list {
		out = append(out, f.Name())
	}
	return out
}

// writeFile writes the content of the input to a file.
func (h *hostileInput) writeFile(t *testing.T, name string) {
	require.NoError(t, os.WriteFile(name, h.data(), 0o600))
	if h.size > 0 {
		require.NoError(t, os.Truncate(name, h.size))
	}
}

// arguments returns the arguments of the command.
func (h *hostileInput) arguments() (out []string) {
	args := h.args
	if args == "" {
		args = "run -in FILE -jobs out.csv -metrics out.json"
		if !strings.Contains(h.file, ".json") {
			args += " -policy easy"
		}
		if strings.Contains(h.file, ".csv") || strings.Contains(h.file, ".sacct") {
			args += " -nodes 8"
		}
	}
	for _, word := range strings.Fields(args) {
		out = append(out, strings.ReplaceAll(word, "FILE", h.file))
	}
	return out
}

// TestEmitHostile writes the hostile inputs for the page, and a list of them (inputs.json), for the browser
// tests. The variable BACKFILL_HOSTILE names the folder.
func TestEmitHostile(t *testing.T) {
	folder := os.Getenv("BACKFILL_HOSTILE")
	if folder == "" {
		t.Skip("writes files only if BACKFILL_HOSTILE is set")
	}
	type input struct {
		Name string `json:"name"`
		Kind string `json:"kind"` // file or link
		File string `json:"file"`
		Want string `json:"want"`
	}
	var all []input
	require.NoError(t, os.MkdirAll(folder, 0o755))
	for i := range hostileInputs {
		h := &hostileInputs[i]
		if h.page == noPage {
			continue
		}
		in := input{h.name, "file", h.file, h.page}
		if in.Want == "" {
			in.Want = h.want
		}
		if h.file == "" {
			in.Kind, in.File = "link", fmt.Sprintf("link%d.txt", i)
		}
		h = &hostileInput{data: h.data, size: h.size}
		h.writeFile(t, filepath.Join(folder, in.File))
		all = append(all, in)
	}
	data, err := json.MarshalIndent(all, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "inputs.json"), data, 0o600))
	t.Logf("%d inputs for the page", len(all))
}
