package sacct

import (
	"math"
	"strconv"
	"strings"
)

const maxAmount = 1e15 // maximum amount of a resource

// amountForm describes a valid cell with amounts, for error messages.
const amountForm = "amounts such as cpu=4,mem=16G,gres/gpu=2"

// cutTRES splits the first trackable resource (TRES) from a list such as "cpu=4,mem=16G". It
// returns the name and the amount of the resource, and the rest of the list. It reports false if
// the resource is malformed.
func cutTRES(text string) (name, amount, rest string, ok bool) {
	name, rest, _ = strings.Cut(text, ",")
	name, amount, ok = strings.Cut(name, "=")
	return name, amount, rest, ok && name != ""
}

// amount returns the amount of the named trackable resource in field f. It reports false if the
// field does not list this resource, and returns an error if the cell is malformed.
func (p *parser) amount(f field, resource string) (int64, bool, error) {
	for text := p.cell(f); text != ""; {
		name, amount, rest, ok := cutTRES(text)
		if text = rest; ok && name != resource {
			continue
		}
		v, good := parseAmount(amount, countedInMB(resource))
		if !ok || !good || (resource == "cpu" || resource == "node") && v > math.MaxInt32 {
			return 0, false, p.invalidCell(f, amountForm)
		}
		return v, true, nil
	}
	return 0, false, nil
}

// countedInMB reports whether Slurm counts the resource with this name in MB.
func countedInMB(name string) bool {
	return name == "mem" || name == "vmem" || strings.HasPrefix(name, "bb/")
}

// parseAmount parses a number with an optional unit, such as 4, 1.50K or 16G, and rounds it up. If mb
// is set, the result is in MB, and a number without a unit is already in MB.
func parseAmount(word string, mb bool) (int64, bool) {
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

// memory returns how much memory the whole job requested (ReqMem), in MB. Older files give the
// memory per node (4Gn) or per CPU (4Gc). The result is 0 if the field is empty.
func (p *parser) memory(cpus, nodes int64) (int64, error) {
	word := p.cell(reqMem)
	if word == "" {
		return 0, nil
	}
	factor := int64(1)
	switch word[len(word)-1] {
	case 'n':
		word, factor = word[:len(word)-1], nodes
	case 'c':
		word, factor = word[:len(word)-1], cpus
	}
	v, ok := parseAmount(word, true)
	if !ok || factor > 0 && v > maxAmount/factor {
		return 0, p.invalidCell(reqMem, "memory such as 16G, 4Gn (per node) or 4Gc (per CPU)")
	}
	return v * factor, nil
}

// parseCount parses a number of CPUs or nodes. An empty cell means 0.
func (p *parser) parseCount(f field) (int64, error) {
	word := p.cell(f)
	if word == "" {
		return 0, nil
	}
	v, ok := parseAmount(word, false)
	if !ok || v > math.MaxInt32 {
		return 0, p.invalidCell(f, "a whole number")
	}
	return v, nil
}
