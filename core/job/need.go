package job

// Need is an amount of every resource of a machine: what a job holds while it
// runs.
type Need struct {
	Procs int     // processors, at least 1 for a job
	Extra []int64 // of each extra resource, in the machine's order; what is missing at the end is 0
}

// Need returns what a rigid job holds.
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

// Covers reports whether n is at least as much as o of every resource.
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
