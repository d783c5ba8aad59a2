package log

// Kind says what a record tells.
type Kind uint8

const (
	Start     Kind = iota // Job starts on its allocation; Code, Other, X, Y say why
	Finish                // Job is done
	Suspend               // Job is taken off its slots
	Resume                // Job goes on, on the slots it had
	Reprice               // Job's progress per second becomes the float64 with the bits X
	Promise               // Job is promised a start no later than X
	Move                  // Job's planned start moves from X to Y because of Other
	Hold                  // Job waits from now on; Code, Other, X, Y say why
	Slice                 // View begins its slice (X = 1), which is to end at Y, or ends it (X = 0)
	Size                  // Job, which has just started, is as wide as it is because of Code; its last processor saves X, one more would save Y
	Resize                // the size of the waiting Job goes from X processors to Y; 0 is none yet
	Effort                // the policy has looked at X profile steps to compress its plan
	Fair                  // the fair start time of Job, found at its submission, is X
	Node                  // a search tries the set kept as number X, and Job with it; Code says whether that set is kept or why not, Other whose start would be too late, Y its latest start
	Scored                // with the set kept last, waiting jobs start X s after their fair starts in all, and Y s before
	Choice                // of Y sets tried, the one kept as number X starts, for the reason Code; 0 is none
	Group                 // Job is matched with the primary job Other, by the case Code; of the Y jobs matched, the gain is X millionths
	Form                  // Job is tried as the primary of a group, by the case Code; it has or needs X nodes, and Y are free
	Candidate             // Job could be matched with the primary job Other, or Code says why not; next to it Job is slowed down X millionths, and the primary Y by it
	Member                // Job is in the set X that is told next
	Gains                 // the set X of jobs matched with Job gains Y millionths; Code says how it was made, or why it is not kept
	Purge                 // Job is taken out of the set X, which then gains Y millionths
	Judge                 // the set X, in which the primary is Job, is fair, or Code says why it does not start: Other would end later than Y s after its submission, or it needs Y nodes
	Block                 // the block number Y of the machine begins (X = 1) or ends (X = 0)
	kinds
)

// Level says how much is recorded; each level holds those before it.
type Level uint8

const (
	Spans     Level = iota // starts, ends and what lies between
	Decisions              // and the reasons and promises
	Full                   // and every move
)

// KindInfo describes a kind of record.
type KindInfo struct {
	Name  string
	Level Level
	Tried bool // it tells of what was only tried, not of the life of its job
}

// Kinds is the table of record kinds; codec and documentation read it.
var Kinds = [kinds]KindInfo{
	Start:     {Name: "start", Level: Spans},
	Finish:    {Name: "finish", Level: Spans},
	Suspend:   {Name: "suspend", Level: Spans},
	Resume:    {Name: "resume", Level: Spans},
	Reprice:   {Name: "rate", Level: Spans},
	Promise:   {Name: "promise", Level: Decisions},
	Move:      {Name: "move", Level: Full},
	Hold:      {Name: "hold", Level: Decisions},
	Slice:     {Name: "slice", Level: Spans},
	Size:      {Name: "size", Level: Decisions},
	Resize:    {Name: "resize", Level: Full},
	Effort:    {Name: "effort", Level: Decisions},
	Fair:      {Name: "fair", Level: Decisions},
	Node:      {"node", Full, true},
	Scored:    {Name: "scored", Level: Full},
	Choice:    {Name: "choice", Level: Decisions},
	Group:     {Name: "group", Level: Decisions},
	Form:      {"form", Full, true},
	Candidate: {"candidate", Full, true},
	Member:    {"member", Full, true},
	Gains:     {"gains", Full, true},
	Purge:     {"purge", Full, true},
	Judge:     {"judge", Full, true},
	Block:     {Name: "block", Level: Spans},
}
