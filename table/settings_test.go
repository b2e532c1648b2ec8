package table_test

import (
	"reflect"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/table"
)

func parse(t *testing.T, args ...string) table.Settings {
	t.Helper()
	var cli struct{ table.Settings }
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(err)
	}
	return cli.Settings
}

func TestSettingsDefaults(t *testing.T) {
	t.Setenv("DYNOXIDE", "")
	t.Chdir(t.TempDir())
	got := parse(t)
	want := table.Settings{
		TableName: table.DefaultTableName, DataDir: table.DefaultDataDir,
		MaxConnections: table.DefaultMaxConnections, RequestTimeout: table.DefaultRequestTimeout,
		StartTimeout: table.DefaultStartTimeout,
	}
	if got.DataDir = relative(t, got.DataDir); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSettingsFromEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"TABLE_NAME": "shop", "DYNAMODB_ENDPOINT": "http://localhost:8000", "AWS_DEFAULT_REGION": "eu-central-1",
		"DATA_DIR": "/data", "DYNOXIDE": "/bin/dynoxide", "DYNAMODB_CONNECTIONS": "7",
	} {
		t.Setenv(name, value)
	}
	got := parse(t, "--table-name", "flag")
	if got.TableName != "flag" || got.Endpoint != "http://localhost:8000" || got.Region != "eu-central-1" ||
		got.DataDir != "/data" || got.Engine != "/bin/dynoxide" || got.MaxConnections != 7 {
		t.Errorf("got %+v", got)
	}
}

func TestLocal(t *testing.T) {
	profile := t.TempDir() + "/config"
	writeFile(t, profile, "[default]\nsso_session = x\nregion = eu-central-1\n[sso-session x]\nsso_region = eu-central-1\nsso_start_url = https://x\n")
	regionOnly := t.TempDir() + "/config"
	writeFile(t, regionOnly, "[default]\nregion = eu-central-1\n")
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"UNRELATED", "1", true},
		{"AWS_REGION", "eu-central-1", true},
		{"AWS_ENDPOINT_URL", "http://localhost:8000", false},
		{"AWS_ENDPOINT_URL_DYNAMODB", "http://localhost:8000", false},
		{"AWS_ACCESS_KEY_ID", "x", false},
		{"AWS_PROFILE", "x", false},
		{"AWS_WEB_IDENTITY_TOKEN_FILE", "/token", false},
		{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x", false},
		{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials", false},
		{"AWS_CONFIG_FILE", profile, false},
		{"AWS_CONFIG_FILE", regionOnly, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			if got := (table.Settings{}).Local(t.Context()); got != c.want {
				t.Errorf("%s=%s: got %v", c.name, c.value, got)
			}
		})
	}
	if (table.Settings{Endpoint: "http://localhost:8000"}).Local(t.Context()) {
		t.Error("local in spite of an endpoint")
	}
}
