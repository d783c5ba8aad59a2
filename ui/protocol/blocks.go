package protocol

// Block is processors that are not there for a while.
type Block struct {
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Procs int    `json:"procs"`
	Label string `json:"label,omitempty"`
}
