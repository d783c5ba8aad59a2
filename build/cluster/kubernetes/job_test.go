// Package kubernetes checks the recipe for Kubernetes against the types of its API. The folder is a
// separate Go module, so that the project does not depend on these types.
package kubernetes

import (
	"fmt"
	"os"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// recipe parses text as a Kubernetes Job. Unknown or repeated fields and wrong types are errors.
func recipe(text []byte) (*batch.Job, error) {
	job := &batch.Job{}
	return job, yaml.UnmarshalStrict(text, job)
}

func TestRecipe(t *testing.T) {
	text, err := os.ReadFile("../../../recipes/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	job, err := recipe(text)
	if err != nil {
		t.Fatal(err)
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" {
		t.Errorf("expected a Job of batch/v1, got %s of %s", job.Kind, job.APIVersion)
	}
	s := job.Spec
	if s.CompletionMode == nil || *s.CompletionMode != batch.IndexedCompletion {
		t.Error("expected the completion mode Indexed")
	}
	if s.Template.Spec.RestartPolicy != "Never" {
		t.Errorf("expected restartPolicy Never, which podFailurePolicy needs, got %s", s.Template.Spec.RestartPolicy)
	}
	c := s.Template.Spec.Containers[0]
	if want := fmt.Sprintf("/%d ", *s.Completions); !strings.Contains(c.Command[2], want) {
		t.Errorf("expected parts of %d, got %s", *s.Completions, c.Command[2])
	}
	if c.VolumeMounts[0].Name != s.Template.Spec.Volumes[0].Name {
		t.Error("expected the mounted volume to be declared")
	}
}

// TestRecipeWithErrors checks that a misspelt field, a wrong type and a repeated field are errors.
func TestRecipeWithErrors(t *testing.T) {
	text, err := os.ReadFile("../../../recipes/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for old, wrong := range map[string]string{
		"completionMode: Indexed":    "completionMod: Indexed",
		"parallelism: 8":             "parallelism: eight",
		"      restartPolicy: Never": "      restartPolicy: Never\n      restartPolicy: Never",
	} {
		if _, err := recipe([]byte(strings.Replace(string(text), old, wrong, 1))); err == nil {
			t.Errorf("%s: expected an error, got none", wrong)
		}
	}
}
