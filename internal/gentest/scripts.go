// Package gentest has what the tests of the generator share: modules to generate code in, and scripts that do so.
package gentest

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/partita/partita/internal/buildfolder"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/command"
	"github.com/partita/partita/internal/soak"
)

var update = flag.Bool("update", false, "rewrite the golden files in the scripts")

// settings are those of the commands partitagen and go, whose processes are short: collections of their own accord take
// a sixth of their CPU. With fewer than these, fresh pages of memory cost more. Scripts have nothing else of the
// caller's environment.
var settings = map[string]string{"GOGC": "200", "GOMEMLIMIT": "1GiB"}

// Main runs the tests of a package with the command partitagen in the PATH.
func Main(m *testing.M) {
	// One of two scripts at a time would leave a CPU idle while the other one's processes start.
	err := flag.Set("test.parallel", "4")
	for name, value := range settings {
		err = errors.Join(err, os.Setenv(name, value))
	}
	if err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"partitagen": command.Main})
}

// RunScripts runs n of the scripts in testdata, or SOAK times as many, each in a module of its own that has this one's
// packages and dependencies.
func RunScripts(t *testing.T, n int) {
	t.Helper()
	root := Root(t)
	goEnv, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOMODCACHE").Output()
	fatal.If(t, err)
	caches := strings.Fields(string(goEnv))
	testscript.Run(t, testscript.Params{
		WorkdirRoot:   buildfolder.New(t),
		UpdateScripts: *update,
		Files:         soak.Some(Glob(t, "testdata/*.txtar"), n),
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOCACHE", caches[0])
			env.Setenv("GOMODCACHE", caches[1])
			env.Setenv("GOFLAGS", "-mod=mod")
			env.Setenv("GOWORK", "off")
			for name, value := range settings {
				env.Setenv(name, value)
			}
			return newModule(root, env.WorkDir, "example")
		},
	})
}

// NewModule returns an empty module that uses this one's packages and dependencies.
func NewModule(t *testing.T, path string) (dir string) {
	t.Helper()
	dir = buildfolder.New(t)
	fatal.If(t, newModule(Root(t), dir, path))
	return dir
}

func newModule(root, dir, path string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	text := strings.Replace(string(mod), "module github.com/partita/partita\n", "module "+path+"\n", 1) +
		"\nrequire github.com/partita/partita v0.0.0\n\nreplace github.com/partita/partita => " + root + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)
}
