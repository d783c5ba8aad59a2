package gantt

import (
	"encoding/binary"
	"math"

	"backfill-lab/core/job"
)

// Stride is the number of little-endian float64 values that Encode writes for each piece:
//
//	0  from    seconds
//	1  to      seconds
//	2  lane0   first lane
//	3  lane1   lane after the last
//	4  job     index of the job; in a bin the number of spans
//	5  flags   Flags + 256 x (part + PartStride x parts); in a bin Flags + 256 x busy, where busy is 0 to 255
//
// The values part, parts and busy are fields of Piece.
//
// In View.Pieces, bins come first, then jobs in order of start. If the page draws pieces in this
// order, jobs appear in front of bins.
const Stride = 6

// PartStride is the factor by which Encode multiplies Piece.Parts, to store it in the same number
// as other properties.
const PartStride = 1 << 22

// Encode appends the pieces of v to dst.
func (v *View) Encode(dst []byte) []byte { return Encode(v.Pieces, dst) }

// Encode appends the pieces to dst. Each piece takes Stride numbers.
func Encode(pieces []Piece, dst []byte) []byte {
	for i := range pieces {
		p := &pieces[i]
		jobOrCount, more := float64(p.Job), int64(p.Part)+PartStride*int64(p.Parts)
		if p.Flags&Bin != 0 {
			jobOrCount, more = float64(p.Count), int64(p.Busy)
		}
		dst = appendNumbers(dst, float64(p.From), float64(p.To), float64(p.Lane0), float64(p.Lane1), jobOrCount, float64(int64(p.Flags)+256*more))
	}
	return dst
}

// EncodePaces appends three numbers for each piece of v to dst: the rate of the job, the first
// other job on its nodes, and the number of such jobs. The last number is -1 if the rate is a mean.
// EncodePaces appends nothing if all jobs run at full speed without sharing nodes.
func (v *View) EncodePaces(dst []byte) []byte {
	if len(v.Paces) < 2 {
		return dst
	}
	for i := range v.Pieces {
		x := &v.Paces[v.Pieces[i].Pace]
		others := x.Others
		if x.Mean {
			others = -1
		}
		dst = appendNumbers(dst, x.Rate, float64(x.FirstOther), float64(others))
	}
	return dst
}

// EncodeClasses appends two numbers for each piece of v to dst: its class, and the number that
// valueOf returns for its job. For a bin, the second number is NaN. It appends nothing if the view
// has no classes.
func (v *View) EncodeClasses(valueOf func(job.Index) float64, dst []byte) []byte {
	if v.Query.JobClasses.ClassOf == nil {
		return dst
	}
	for i := range v.Pieces {
		p := &v.Pieces[i]
		x := math.NaN()
		if p.Flags&Bin == 0 && p.Job >= 0 {
			x = valueOf(p.Job)
		}
		dst = appendNumbers(dst, float64(p.Class), x)
	}
	return dst
}

// Decode returns the pieces that Encode wrote. Only tests use it, because the page decodes in
// JavaScript.
func Decode(data []byte) []Piece {
	pieces := make([]Piece, 0, len(data)/(8*Stride))
	for ; len(data) >= 8*Stride; data = data[8*Stride:] {
		at := func(k int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(data[8*k:])) }
		last := int64(at(5))
		more := last >> 8
		p := Piece{From: job.Time(at(0)), To: job.Time(at(1)), Lane0: int32(at(2)), Lane1: int32(at(3)),
			Job: job.Index(at(4)), Flags: Flags(last & 255)}
		if p.Flags&Bin != 0 {
			p.Job, p.Count, p.Busy = job.None, int32(at(4)), uint8(more)
		} else {
			p.Part, p.Parts = int32(more%PartStride), int32(more/PartStride)
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// appendNumbers appends numbers to dst as little-endian float64.
func appendNumbers(dst []byte, xs ...float64) []byte {
	for _, x := range xs {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
	}
	return dst
}
