package input

import (
	"encoding/binary"
	"io"
)

// Stated returns the length of the text in a source of size bytes without reading the text.
// Gzip data ends with that length. It returns ErrTooLarge for plain text that is too long.
// Sure is false if the length in gzip data may be wrong: the data has several parts, is
// truncated, or is a bomb.
func Stated(r io.ReaderAt, size int64, o Options) (text int64, sure bool, err error) {
	b := bounded{source: &watched{n: size}, n: size, max: o.MaxBytes}
	if b.max <= 0 {
		b.max = DefaultMaxBytes
	}
	var word [4]byte
	if err := readAt(r, word[:2], 0); err != nil {
		return 0, false, err
	}
	if b.packed = word[0] == 0x1f && word[1] == 0x8b; !b.packed {
		if size > b.max {
			return size, true, b.tooLarge()
		}
		return size, true, nil
	}
	if err := readAt(r, word[:], max(size-4, 0)); err != nil {
		return 0, false, err
	}
	text = int64(binary.LittleEndian.Uint32(word[:]))
	return text, size <= text && text <= b.most(), nil
}

// readAt fills p. If the source is shorter, the rest of p stays unchanged.
func readAt(r io.ReaderAt, p []byte, off int64) error {
	_, err := r.ReadAt(p, off)
	if err == io.EOF {
		return nil
	}
	return err
}
