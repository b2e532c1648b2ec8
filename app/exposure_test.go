package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partita/partita/internal/processtest"
)

// shows tells what a gateway shows of itself.
func shows(t *testing.T, p *processtest.Process) (playground, introspection, suggestions bool) {
	t.Helper()
	status, _ := p.Get(t, "/")
	ask := func(query string) answer {
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
	misspelled := ask(`{ raeder { name } }`)
	if len(misspelled.Errors) == 0 {
		t.Fatal("an unknown field is no error")
	}
	return status == http.StatusOK, len(ask(`{ __schema { queryType { name } } }`).Errors) == 0,
		strings.Contains(misspelled.Errors[0].Message, "Did you mean")
}

func TestWhatIsShownOfTheSchema(t *testing.T) {
	local := processtest.Start(t)
	if playground, introspection, suggestions := shows(t, local); !playground || !introspection || !suggestions {
		t.Errorf("on the local engine: playground %v, introspection %v, suggestions %v", playground, introspection, suggestions)
	}
	// Any other table may be a real one.
	endpoint := "DYNAMODB_ENDPOINT=http://" + local.EngineAddress
	if playground, introspection, suggestions := shows(t, processtest.Start(t, endpoint)); playground || introspection || suggestions {
		t.Errorf("on a remote table: playground %v, introspection %v, suggestions %v", playground, introspection, suggestions)
	}
	asked := processtest.Start(t, endpoint, "PLAYGROUND=on", "INTROSPECTION=on", "SUGGESTIONS=on")
	if playground, introspection, suggestions := shows(t, asked); !playground || !introspection || !suggestions {
		t.Errorf("when asked for: playground %v, introspection %v, suggestions %v", playground, introspection, suggestions)
	}
}

func TestPlaygroundFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<title>built elsewhere</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, body := processtest.Start(t, "PLAYGROUND_FILES="+dir).Get(t, "/"); status != http.StatusOK || body != "<title>built elsewhere</title>" {
		t.Errorf("got %d %s", status, body)
	}
}

func TestLimitsThatNothingMeets(t *testing.T) {
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
