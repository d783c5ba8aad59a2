package interp

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"backfill-lab/core/sim"
)

// Clone returns a copy of the policy with a copy of its state. It executes the statements outside
// functions again, so that the functions of the copy share no values with those of the original.
func (p *Policy) Clone() sim.Policy {
	c, err := load(p.program, p.set, p.maxSteps)
	if err != nil {
		panic(err) // cannot happen: the statements were already executed once without an error
	}
	c.pass.pass = p.pass.pass
	c.jobs = make([]*jobValue, len(p.jobs))
	for i, j := range p.jobs {
		if j != nil {
			clone := *j
			clone.policy = c
			c.jobs[i] = &clone
		}
	}
	for _, j := range p.waiting {
		c.waiting = append(c.waiting, c.jobs[j.(*jobValue).index])
	}
	c.lines, c.more = slices.Clip(p.lines), p.more
	copied := copier{to: c, seen: map[starlark.Value]starlark.Value{}}
	_ = c.state.Clear() // the dictionary is neither frozen nor iterated over
	for _, item := range p.state.Items() {
		_ = c.state.SetKey(copied.value(item[0]), copied.value(item[1]))
	}
	return c
}

// copier makes deep copies of values for another policy. A value that occurs in several places is
// copied only once, so that the copy occurs in all these places.
type copier struct {
	to   *Policy                           // policy for which the copies are made
	seen map[starlark.Value]starlark.Value // copy of each value copied so far
}

func (c *copier) value(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case *jobValue:
		return c.to.jobs[v.index]
	case starlark.Tuple:
		out := make(starlark.Tuple, len(v))
		for i := range v {
			out[i] = c.value(v[i])
		}
		return out
	case *starlark.List, *starlark.Dict, *starlark.Set, *profileValue:
		if old, ok := c.seen[v]; ok {
			return old
		}
		return c.container(v)
	}
	return v
}

// container copies a list, a dictionary or another value that a script can modify.
func (c *copier) container(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case *starlark.List:
		out := starlark.NewList(make([]starlark.Value, 0, v.Len()))
		c.seen[v] = out
		for x := range v.Elements() {
			_ = out.Append(c.value(x)) // cannot fail, since a new list is not frozen
		}
		return out
	case *starlark.Dict:
		out := starlark.NewDict(v.Len())
		c.seen[v] = out
		for k, x := range v.Entries() {
			_ = out.SetKey(c.value(k), c.value(x)) // cannot fail, since the key is from a dictionary
		}
		return out
	case *starlark.Set:
		out := starlark.NewSet(v.Len())
		c.seen[v] = out
		for x := range v.Elements() {
			_ = out.Insert(c.value(x))
		}
		return out
	}
	out := newProfile(c.to, v.(*profileValue).profile.Clone())
	c.seen[v] = out
	return out
}

// checkState calls checkStateValues, but only after the script has done at least half as much work as
// one check may cost. Otherwise the checks would dominate the time of a pass.
func (p *Policy) checkState() error {
	if p.meter.spent += int(p.thread.Steps); p.meter.spent < maxState/2 {
		return nil
	}
	p.meter.spent = 0
	return p.checkStateValues()
}

// checkStateValues returns an error if the state of the script holds too many values, or values
// that cannot be copied.
func (p *Policy) checkStateValues() error {
	seen := map[starlark.Value]bool{}
	todo := []starlark.Value{p.state}
	for n := 0; len(todo) > 0; n++ {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch v := v.(type) {
		case starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, *jobValue:
		case starlark.String:
			n += len(v) / 16
		case starlark.Bytes:
			n += len(v) / 16
		case starlark.Tuple:
			todo = append(todo, v...)
		case *profileValue:
			n += len(v.profile.Steps())
		case *starlark.List, *starlark.Dict, *starlark.Set:
			if seen[v] {
				continue
			}
			seen[v] = true
			for x := range starlark.Elements(v.(starlark.Iterable)) {
				todo = append(todo, x)
			}
			if d, ok := v.(*starlark.Dict); ok {
				for _, x := range d.Entries() {
					todo = append(todo, x)
				}
			}
		default:
			return fmt.Errorf("state: expected numbers, texts, lists, dictionaries, sets, jobs and profiles, got a %s", v.Type())
		}
		if n+len(todo) > maxState {
			return fmt.Errorf("state: expected at most %d values, got more", maxState)
		}
	}
	return nil
}
