package swf_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"backfill-lab/core/workload/internal/reference"
	"backfill-lab/core/workload/swf"
)

// HPC2N: 203,000 lines, 19 MB of text.
func BenchmarkHPC2N(b *testing.B) {
	packed := reference.File(b, "traces/HPC2N-2002-2.1-cln.swf.gz")
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		b.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("plain", func(b *testing.B) { parse(b, plain) })
	b.Run("gzip", func(b *testing.B) { parse(b, packed) })
}

func parse(b *testing.B, data []byte) {
	b.ReportAllocs()
	for b.Loop() {
		var work int64
		_, err := swf.Each(bytes.NewReader(data), swf.Options{}, func(_ int, r *swf.Record) error {
			work += r[swf.Runtime] * r[swf.AllocatedProcs]
			return nil
		})
		if err != nil || work == 0 {
			b.Fatal(err, work)
		}
	}
}
