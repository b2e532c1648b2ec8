package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/local"
)

// TestMain makes the program a command that tests run as `partita`, a process
// of its own.
func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"partita": main})
}

// suite runs the tests on temporary folders and with none of the caller's
// settings, and fails when a process of theirs outlives them.
type suite struct{ tests *testing.M }

func (s suite) Run() int {
	code, err := s.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// settings match the environment variables that the program reads, but for the
// engine's path.
var settings = regexp.MustCompile(`^(AWS_.*|DYNAMODB_.*|TABLE_NAME|DATA_DIR|[A-Z]+_TIMEOUT|MAX_.*|GRACE|INTROSPECTION|SUGGESTIONS|PLAYGROUND.*|METRICS_.*|SWEEP_INTERVAL|OTEL_.*|JWT_.*)=`)

func (s suite) run() (code int, err error) {
	for _, entry := range os.Environ() {
		if settings.MatchString(entry) {
			name, _, _ := strings.Cut(entry, "=")
			if err := os.Unsetenv(name); err != nil {
				return 0, err
			}
		}
	}
	engine, err := local.FindEngine(os.Getenv("DYNOXIDE"))
	if err != nil {
		return 0, err
	}
	root, err := os.MkdirTemp("", "partita-test")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	for name, value := range map[string]string{
		"DYNOXIDE": engine, "TMPDIR": root,
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
		// Timeouts that a busy machine does not exceed.
		"START_TIMEOUT": "5m", "DYNAMODB_TIMEOUT": "4m",
		"GORACE": "atexit_sleep_ms=0", // the race detector's second at the end of each process
	} {
		if err := os.Setenv(name, value); err != nil {
			return 0, err
		}
	}
	code = s.tests.Run()
	if left := processesWith(root); len(left) > 0 {
		return 0, fmt.Errorf("processes outlive the tests: %s", strings.Join(left, ", "))
	}
	return code, nil
}

// processesWith are the processes with the text in their environment, which
// children inherit.
func processesWith(text string) []string {
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		panic(err) // a malformed pattern
	}
	var found []string
	for _, path := range environments {
		environment, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(environment), text) {
			continue // gone, another user's, or not ours
		}
		line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err == nil {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

func tableSchema() table.Schema { return table.Schema{Indexes: typed.Design.IndexNames()} }
