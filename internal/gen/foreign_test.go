package gen_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/partita/partita/internal/gentest"
)

// TestForeignDataIsFresh runs the program that fills the existing tables, and compares its data with the committed
// files.
func TestForeignDataIsFresh(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "generate")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/foreign/generate")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), program)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range gentest.Glob(t, "testdata/foreign/*/data.jsonl") {
		name := filepath.Base(filepath.Dir(file))
		if gentest.Read(t, filepath.Join(dir, name, "data.jsonl")) != gentest.Read(t, file) {
			t.Errorf("%s is outdated: run go run ./generate in %s", file, gentest.Abs(t, "testdata/foreign"))
		}
	}
}
