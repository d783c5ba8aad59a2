// Package exercises embeds the built-in exercises, one file each. The tests of core/exercise check a
// right and a wrong solution of every exercise.
package exercises

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed *.json
var files embed.FS

// Names lists the exercises in teaching order.
var Names = []string{
	"fcfs", "first-fit", "sjf", "easy-shadow-time", "easy-extra-processors", "easy-repair", "conservative",
	"conservative-compression", "easy-worse-than-fcfs", "sjf-starvation",
}

// Load returns the declaration of an exercise. If there is no exercise with this name, the error lists all
// names.
func Load(name string) ([]byte, error) {
	for _, n := range Names {
		if n == name {
			return files.ReadFile(name + ".json")
		}
	}
	return nil, fmt.Errorf("expected one of %s, got %.100q", strings.Join(Names, ", "), name)
}

// Title returns the title of a built-in exercise. It does not check the rest of the declaration.
func Title(name string) string {
	data, err := Load(name)
	var declared struct{ Title string }
	if err == nil {
		err = json.Unmarshal(data, &declared)
	}
	if err != nil {
		panic(err) // the tests read all built-in exercises
	}
	return declared.Title
}
