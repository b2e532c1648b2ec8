package table_test

import (
	"os"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/table"
)

func parse(t *testing.T, args ...string) table.Settings {
	t.Helper()
	var cli struct{ table.Settings }
	parser := must(kong.New(&cli))
	must(parser.Parse(args))
	return cli.Settings
}

// Settings that are built in Go have the defaults of the command line, and not the
// environment's values.
func TestOpenAppliesDefaults(t *testing.T) {
	want := parse(t)
	t.Setenv("TABLE_NAME", "other")
	given := table.Settings{Endpoint: "http://localhost:8000", StartTimeout: time.Minute}
	opened := must(table.Open(t.Context(), given, schema, discard))
	want.Endpoint, want.StartTimeout = given.Endpoint, given.StartTimeout
	if got := opened.Settings(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
}

func TestSettingsFromEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"TABLE_NAME": "shop", "DYNAMODB_ENDPOINT": "http://localhost:8000", "DYNAMODB_CONNECTIONS": "7",
	} {
		t.Setenv(name, value)
	}
	got := parse(t, "--table-name", "flag")
	if got.TableName != "flag" || got.Endpoint != "http://localhost:8000" || got.MaxConnections != 7 {
		t.Errorf("got %+v", got)
	}
}

func TestRegionFromEnvironment(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_DEFAULT_REGION"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "eu-central-1")
			opened := must(table.Open(t.Context(), table.Settings{}, schema, discard))
			defer opened.Close()
			if got := opened.Location(); got != "Amazon DynamoDB in eu-central-1" {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestIsRemote(t *testing.T) {
	profile := t.TempDir() + "/config"
	writeFile(t, profile, "[default]\nsso_session = x\nregion = eu-central-1\n"+
		"[sso-session x]\nsso_region = eu-central-1\nsso_start_url = https://x\n")
	regionOnly := t.TempDir() + "/config"
	writeFile(t, regionOnly, "[default]\nregion = eu-central-1\n")
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"UNRELATED", "1", false},
		{"AWS_REGION", "eu-central-1", false},
		{"AWS_ENDPOINT_URL", "http://localhost:8000", true},
		{"AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:8000", true},
		{"AWS_ACCESS_KEY_ID", "x", true},
		{"AWS_PROFILE", "x", true},
		{"AWS_WEB_IDENTITY_TOKEN_FILE", "/token", true},
		{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x", true},
		{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials", true},
		{"AWS_CONFIG_FILE", profile, true},
		{"AWS_CONFIG_FILE", regionOnly, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			if got := (table.Settings{}).IsRemote(t.Context()); got != c.want {
				t.Errorf("%s=%s: got %v", c.name, c.value, got)
			}
		})
	}
	if !(table.Settings{Endpoint: "http://localhost:8000"}).IsRemote(t.Context()) {
		t.Error("not remote in spite of an endpoint")
	}
}

func writeFile(tb testing.TB, path, text string) {
	tb.Helper()
	fatal.If(tb, os.WriteFile(path, []byte(text), 0o644))
}
