package docstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/partita/partita/internal/fatal"
)

// setGit sets an author and ignores the settings of the machine.
func setGit(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com", "GIT_CONFIG_NOSYSTEM": "1",
	} {
		t.Setenv(name, value)
	}
}

// TestCI follows docs/how-to/ci.md in an empty repository: it applies its changes, runs its commands and compares what
// they print. Then it runs the steps of the page's workflow, as GitHub Actions would, on a change that breaks clients.
func TestCI(t *testing.T) {
	setGit(t)
	reader := &reader{dir: t.TempDir()}
	workflow, compared := "", 0
	blocks := readPage(t, "docs/how-to/ci.md")
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
	if compared != 7 {
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
	fatal.If(t, yaml.Unmarshal([]byte(text), &workflow))
	summary := filepath.Join(r.dir, "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	outputs, failed := map[string]string{}, ""
	job := workflow.Jobs["schema"]
	for name, value := range job.Env {
		t.Setenv(name, strings.ReplaceAll(value, "origin/${{ github.base_ref }}", "main"))
	}
	for _, step := range job.Steps {
		if step.Run == "" || step.Name == "Install" {
			continue
		}
		output, err := r.sh(t, step.Run)
		if outputs[step.Name] = output; err != nil {
			failed += step.Name
		}
	}
	written, err := os.ReadFile(summary)
	fatal.If(t, err)
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
	drawn, err := os.ReadFile(filepath.Join(r.dir, "design.html"))
	fatal.If(t, err)
	if want := "<code>Task.title</code>: the type was String! and is String: "; !strings.Contains(string(drawn), want) {
		t.Errorf("the page lacks %s", want)
	}
	if want := "| Task | 1 | 1 | 1 | 0 | 2 |"; !strings.Contains(outputs["summary"], want) {
		t.Errorf("the summary has no row %s:\n%s", want, outputs["summary"])
	}
}

// TestSchemaDiff: the shop compares its own schema with that of a revision, and has the places in its schema files. It
// prices the operations of the storefront.
func TestSchemaDiff(t *testing.T) {
	setGit(t)
	r := &reader{dir: t.TempDir()}
	r.must(t, "mkdir graph && cp -r "+checkout+"/graph/schema graph/schema")
	r.must(t, "sed -i 's/^  itemCount: Int!$/  itemCount: Int! weight: Int/' graph/schema/order.graphqls")
	r.must(t, "git init -q -b main && git add . && git commit -q -m one")
	r.must(t, "cp "+checkout+"/graph/schema/order.graphqls graph/schema")
	storefront := " --operations='" + checkout + "/e2e/storefront/src/**/*.tsx' --operations='" + checkout +
		"/e2e/storefront/src/**/*.ts'"
	output, err := r.sh(t, "partita diff --base=main"+storefront)
	if err == nil || !strings.Contains(output, "BREAKING: 1\n  Order.weight  (graph/schema/order.graphqls:") ||
		!strings.Contains(output, "the field has been removed: operations that select it are not valid any more; no l") ||
		!strings.Contains(output, "\n  PlaceOrder ") || strings.Contains(output, "DANGEROUS") {
		t.Errorf("%v\n%s", err, output)
	}
	r.must(t, "git checkout -q graph/schema/order.graphqls")
	output, err = r.sh(t, "partita diff --base=main")
	if want := "the program was built from other schema files than those in graph/schema: build it again"; err == nil ||
		!strings.Contains(output, want) {
		t.Errorf("%v\n%s", err, output)
	}
}
