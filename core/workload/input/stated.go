package input

import (
	"encoding/binary"
	"io"
)

// Stated returns the length of the text in a source of size bytes as the source states it,
// without reading the text: gzip data ends with the length of its text. It fails with
// ErrTooLarge where that is too much and there is no gzip data. sure is false where gzip
// data may hold more than it states, since it has several parts, or cannot hold so much,
// since it was cut short or is a bomb.
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

// readAt fills p; what the source does not have stays as it was.
func readAt(r io.ReaderAt, p []byte, off int64) error {
	_, err := r.ReadAt(p, off)
	if err == io.EOF {
		return nil
	}
	return err
}
