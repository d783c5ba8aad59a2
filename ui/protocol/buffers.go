package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"backfill-lab/core/job"
)

// EncodeRows encodes the table row of each job, by job index, as little-endian int32. Messages of kind ran
// contain this buffer.
func EncodeRows(rows []int32) []byte {
	buf := make([]byte, 0, 4*len(rows))
	for _, r := range rows {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(r))
	}
	return buf
}

// DecodeRows decodes a buffer that EncodeRows returned. It returns nil if there is no buffer; the row of each
// job then equals its index.
func DecodeRows(bufs [][]byte) []int32 {
	if len(bufs) == 0 {
		return nil
	}
	rows := make([]int32, len(bufs[0])/4)
	for i := range rows {
		rows[i] = int32(binary.LittleEndian.Uint32(bufs[0][4*i:]))
	}
	return rows
}

// EncodeTimes encodes columns of times, one after the other, as little-endian float64. NaN stands
// for job.Never.
func EncodeTimes(columns ...[]job.Time) []byte {
	var buf []byte
	for _, c := range columns {
		for _, t := range c {
			f := float64(t)
			if t == job.Never {
				f = math.NaN()
			}
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f))
		}
	}
	return buf
}

// DecodeTimes decodes a buffer that EncodeTimes made from n columns. It returns nil if the length of the
// buffer is not a multiple of 8n bytes.
func DecodeTimes(buf []byte, n int) [][]job.Time {
	if n < 1 || len(buf)%(8*n) != 0 {
		return nil
	}
	columns := make([][]job.Time, n)
	length := len(buf) / (8 * n)
	for c := range columns {
		columns[c] = make([]job.Time, length)
		for i := range columns[c] {
			f := math.Float64frombits(binary.LittleEndian.Uint64(buf[8*(c*length+i):]))
			columns[c][i] = job.Time(f)
			if math.IsNaN(f) {
				columns[c][i] = job.Never
			}
		}
	}
	return columns
}

// EncodeTexts packs texts into a buffer: for each text its length as a uvarint, then its bytes.
func EncodeTexts(list []string) []byte {
	var out []byte
	for _, t := range list {
		out = append(binary.AppendUvarint(out, uint64(len(t))), t...)
	}
	return out
}

// DecodeTexts decodes a buffer that EncodeTexts returned. bufs must contain exactly this buffer.
func DecodeTexts(bufs [][]byte) (list []string, err error) {
	if len(bufs) != 1 {
		return nil, fmt.Errorf("rename: expected 1 buffer of names, got %d", len(bufs))
	}
	for data := bufs[0]; len(data) > 0; {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, errors.New("rename: expected a buffer of names, each preceded by its length, got a truncated buffer")
		}
		data = data[size:]
		list, data = append(list, string(data[:n])), data[n:]
	}
	return list, nil
}
