package glossary

// English lists the terms in English. The table "Words" of docs/guide.md lists the same terms.
var English = []Entry{
	{"submit", "the job enters the queue", nil},
	{"processors", "how many processors the job needs at the same time", nil},
	{"estimate", "runtime that the user requests; the policy knows only this", []string{"estimate", "estimates", "estimated"}},
	{"runtime", "actual runtime; only the simulation knows it", []string{"runtime", "runtimes"}},
	{"wait", "time from submission to start", nil},
	{"response time", "time from submission to end", []string{"response time", "response times"}},
	{"backfill", "to start a job before jobs that are ahead of it in the queue, on processors that they cannot use yet", []string{"backfill", "backfills", "backfilled", "backfilling"}},
	{"reservation", "the planned start of a waiting job", []string{"reservation", "reservations"}},
	{"promise", "a reservation that the policy never delays", []string{"promise", "promises", "promised"}},
	{"shadow time", "the earliest time at which the first job in the queue can start, according to the estimates", []string{"shadow time"}},
	{"slack", "how much later than first planned a waiting job may start", []string{"slack"}},
	{"compression", "to move planned starts earlier, into processors that became free", []string{"compression", "compress", "compresses"}},
	{"preempt", "to stop a running job, which resumes later", []string{"preempt", "preempts", "preempted", "preemption"}},
	{"moldable", "can run on different numbers of processors; the policy selects one before the start", []string{"moldable"}},
	{"fragmentation", "processors stay free although jobs wait, because no waiting job can or may use them", []string{"fragmentation"}},
	{"outage", "processors are unavailable for a time that is known in advance", []string{"outage", "outages"}},
	{"utilization", "the time that processors are busy, as a share of the time that they are available", []string{"utilization"}},
	{"makespan", "time from the first submission to the last end", []string{"makespan"}},
	{"slowdown", "time in the system divided by runtime", []string{"slowdown", "slowdowns"}},
	{"bounded slowdown", "slowdown that counts a very short runtime as 10 s", []string{"bounded slowdown", "bounded slowdowns"}},
}
