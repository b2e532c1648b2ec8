package local_test

import (
	"path/filepath"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/internal/tabletest"
)

func TestSettingsFromEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"TABLE_NAME": "shop", "DATA_DIR": "/data", "DYNOXIDE": "/bin/dynoxide",
	} {
		t.Setenv(name, value)
	}
	var cli struct{ local.Settings }
	parser := must(kong.New(&cli))
	must(parser.Parse([]string{"--engine", "/flag"}))
	if s := cli.Settings; s.TableName != "shop" || s.DataDir != "/data" || s.Engine != "/flag" {
		t.Errorf("got %+v", s)
	}
}

// A remote table needs no engine and no data directory.
func TestOpenRemote(t *testing.T) {
	e := tabletest.Start(t, schema)
	s := local.Settings{Settings: e.Settings, Engine: "/nowhere/dynoxide"}
	if s.Local(t.Context()) {
		t.Error("local in spite of an endpoint")
	}
	opened := openLocal(t, s)
	if opened.IsLocal() || opened.Died() != nil || opened.Location() != e.Proxy.URL() {
		t.Errorf("local %v, at %s", opened.IsLocal(), opened.Location())
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
}

// Settings that are invalid create no data.
func TestOpenChecksFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := settings(dir)
	s.TableName = "ab"
	tabletest.WantExitError(t, openError(t, s), exit.Config, "TABLE_NAME")
	if found, _ := filepath.Glob(dir); found != nil {
		t.Error("the data directory exists")
	}
	// Nor does an environment that the AWS SDK cannot read keep the engine running.
	t.Setenv("AWS_CA_BUNDLE", filepath.Join(dir, "missing"))
	tabletest.WantExitError(t, openError(t, settings(dir)), exit.Config, "AWS settings")
	t.Setenv("AWS_CA_BUNDLE", "")
	openLocal(t, settings(dir))
}
