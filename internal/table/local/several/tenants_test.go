package several_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/fatal"
)

// foreignKeys matches the fields and indexes of the folder whose partition key is an ordinary attribute.
var foreignKeys = regexp.MustCompile(
	`(?m)^    \{name: "by(Place|Score)".*\n|^  (byPlace|newest|byScore|scored)\(.*\n(    @query.*\n)?`)

// TestTenants serves the folder, without the indexes that cannot have tenants, to two of them.
func TestTenants(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tickets")
	schema, err := os.ReadFile("testdata/tickets/schema.graphqls")
	fatal.If(t, err)
	fatal.If(t, os.Mkdir(dir, 0o700))
	fatal.If(t, os.WriteFile(filepath.Join(dir, "schema.graphqls"), foreignKeys.ReplaceAll(schema, nil), 0o600))
	var all strings.Builder
	for _, it := range tickets() {
		line, err := json.Marshal(map[string]ticket{"Item": it})
		fatal.If(t, err)
		all.Write(append(line, '\n'))
	}
	data := map[string]string{"zz9": all.String(), "zz": ""}
	e := exampletest.Open(t, dir)
	e.ServeTenants(t, data).Compare(t, data)
}
