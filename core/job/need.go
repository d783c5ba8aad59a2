package job

// Need holds an amount of every resource of a machine. It describes what a running job
// occupies.
type Need struct {
	Procs int     // processors, at least 1 for a job
	Extra []int64 // amounts of the extra resources, in the machine's order; missing entries count as 0
}

// Need returns what the job occupies when it runs with the processors it requested.
func (r *Request) Need() Need {
	if r.More == nil {
		return Need{Procs: r.Procs}
	}
	return Need{r.Procs, r.More.Extra}
}

// Of returns the amount of extra resource k.
func (n *Need) Of(k int) int64 {
	if k >= len(n.Extra) {
		return 0
	}
	return n.Extra[k]
}

// Covers reports whether n has at least as much as o of every resource.
func (n *Need) Covers(o *Need) bool {
	return n.Procs >= o.Procs && (o.Extra == nil || n.coversExtra(o))
}

func (n *Need) coversExtra(o *Need) bool {
	for k, amount := range o.Extra {
		if n.Of(k) < amount {
			return false
		}
	}
	return true
}
