package log

// Kind says which event a record describes.
type Kind uint8

const (
	Start        Kind = iota // Job starts on the slots given by Alloc; Code, Other, X and Y say why
	Finish                   // Job finishes
	Suspend                  // Job is suspended; Code and X say why
	Resume                   // Job resumes on the slots it had; Code and X say why
	RateChange               // Job's rate of progress becomes the float64 whose bits X holds
	Promise                  // Job is promised to start by X
	Move                     // Job's planned start moves from X to Y; Code and Other say why
	Hold                     // Job waits; from now on, Code, Other, X and Y are the reason
	Slice                    // a time slice of virtual machine View begins (X = 1) and will end at Y, or ends (X = 0)
	Size                     // Code explains the size of Job, which just started; its last processor saves X µs of runtime, one more would save Y µs
	Resize                   // the planned size of the waiting Job changes from X to Y processors; X = 0 means that no size was planned before
	Effort                   // the policy has examined X profile steps so far while compressing its plan
	Fair                     // the fair start time of Job, as of its submission, is X
	SetTried                 // a search adds Job to its kept set number X (0: the empty set); Code says why it keeps or rejects the new set; job Other, if any, would start after Y, its latest allowed start
	Scored                   // with the last kept set, waiting jobs start a total of X s after their fair starts, and Y s before them
	Choice                   // after trying Y sets, the policy starts set X (0: none) for the reason Code; fair-slack numbers only kept sets
	Group                    // Job joins the group of primary job Other; Code is its case (CaseJoin, ...); the group of Y jobs gains X millionths
	PrimaryTried             // Job is tried as the primary of a group; Code is its case (CaseJoin, ...); Job has or needs X nodes, and Y nodes are free
	Candidate                // Code says whether Job suits the primary Other; on shared nodes, Job would take X/1e6 times as long, and the primary Y/1e6 times
	Member                   // Job belongs to set X, which the next Gains record describes
	Gains                    // set X of jobs for the primary Job gains Y millionths; Code says how the set was formed or why it is rejected
	Purge                    // Job is removed from set X, which then gains Y millionths
	GroupVerdict             // set X with the primary Job is fair, or Code says why it cannot start: Other would end more than Y s after its submission, or the set needs Y nodes
	OutageEdge               // outage number Y of the machine begins (X = 1) or ends (X = 0)
	kinds
)

// Level selects how much a log records. Each level includes the previous ones. The zero Level is
// Spans.
type Level int8

const (
	Starts    Level = iota - 1 // starts and finishes, without slots; see sim.Config.LeastLevel
	Spans                      // also slots and everything that changes a running job
	Decisions                  // also reasons, promises and decisions
	Full                       // also every move of a planned start, and every step of a search
)

// KindInfo describes a kind of record.
type KindInfo struct {
	Name    string // as in text logs, such as "start"
	Level   Level  // lowest level at which a log contains such records
	Attempt bool   // describes an attempt of a search, not an event in the history of the job
}

// Kinds describes every kind of record. The codec and the documentation use it.
var Kinds = [kinds]KindInfo{
	Start:        {Name: "start", Level: Starts},
	Finish:       {Name: "finish", Level: Starts},
	Suspend:      {Name: "suspend", Level: Spans},
	Resume:       {Name: "resume", Level: Spans},
	RateChange:   {Name: "rate", Level: Spans},
	Promise:      {Name: "promise", Level: Decisions},
	Move:         {Name: "move", Level: Full},
	Hold:         {Name: "hold", Level: Decisions},
	Slice:        {Name: "slice", Level: Spans},
	Size:         {Name: "size", Level: Decisions},
	Resize:       {Name: "resize", Level: Full},
	Effort:       {Name: "effort", Level: Decisions},
	Fair:         {Name: "fair", Level: Decisions},
	SetTried:     {"node", Full, true},
	Scored:       {Name: "scored", Level: Full},
	Choice:       {Name: "choice", Level: Decisions},
	Group:        {Name: "group", Level: Decisions},
	PrimaryTried: {"form", Full, true},
	Candidate:    {"candidate", Full, true},
	Member:       {"member", Full, true},
	Gains:        {"gains", Full, true},
	Purge:        {"purge", Full, true},
	GroupVerdict: {"judge", Full, true},
	OutageEdge:   {Name: "block", Level: Spans},
}
