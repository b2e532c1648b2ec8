package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shows tells what a gateway shows of itself.
func (p *process) shows(t *testing.T) (playground, introspection, suggestions bool) {
	t.Helper()
	status, _ := p.get(t, "/")
	ask := func(query string) answer {
		response, err := http.Post(p.url+"/graphql", "application/json", strings.NewReader(`{"query":"`+query+`"}`))
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
	misspelled := ask(`{ uzer { name } }`)
	if len(misspelled.Errors) == 0 {
		t.Fatal("an unknown field is no error")
	}
	return status == http.StatusOK, len(ask(`{ __schema { queryType { name } } }`).Errors) == 0,
		strings.Contains(misspelled.Errors[0].Message, "Did you mean")
}

func TestWhatIsShownOfTheSchema(t *testing.T) {
	local := start(t)
	if playground, introspection, suggestions := local.shows(t); !playground || !introspection || !suggestions {
		t.Errorf("on the local engine: playground %v, introspection %v, suggestions %v", playground, introspection, suggestions)
	}
	// Any other table may be a real one.
	endpoint := "DYNAMODB_ENDPOINT=http://" + local.engineAddress
	if playground, introspection, suggestions := start(t, endpoint).shows(t); playground || introspection || suggestions {
		t.Errorf("on a remote table: playground %v, introspection %v, suggestions %v", playground, introspection, suggestions)
	}
	asked := start(t, endpoint, "PLAYGROUND=on", "INTROSPECTION=on", "SUGGESTIONS=on")
	if playground, introspection, suggestions := asked.shows(t); !playground || !introspection || !suggestions {
		t.Errorf("when asked for: playground %v, introspection %v, suggestions %v", playground, introspection, suggestions)
	}
}

func TestPlaygroundFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<title>built elsewhere</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, body := start(t, "PLAYGROUND_FILES="+dir).get(t, "/"); status != http.StatusOK || body != "<title>built elsewhere</title>" {
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
		if err := shop().Run(t.Context(), []string{"serve", flag}); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %q", flag, err, message)
		}
	}
}
