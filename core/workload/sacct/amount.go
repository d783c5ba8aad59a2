package sacct

import (
	"math"
	"strconv"
	"strings"
)

const maxAmount = 1e15 // maximum amount of a resource

const anAmount = "amounts as in cpu=4,mem=16G,gres/gpu=2"

// trackable splits the first trackable resource (TRES) from a list such as "cpu=4,mem=16G".
func trackable(text string) (name, amount, rest string, ok bool) {
	name, rest, _ = strings.Cut(text, ",")
	name, amount, ok = strings.Cut(name, "=")
	return name, amount, rest, ok && name != ""
}

// amount returns the amount of the trackable resource want in field f. It returns false if the
// field does not list the resource.
func (p *parser) amount(f field, want string) (int64, bool, error) {
	for text := p.cell(f); text != ""; {
		name, amount, rest, ok := trackable(text)
		if text = rest; ok && name != want {
			continue
		}
		v, good := size(amount, inMB(want))
		if !ok || !good || (want == "cpu" || want == "node") && v > math.MaxInt32 {
			return 0, false, p.wrong(f, anAmount)
		}
		return v, true, nil
	}
	return 0, false, nil
}

// inMB reports whether Slurm counts the resource in MB.
func inMB(name string) bool {
	return name == "mem" || name == "vmem" || strings.HasPrefix(name, "bb/")
}

// size parses a number with an optional unit: 4, 1.50K, 16G. If mb is set, the result is in MB,
// rounded up, and a number without a unit is already in MB.
func size(word string, mb bool) (int64, bool) {
	factor := 1.0
	if mb {
		factor = 1 << 20
	}
	if n := len(word); n > 0 {
		if k := strings.IndexByte("KMGTP", word[n-1]); k >= 0 {
			word, factor = word[:n-1], 1
			for range k + 1 {
				factor *= 1024
			}
		}
	}
	if word == "" || strings.Trim(word, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(word, 64)
	if v *= factor; mb {
		v /= 1 << 20
	}
	return int64(math.Ceil(v)), err == nil && v <= maxAmount
}

// memory returns the memory of the whole job from ReqMem, in MB. In older files it is given per
// node (4Gn) or per CPU (4Gc). The result is 0 if the field is empty.
func (p *parser) memory(cpus, nodes int64) (int64, error) {
	word := p.cell(reqMem)
	if word == "" {
		return 0, nil
	}
	times := int64(1)
	switch word[len(word)-1] {
	case 'n':
		word, times = word[:len(word)-1], nodes
	case 'c':
		word, times = word[:len(word)-1], cpus
	}
	v, ok := size(word, true)
	if !ok || times > 0 && v > maxAmount/times {
		return 0, p.wrong(reqMem, "memory as 16G, 4Gn (a node) or 4Gc (a CPU)")
	}
	return v * times, nil
}

// count parses a number of CPUs or nodes. An empty cell counts as 0.
func (p *parser) count(f field) (int64, error) {
	word := p.cell(f)
	if word == "" {
		return 0, nil
	}
	v, ok := size(word, false)
	if !ok || v > math.MaxInt32 {
		return 0, p.wrong(f, "a whole number")
	}
	return v, nil
}
