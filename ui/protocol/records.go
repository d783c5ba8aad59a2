package protocol

// RecordsChoice is what of accounting records is read.
type RecordsChoice struct {
	Partition string   `json:"partition,omitempty"` // only the jobs of this one; empty for all
	Unit      string   `json:"unit"`                // what a processor is: cpus or nodes
	Resources []string `json:"resources,omitempty"` // which of those of jobs the machine has
}

// Records is what accounting records tell of the machine that they come from, and
// what was made of it. Machine and its resources are as large as they tell.
type Records struct {
	RecordsChoice
	Partitions []Partition `json:"partitions,omitempty"`
	Uses       []Use       `json:"uses,omitempty"`
	Size       string      `json:"size"`               // why the machine has its size, in a sentence
	Happened   string      `json:"happened,omitempty"` // how long the jobs waited on the real machine, in a sentence
}

// Partition is one that records name, and in how many records.
type Partition struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
}

// Use is a resource that jobs have beside processors.
type Use struct {
	Name  string `json:"name"`
	Jobs  int    `json:"jobs"`  // that have some of it
	Least int64  `json:"least"` // that a machine for them has
}
