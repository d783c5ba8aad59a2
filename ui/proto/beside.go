package proto

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
