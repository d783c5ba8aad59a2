package swf

import (
	"fmt"
	"math"
	"strconv"
)

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// skipBlank returns the index in b of the first byte from b[i] on that is not a blank, or len(b) if
// there is none.
func skipBlank(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

// parseRecord parses a line b with 18 fields. The first field begins at index i. It parses short
// whole numbers, which most fields are, without copying.
func (p *parser) parseRecord(b []byte, i int) error {
	p.cut = false
	for f := range Fields {
		if i == len(b) {
			return p.errorAt(-1, fmt.Sprintf("%d fields", Fields), fmt.Sprint(int(f)))
		}
		start := i
		negative := b[i] == '-'
		if negative {
			i++
		}
		digits := i
		var v int64
		for i < len(b) && b[i]-'0' <= 9 {
			v = v*10 + int64(b[i]-'0')
			i++
		}
		if negative {
			v = -v
		}
		if n := i - digits; n == 0 || n > 18 || i < len(b) && !isBlank(b[i]) {
			var err error
			if v, i, err = p.parseDecimal(f, b, start); err != nil {
				return err
			}
		}
		p.rec[f] = v
		i = skipBlank(b, i)
	}
	if i < len(b) {
		p.sum.LongLines.add(p.sum.Lines)
	}
	if p.cut {
		p.sum.DecimalsCut.add(p.sum.Lines)
	}
	return p.checkSizes()
}

// checkSizes returns an error for a processor count below -1. The value -1 means unknown.
func (p *parser) checkSizes() error {
	for _, f := range [2]Field{AllocatedProcs, RequestedProcs} {
		if v := p.rec[f]; v < unknown {
			return p.errorAt(f, "a count, or -1 for unknown", strconv.FormatInt(v, 10))
		}
	}
	return nil
}

// parseDecimal parses a number with decimals or an exponent, which begins at index start. It
// returns the integer part of the number, and the index after the number.
func (p *parser) parseDecimal(f Field, b []byte, start int) (int64, int, error) {
	end := start
	for end < len(b) && !isBlank(b[end]) {
		end++
	}
	word := string(b[start:end])
	v, err := strconv.ParseFloat(word, 64)
	if numErr, ok := err.(*strconv.NumError); ok && numErr.Err == strconv.ErrRange {
		err, v = nil, math.Inf(1)
	}
	if err != nil || math.IsNaN(v) || !plainWord(word) {
		return 0, end, p.errorAt(f, "a number", quote(word))
	}
	if math.Abs(v) >= 1e18 {
		return 0, end, p.errorAt(f, "a number below 10^18", quote(word))
	}
	p.cut = p.cut || v != math.Trunc(v) && usedByJobs(f)
	return int64(v), end, nil
}

// usedByJobs reports whether field f affects the jobs made from a record.
func usedByJobs(f Field) bool {
	switch f {
	case Submit, Runtime, AllocatedProcs, RequestedProcs, RequestedTime:
		return true
	}
	return false
}

// plainWord reports whether a word contains only digits, signs, decimal points and exponents.
// Without this check, ParseFloat would accept hexadecimal digits, "inf" and underscores.
func plainWord(word string) bool {
	for _, c := range []byte(word) {
		switch {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return false
		}
	}
	return true
}

// quote returns the first 24 bytes of a word in quotes, for an error message.
func quote(word string) string {
	const maxBytes = 24
	if len(word) > maxBytes {
		return strconv.Quote(word[:maxBytes]) + "..."
	}
	return strconv.Quote(word)
}
