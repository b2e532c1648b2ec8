package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestCI follows docs/ci.md in an empty repository: it applies its changes, runs its commands and compares what they
// print. Then it runs the steps of the page's workflow, as GitHub Actions would, on a change that breaks clients.
func TestCI(t *testing.T) {
	for name, value := range map[string]string{
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com", "GIT_CONFIG_NOSYSTEM": "1",
	} {
		t.Setenv(name, value)
	}
	reader := &reader{dir: t.TempDir()}
	workflow, compared := "", 0
	blocks := readPage(t, "docs/ci.md")
	for i, b := range blocks {
		switch {
		case b.language == "yaml":
			workflow = b.text
		case b.file != "":
			reader.write(t, b)
		case b.language == "sh" && blocks[i+1].language == "":
			reader.run(t, b.text, blocks[i+1].text)
			compared++
		case b.language == "sh":
			reader.must(t, b.text)
		}
	}
	if compared != 6 {
		t.Errorf("the output of %d commands was compared", compared)
	}
	reader.must(t, "git add . && git commit -q -m tasks")
	reader.must(t, "sed -i 's/title: String!/title: String/' tasks/schema.graphqls")
	runWorkflow(t, reader, workflow)
}

// runWorkflow runs the steps of a workflow that are commands, without the installation.
func runWorkflow(t *testing.T, r *reader, text string) {
	t.Helper()
	var workflow struct {
		Jobs map[string]struct {
			Env   map[string]string
			Steps []struct{ Name, Run, Uses string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &workflow); err != nil {
		t.Fatal(err)
	}
	summary := filepath.Join(r.dir, "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	outputs, failed := map[string]string{}, ""
	job := workflow.Jobs["schema"]
	for name, value := range job.Env {
		t.Setenv(name, strings.ReplaceAll(value, "origin/${{ github.base_ref }}", "main"))
	}
	for _, step := range job.Steps {
		if step.Run == "" || strings.HasPrefix(step.Run, "go install ") {
			continue
		}
		output, err := r.sh(t, step.Run)
		if outputs[step.Name] = output; err != nil {
			failed += step.Name
		}
	}
	written, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	outputs["summary"] = string(written)
	const compare = "Compare the schema with the base"
	if failed != compare {
		t.Errorf("the failed steps are %q", failed)
	}
	for step, want := range map[string]string{
		compare:   "::error file=tasks/schema.graphqls,line=11,title=Task.title::the type was String! and is String: ",
		"summary": "- `Task.title`: the type was String! and is String: clients get null where they do not expect it; used",
	} {
		if !strings.Contains(outputs[step], want) {
			t.Errorf("the output of %q has no %q:\n%s", step, want, outputs[step])
		}
	}
	if want := "| Task | 1 | 1 | 1 | 0 | 2 |"; !strings.Contains(outputs["summary"], want) {
		t.Errorf("the summary has no row %s:\n%s", want, outputs["summary"])
	}
}
