// Package processtest runs the program of a service as processes of their own: tests start it, stop it, and read what
// it logs and prints.
package processtest

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/partita/partita/internal/table/local"
)

// Main is the TestMain of a package. It makes the program a command that the tests run as `partita`, in a process of
// its own.
func Main(m *testing.M, program func()) {
	testscript.Main(suite{m}, map[string]func(){"partita": program})
}

// suite runs the tests with temporary folders and without the settings of the caller's environment. It fails if one of
// their processes outlives them.
type suite struct{ tests *testing.M }

// Run returns the exit code of the tests.
func (s suite) Run() int {
	code, err := s.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// settings matches the environment variables that the program reads, except for the engine's path.
var settings = regexp.MustCompile(`^(AWS_.*|DYNAMODB_.*|TABLE_NAME|DATA_DIR|[A-Z]+_TIMEOUT|MAX_.*|GRACE|INTROSPECTION` +
	`|GOGC|GOMEMLIMIT|PLAYGROUND.*|ALLOWED_HOSTS|METRICS_.*|CURSOR_SECRET|SWEEP_INTERVAL|OTEL_.*|JWT_.*|READ_UNITS_.*` +
	`|ANONYMOUS_.*|SHARED_STORE.*)=`)

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
		// A timeout that a busy machine does not exceed.
		"DYNAMODB_TIMEOUT": "4m",
		"GORACE":           "atexit_sleep_ms=0", // the race detector's second at the end of each process
	} {
		if err := os.Setenv(name, value); err != nil {
			return 0, err
		}
	}
	// Shells let what they run in the background ignore Ctrl-C, and processes inherit that. A signal that is handled here
	// has its default effect in those that the tests start.
	if signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	code = s.tests.Run()
	if left := processesWith(root); len(left) > 0 {
		return 0, fmt.Errorf("processes outlive the tests: %s", strings.Join(left, ", "))
	}
	return code, nil
}

// processesWith returns the command lines of the processes that have the text in their environment, which children
// inherit.
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
