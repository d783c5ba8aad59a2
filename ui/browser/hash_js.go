//go:build js && wasm

package browser

import (
	"fmt"

	js "github.com/hack-pad/safejs"
)

// SHA256 computes the SHA-256 hash of the data written to it, in a worker. It calls a JavaScript library in the
// worker's script, because this library is a tenth of the size of crypto/sha256.
type SHA256 struct{ v js.Value }

// NewSHA256 starts the computation of a hash.
func NewSHA256() *SHA256 {
	v, err := js.Global().Call("labHash")
	if err != nil {
		panic(err) // this cannot happen in a worker, whose script defines labHash
	}
	return &SHA256{v}
}

// Write adds data to the hash.
func (h *SHA256) Write(data []byte) (int, error) {
	part, err := toBytes(data)
	if err == nil {
		_, err = h.v.Call("update", part)
	}
	return len(data), err
}

// Hex returns the hash in hexadecimal digits. No data can be written afterwards.
func (h *SHA256) Hex() (string, error) {
	sum, err := h.v.Call("digest")
	if err != nil {
		return "", err
	}
	data, err := fromBytes(sum, nil)
	return fmt.Sprintf("%x", data), err
}
