package scenario

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload/sacct"
)

func (r *reader) parseMachine(s *Scenario, v raw.Value) {
	m := &s.Machine
	m.Machine = cluster.Flat(0)
	at := spot{part: "machine"}
	given := false
	m.UnknownFields = r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "nodes":
			m.Nodes, given = int(r.WholeNumber(v, at.Field(name), 1, cluster.MaxNodes)), true
		case "processors":
			m.Processors = int(r.WholeNumber(v, at.Field(name), 1, cluster.MaxSlots))
		case "cores":
			m.Cores = int(r.WholeNumber(v, at.Field(name), 1, cluster.MaxSlots))
		case "jobs-per-node":
			m.JobsPerNode = int(r.WholeNumber(v, at.Field(name), 0, math.MaxInt32))
		case "proposed":
			m.Proposed = r.Boolean(v, at.Field(name))
		case "resources":
			r.List(v, at.Field(name), func(row int, v raw.Value) { r.parseResource(m, row, v) })
		case "blocks":
			r.List(v, at.Field(name), func(row int, v raw.Value) { r.parseOutage(m, row, v) })
		default:
			return false
		}
		return true
	})
	if !given {
		r.Fail(raw.Value{At: v.At}, at.Field("nodes"), "the number of nodes")
	}
}

func (r *reader) parseResource(m *Machine, row int, v raw.Value) {
	if row > cluster.MaxResources {
		r.TooMany(v, spot{part: "machine, resources"}, "at most "+strconv.Itoa(cluster.MaxResources))
		return
	}
	at := spot{part: "machine, resources", row: row}
	res := cluster.Resource{Capacity: -1}
	unknown := r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "name":
			res.Name = r.ShortText(v, at.Field(name))
		case "capacity":
			res.Capacity = r.WholeNumber(v, at.Field(name), 0, cluster.MaxCapacity)
		default:
			return false
		}
		return true
	})
	switch {
	case res.Name == "" || resourceIndex(m, res.Name) >= 0:
		r.Fail(v, at.Field("name"), "a unique name")
	case res.Capacity < 0:
		r.Fail(raw.Value{At: v.At}, at.Field("capacity"), "a whole number of at least 0")
	}
	m.Resources = append(m.Resources, res)
	m.ResourcesUnknown = appendUnknown(m.ResourcesUnknown, row, unknown)
}

// appendUnknown appends the unknown fields of a row to the list, which has one element per row.
// Rows are counted from 1. The list stays nil until a row has unknown fields.
func appendUnknown(list []Fields, row int, unknown Fields) []Fields {
	if unknown != nil && list == nil {
		list = make([]Fields, row-1)
	}
	if list != nil || unknown != nil {
		list = append(list, unknown)
	}
	return list
}

// resourceIndex returns the index of the resource with the given name, or -1 if there is none.
func resourceIndex(m *Machine, name string) int {
	for k := range m.Resources {
		if m.Resources[k].Name == name {
			return k
		}
	}
	return -1
}

// resourceNames lists the resources of the machine for error messages.
func resourceNames(m *Machine) string {
	if len(m.Resources) == 0 {
		return "no resource, because the machine has none"
	}
	var names []string
	for _, r := range m.Resources {
		names = append(names, r.Name)
	}
	return "a resource of the machine (" + strings.Join(names, ", ") + ")"
}

func (r *reader) parseWorkload(s *Scenario, v raw.Value) {
	w := &s.Workload
	at := spot{part: "workload"}
	var jobs, generator, file raw.Value
	var parameters map[string]string
	var seed int64
	var sum string
	var choice sacct.Choice
	w.UnknownFields = r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "jobs":
			jobs = v
		case "generator":
			generator = v
		case "parameters":
			parameters = r.parseKnobs(v, at, name)
		case "seed":
			seed = r.WholeNumber(v, at.Field(name), math.MinInt64, math.MaxInt64)
		case "file":
			file = v
		case "sha256":
			sum = r.parseHash(v, at.Field(name))
		case "partition":
			choice.Partition = r.ShortText(v, at.Field(name))
		case "unit":
			if choice.Unit.UnmarshalText([]byte(r.ShortText(v, at.Field(name)))) != nil {
				r.Fail(v, at.Field(name), "cpus or nodes")
			}
		case "submit-time":
			if choice.Submit.UnmarshalText([]byte(r.ShortText(v, at.Field(name)))) != nil {
				r.Fail(v, at.Field(name), "submit or eligible")
			}
		case "wall-limits":
			if choice.Limits.UnmarshalText([]byte(r.ShortText(v, at.Field(name)))) != nil {
				r.Fail(v, at.Field(name), "limits such as batch=172800,43200")
			}
		default:
			return false
		}
		return true
	})
	sources := 0
	if jobs.Kind() != raw.Nothing {
		sources++
		r.parseJobs(s, jobs)
	}
	if generator.Kind() != raw.Nothing {
		sources++
		w.Generator = &Generator{r.Name(generator, at.Field("generator")), parameters, seed}
	}
	if file.Kind() != raw.Nothing {
		sources++
		w.File = &File{r.fileName(file, at.Field("file")), sum, choice}
	}
	if sources != 1 {
		got := raw.Value{Text: [4]string{"", "", "two of them", "all of them"}[sources], At: v.At}
		r.Fail(got, at, "either jobs, a generator or a file")
	}
}

// fileName reads the name of a file with jobs. It fails if the name contains a folder, because the
// command reads files only from the folder of the scenario.
func (r *reader) fileName(v raw.Value, at spot) string {
	name := r.Name(v, at)
	if strings.Contains(name, "/") {
		r.Fail(v, at, "the name of a file in the folder of the scenario, without a path")
	}
	return name
}

// parseHash returns v in lower case. It fails unless v consists of 64 hexadecimal digits.
func (r *reader) parseHash(v raw.Value, at spot) string {
	text := strings.ToLower(r.ShortText(v, at))
	if len(text) != 64 || strings.Trim(text, "0123456789abcdef") != "" {
		r.Fail(v, at, "64 hexadecimal digits")
	}
	return text
}
