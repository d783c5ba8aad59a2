package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Beside asks to add an external schedule, read from a file, to the results. It replaces an
// earlier one. Without a file and without a buffer it removes the external schedule.
type Beside struct {
	Name    string         `json:"name"`
	Records *RecordsChoice `json:"records,omitempty"` // how to read accounting records: as for the current jobs
}

// Aside describes the external schedule.
type Aside struct {
	Name  string   `json:"name"`
	Unfit string   `json:"unfit,omitempty"` // why it is not among the results: its jobs differ
	Notes []string `json:"notes,omitempty"`
}

// Starts is the Fault.Field for a table that is not a workload but has a column of start
// times.
const Starts = "start"

// Rename makes the external schedule follow the anonymisation of a scenario. From the next
// run on, it uses the new names in the buffer (old and new names alternate) and hides its
// file name. Without Anonymous it shows its own names again.
type Rename struct {
	Anonymous bool  `json:"anonymous,omitempty"`
	Earlier   int64 `json:"earlier,omitempty"` // seconds by which submissions moved towards 0
	Drop      bool  `json:"drop,omitempty"`    // remove the external schedule
}

// Texts packs texts into a buffer. Each text follows its length, a uvarint.
func Texts(list []string) []byte {
	var out []byte
	for _, t := range list {
		out = append(binary.AppendUvarint(out, uint64(len(t))), t...)
	}
	return out
}

// TextsOf unpacks the texts in the only buffer of a message.
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
