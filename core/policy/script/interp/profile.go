package interp

import (
	"fmt"

	"go.starlark.net/starlark"

	"backfill-lab/core/job"
	"backfill-lab/core/profile"
)

// profileValue represents a profile in a script: the free processors and extra resources over time.
type profileValue struct {
	object
	policy  *Policy
	profile *profile.Profile
	methods map[string]starlark.Value
}

func newProfile(p *Policy, f *profile.Profile) *profileValue {
	v := &profileValue{policy: p, profile: f}
	v.methods = builtins(map[string]method{"find": v.find, "reserve": v.reserve, "release": v.release})
	return v
}

func (v *profileValue) String() string                           { return "profile " + v.profile.String() }
func (v *profileValue) Type() string                             { return "profile" }
func (v *profileValue) Hash() (uint32, error)                    { return 0, fmt.Errorf("unhashable type: profile") }
func (v *profileValue) AttrNames() []string                      { return []string{"find", "release", "reserve"} }
func (v *profileValue) Attr(name string) (starlark.Value, error) { return v.methods[name], nil }

// trimToNow removes the past from the profile and returns the time of the pass.
func (v *profileValue) trimToNow() job.Time {
	now := v.policy.pass.pass.Now()
	v.profile.Trim(now)
	return now
}

// find returns the earliest time from which the processors and extra resources of a job stay free
// for its whole estimate. The script may also pass the earliest allowed start (after).
func (v *profileValue) find(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var j *jobValue
	after := v.trimToNow()
	if err := starlark.UnpackArgs("find", args, kwargs, "job", &j, "after?", &after); err != nil {
		return nil, err
	}
	return starlark.MakeInt64(v.profile.Find(j.demand(), j.Estimate, max(after, v.trimToNow()))), v.spend()
}

// reserve reserves the capacity that a job needs and returns the start of the reservation. The
// script may pass the start as the argument at. By default, reserve uses the earliest possible
// start.
func (v *profileValue) reserve(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var j *jobValue
	var at int64 = -1
	if err := starlark.UnpackArgs("reserve", args, kwargs, "job", &j, "at?", &at); err != nil {
		return nil, err
	}
	now := v.trimToNow()
	switch {
	case at == -1:
		at = v.profile.Find(j.demand(), j.Estimate, now)
	case at < now || !v.profile.Fits(j.demand(), j.Estimate, at):
		return nil, fmt.Errorf("reserve: expected a start at %d (now) or later, at which %s fits, got %d", now, j, at)
	}
	v.profile.Reserve(j.demand(), at, at+j.Estimate)
	return starlark.MakeInt64(at), v.spend()
}

// release frees capacity that was reserved for a job. The script passes the start of the
// reservation. It may also pass a later time from which the capacity becomes free (since).
func (v *profileValue) release(args starlark.Tuple, kwargs []starlark.Tuple) (_ starlark.Value, err error) {
	var j *jobValue
	var start int64
	var since int64
	if err := starlark.UnpackArgs("release", args, kwargs, "job", &j, "start", &start, "since?", &since); err != nil {
		return nil, err
	}
	if from, to := max(start, since, v.trimToNow()), start+j.Estimate; from < to {
		defer func() {
			if recover() != nil {
				err = fmt.Errorf("release: expected a reservation of %s that starts at %d, got none", j, start)
			}
		}()
		v.profile.Release(j.demand(), from, to)
	}
	return starlark.None, v.spend()
}

// spend charges the script for the profile steps that the last operation may have examined.
func (v *profileValue) spend() error { return v.policy.meter.spend(len(v.profile.Steps())) }
