package app_test

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
)

// shown is what a gateway shows of its schema.
type shown struct{ playground, introspection, suggestions, design bool }

func shows(t *testing.T, p *processtest.Process) shown {
	t.Helper()
	status, _ := p.Get(t, "/")
	design, _ := p.Get(t, "/design")
	send := func(query string) answer {
		response, err := http.Post(p.URL+"/graphql", "application/json", strings.NewReader(`{"query":"`+query+`"}`))
		fatal.If(t, err)
		defer func() { _ = response.Body.Close() }()
		a, err := readAnswer(response.Body)
		fatal.If(t, err)
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
		design:        design == http.StatusOK,
	}
}

func TestWhatIsShownOfTheSchema(t *testing.T) {
	t.Parallel()
	all := shown{playground: true, introspection: true, suggestions: true, design: true}
	local := processtest.Start(t)
	if got := shows(t, local); got != all {
		t.Errorf("on the local engine: %+v", got)
	}
	// Any other table may be a real one.
	endpoint := "DYNAMODB_ENDPOINT=http://" + local.EngineAddress
	if got := shows(t, processtest.Start(t, endpoint)); got != (shown{}) {
		t.Errorf("with a remote table: %+v", got)
	}
	enabled := processtest.Start(t, endpoint, "PLAYGROUND=on", "INTROSPECTION=on")
	if got := shows(t, enabled); got != all {
		t.Errorf("with a remote table and everything on: %+v", got)
	}
}

func TestPlaygroundFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("<title>built elsewhere</title>"), 0o600))
	status, body := processtest.Start(t, "PLAYGROUND_FILES="+dir).Get(t, "/")
	if status != http.StatusOK || body != "<title>built elsewhere</title>" {
		t.Errorf("got %d %s", status, body)
	}
}

// The name of a page that is resolved to 127.0.0.1 must not make the page the gateway's own origin.
func TestLocalEngineIsForThisMachine(t *testing.T) {
	t.Parallel()
	exposed := "the gateway is not restricted to this machine"
	data := processtest.DemoData(t)
	for _, test := range []struct {
		settings []string
		hosts    map[string]int
		exposed  int
	}{
		{
			[]string{"ADDR=localhost:0"},
			map[string]int{"evil.test": http.StatusMisdirectedRequest, "localhost:8080": http.StatusOK, "[::1]": http.StatusOK},
			0,
		},
		{
			[]string{"ADDR=127.0.0.1:0", "METRICS_ADDR=127.0.0.1:0", "TRUSTED_PROXIES=10.0.0.0/8"},
			map[string]int{"evil.test": http.StatusMisdirectedRequest, "127.0.0.1:1": http.StatusOK},
			0,
		},
		{
			[]string{"ADDR=:0"},
			map[string]int{"evil.test": http.StatusMisdirectedRequest, "localhost": http.StatusOK},
			1,
		},
		{
			[]string{"ADDR=127.0.0.1:0", "ALLOWED_HOSTS=shop.test", "METRICS_ADDR=:0"},
			map[string]int{"evil.test": http.StatusMisdirectedRequest, "shop.test": http.StatusOK, "localhost": http.StatusOK},
			1,
		},
		{[]string{"ADDR=localhost:0", "CORS_ORIGINS=http://localhost:3000"}, nil, 0},
		{[]string{"ADDR=localhost:0", "CORS_ORIGINS=https://shop.test"}, nil, 1},
	} {
		p := processtest.Start(t, append(test.settings, "DATA_DIR="+data)...)
		_, port, err := net.SplitHostPort(strings.TrimPrefix(p.URL, "http://"))
		fatal.If(t, err)
		for host, want := range test.hosts {
			if got := statusFor(t, "http://localhost:"+port+"/graphql?query={__typename}", host); got != want {
				t.Errorf("%v: %s: got %d, want %d", test.settings, host, got, want)
			}
		}
		p.Signal(t, syscall.SIGTERM)
		if got := p.Logged(exposed); got != test.exposed {
			t.Errorf("%v: %d lines about what is exposed, want %d", test.settings, got, test.exposed)
		}
	}
}

// statusFor returns the status of the response to a request with the header Host.
func statusFor(t *testing.T, url, host string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	fatal.If(t, err)
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	fatal.If(t, err)
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	return response.StatusCode
}

func TestLimitsThatNoOperationKeeps(t *testing.T) {
	for flag, message := range map[string]string{
		"--max-objects=-1":           "--max-objects (MAX_OBJECTS) must be from 0 to 1e9, not -1",
		"--grace=-1s":                "--grace (GRACE) must be from 0s to 24h, not -1s",
		"--introspection=perhaps":    `--introspection must be one of "auto","on","off" but got "perhaps"`,
		"--live=off --cache-bytes=1": "--cache-bytes needs the stream of the table",

		"--shared-reads=off --cache-bytes=1": "--cache-bytes keeps items for all operations",
	} {
		err := library().Run(t.Context(), append([]string{"serve"}, strings.Fields(flag)...))
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: got %v, want %q", flag, err, message)
		}
	}
}
