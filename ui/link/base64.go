package link

import (
	"errors"
	"strings"
)

// Base64url without padding, as encoding/base64 has it; that one's tables, modes
// and streams would weigh 5 KB of the download.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func encode64(data []byte) string {
	out := make([]byte, 0, (len(data)*4+2)/3)
	var v uint32
	bits := 0
	for _, b := range data {
		v, bits = v<<8|uint32(b), bits+8
		for ; bits >= 6; bits -= 6 {
			out = append(out, letters[v>>(bits-6)&63])
		}
	}
	if bits > 0 {
		out = append(out, letters[v<<(6-bits)&63])
	}
	return string(out)
}

var errLetters = errors.New("it holds characters that no link has, or was cut")

func decode64(text string) ([]byte, error) {
	if len(text)%4 == 1 {
		return nil, errLetters
	}
	out := make([]byte, 0, len(text)*3/4)
	var v uint32
	bits := 0
	for i := range len(text) {
		d := strings.IndexByte(letters, text[i])
		if d < 0 {
			return nil, errLetters
		}
		if v, bits = v<<6|uint32(d), bits+6; bits >= 8 {
			bits -= 8
			out = append(out, byte(v>>bits))
		}
	}
	return out, nil
}
