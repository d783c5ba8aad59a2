//go:build linux

package main

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// hostileInput is an input that tries to exhaust memory, to keep the program busy forever, or to make it
// accept invalid data.
type hostileInput struct {
	name string
	file string        // name of the file, or "" if only the flags are hostile
	data func() []byte // returns the content of the file
	size int64         // size of the file in bytes if zeros follow the data, otherwise 0
	args string        // arguments of the command, with FILE for the file; "" means run
	want string        // part of the expected message of the command; "" if only the page reads the input
	page string        // part of the expected message of the page, or "" if it equals want; noPage if the browser tests omit it
}

// noPage marks an input that the browser tests do not open on the page. For example, the input
// consists of flags, is too large for these tests, or is invalid only with the flags in args.
const noPage = "-"

// constant returns a function that returns the text s.
func constant(s string) func() []byte { return func() []byte { return []byte(s) } }

// repeated returns a function that returns the prefix, then n copies of part, and then the suffix.
func repeated(prefix, part string, n int, suffix string) func() []byte {
	return func() []byte { return []byte(prefix + strings.Repeat(part, n) + suffix) }
}

// numbered is like repeated, but replaces %d in each copy of part with the number of the copy,
// starting at 0.
func numbered(prefix, part string, n int, suffix string) func() []byte {
	return func() []byte {
		var b bytes.Buffer
		b.WriteString(prefix)
		for i := range n {
			b.WriteString(strings.ReplaceAll(part, "%d", strconv.Itoa(i)))
		}
		b.WriteString(suffix)
		return b.Bytes()
	}
}

// gzipRepeated returns a function that returns the prefix and n copies of part, compressed with
// gzip.
func gzipRepeated(prefix, part string, n int) func() []byte {
	return func() []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		_, _ = z.Write([]byte(prefix)) // writing to memory cannot fail
		block := []byte(strings.Repeat(part, 1<<20/max(len(part), 1)))
		for left := n * len(part); left > 0; left -= len(block) {
			_, _ = z.Write(block[:min(left, len(block))])
		}
		_ = z.Close()
		return b.Bytes()
	}
}

// These are parts of a valid scenario.
const (
	aJob    = `{"id":"1","submit":0,"procs":2,"estimate":9,"runtime":5}`
	aPolicy = `{"name":"easy"}`
)

// scenarioWith returns a function that returns a valid scenario with one part replaced. The part is
// given by its key in the map below.
func scenarioWith(part, replacement string) func() []byte {
	return func() []byte {
		parts := map[string]string{"machine": `{"nodes":8}`, "jobs": "[" + aJob + "]", "policies": "[" + aPolicy + "]", "more": ""}
		parts[part] = replacement
		return fmt.Appendf(nil, `{"version":1,"machine":%s,"workload":{"jobs":%s},"policies":%s%s}`, parts["machine"], parts["jobs"], parts["policies"], parts["more"])
	}
}

// list returns a JSON list with n copies of item. In each copy, %d is replaced with a different number
// from 0 to n-1.
func list(item string, n int) string {
	return string(numbered("[", item+",", n-1, "")()) + strings.ReplaceAll(item, "%d", "0") + "]"
}

// linkTo returns a function that returns the fragment of a link to a scenario. After the scenario,
// a link normally contains the columns of the jobs. This link contains the given numbers instead.
func linkTo(scenario func() []byte, numbers ...uint64) func() []byte {
	return func() []byte {
		text := scenario()
		form := append(binary.AppendUvarint(nil, uint64(len(text))), text...)
		for _, n := range numbers {
			form = binary.AppendUvarint(form, n)
		}
		return []byte("#v=1&s=" + deflate(form))
	}
}

// deflate compresses data and encodes it in base64, as in a link to a scenario.
func deflate(data []byte) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression)
	_, _ = z.Write(data)
	_ = z.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// For each format, these are the first lines of a valid file, and a line that describes a job.
const (
	swfHead   = "; MaxProcs: 8\n"
	swfJob    = "1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n"
	csvHead   = "id,submit,procs,estimate,runtime\n"
	csvJob    = "1,0,2,9,5\n"
	slurmHead = "JobID|State|Submit|Start|End|Elapsed|AllocCPUS\n"
	slurmJob  = "1|COMPLETED|2024-03-01T08:00:00|2024-03-01T08:00:05|2024-03-01T08:01:05|00:01:00|2\n"
	logHead   = "backfill-lab log 1\nmachine: nodes=8 processors=1 cores=1 jobs-per-node=0\n"
	logJob    = "jobs 1\n1 submit=0 procs=2 estimate=9 runtime=5\n"
	jobsHead  = "job,submit,start,finish,procs,runtime\n"
	escape    = "\u009b2J\u202e" // a terminal control sequence beyond ASCII, and a change of text direction
)
