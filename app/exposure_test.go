package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/processtest"
)

// shown is what a gateway shows of its schema.
type shown struct{ playground, introspection, suggestions bool }

func shows(t *testing.T, p *processtest.Process) shown {
	t.Helper()
	status, _ := p.Get(t, "/")
	send := func(query string) answer {
		response, err := http.Post(p.URL+"/graphql", "application/json", strings.NewReader(`{"query":"`+query+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		a, err := readAnswer(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	misspelled := send(`{ raeder { name } }`)
	if len(misspelled.Errors) == 0 {
		t.Fatal("there is no error for an unknown field")
	}
	return shown{
		playground:    status == http.StatusOK,
		introspection: len(send(`{ __schema { queryType { name } } }`).Errors) == 0,
		suggestions:   strings.Contains(misspelled.Errors[0].Message, "Did you mean"),
	}
}

func TestWhatIsShownOfTheSchema(t *testing.T) {
	all := shown{playground: true, introspection: true, suggestions: true}
	local := processtest.Start(t)
	if got := shows(t, local); got != all {
		t.Errorf("on the local engine: %+v", got)
	}
	// Any other table may be a real one.
	endpoint := "DYNAMODB_ENDPOINT=http://" + local.EngineAddress
	if got := shows(t, processtest.Start(t, endpoint)); got != (shown{}) {
		t.Errorf("with a remote table: %+v", got)
	}
	enabled := processtest.Start(t, endpoint, "PLAYGROUND=on", "INTROSPECTION=on", "SUGGESTIONS=on")
	if got := shows(t, enabled); got != all {
		t.Errorf("with a remote table and everything on: %+v", got)
	}
}

func TestPlaygroundFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<title>built elsewhere</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, body := processtest.Start(t, "PLAYGROUND_FILES="+dir).Get(t, "/")
	if status != http.StatusOK || body != "<title>built elsewhere</title>" {
		t.Errorf("got %d %s", status, body)
	}
}

func TestLimitsThatNoOperationKeeps(t *testing.T) {
	for flag, message := range map[string]string{
		"--max-depth=0":           "--max-depth must be at least 1, not 0",
		"--header-timeout=-1s":    "--header-timeout must be longer than 0s, not -1s",
		"--write-timeout=10s":     "--write-timeout must be longer than --operation-timeout, 10s, not 10s",
		"--introspection=perhaps": `--introspection must be one of "auto","on","off" but got "perhaps"`,
	} {
		if err := library().Run(t.Context(), []string{"serve", flag}); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %q", flag, err, message)
		}
	}
}
