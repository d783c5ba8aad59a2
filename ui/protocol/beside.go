package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Beside asks to set the schedule of a file beside the results, in the place of an
// earlier one. Without a file and without a buffer that one is taken away.
type Beside struct {
	Name    string         `json:"name"`
	Records *RecordsChoice `json:"records,omitempty"` // of accounting records, the ones that are at hand
}

// Aside is what there is to say of the schedule of a file.
type Aside struct {
	Name  string   `json:"name"`
	Unfit string   `json:"unfit,omitempty"` // why it is not among the results: it is of other jobs
	Notes []string `json:"notes,omitempty"`
}

// Starts is the field of a fault about a table that lacks columns of jobs, but tells
// when jobs started.
const Starts = "start"

// Rename has the external schedule follow a scenario that was anonymised: from the next
// run on it has the new names of the buffer, old and new by turns, and no file name.
// Without Anonymous it has its own names again.
type Rename struct {
	Anonymous bool  `json:"anonymous,omitempty"`
	Earlier   int64 `json:"earlier,omitempty"` // by how many seconds submissions moved towards 0
	Drop      bool  `json:"drop,omitempty"`    // the worker forgets the schedule
}

// Texts packs texts into a buffer, each behind its length.
func Texts(list []string) []byte {
	var out []byte
	for _, t := range list {
		out = append(binary.AppendUvarint(out, uint64(len(t))), t...)
	}
	return out
}

// TextsOf unpacks the texts of the only buffer of a message.
func TextsOf(bufs [][]byte) (list []string, err error) {
	if len(bufs) != 1 {
		return nil, fmt.Errorf("rename: expected 1 buffer of names, got %d", len(bufs))
	}
	for data := bufs[0]; len(data) > 0; {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, errors.New("rename: expected names behind their lengths, got a buffer that is cut short")
		}
		data = data[size:]
		list, data = append(list, string(data[:n])), data[n:]
	}
	return list, nil
}
