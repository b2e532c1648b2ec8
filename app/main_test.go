package app_test

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
)

// TestMain makes the library the program that the tests run. They mostly wait for it.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	processtest.Main(m, func() { app.Main(library()) })
}

func library() app.Application {
	return app.Application{
		Schema: testservice.Executable(),
		Design: testservice.Design(),
		Decode: app.Decode(model.NewNode),
		Demo:   app.Demo{Items: slices.Values(testservice.Items()), Viewer: testservice.Ada, Query: "{ viewer { name } }"},
		Stream: stream.Settings{
			Interval: 50 * time.Millisecond, Lease: 500 * time.Millisecond, Settled: 100 * time.Millisecond,
		},
	}
}

// TestScripts runs the command lines in testdata. ITEMS is the number of items of the demo data, and SOURCE the folder
// with Partita's source. The command go may download what a new module must know of the dependencies.
func TestScripts(t *testing.T) {
	t.Parallel()
	source, err := filepath.Abs("..")
	fatal.If(t, err)
	environment := map[string]string{
		"ITEMS": fmt.Sprint(len(testservice.Items())), "SOURCE": source, "GOSUMDB": "off",
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		value, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		fatal.If(t, err)
		environment[name] = strings.TrimSpace(string(value))
	}
	processtest.RunScripts(t, testservice.TableSchema(), environment)
}
