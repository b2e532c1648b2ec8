package importer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/table/admin"
	"github.com/partita/partita/table/importer"
)

// TestCases imports the items of each case.
func TestCases(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/cases", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			o := importer.Options{}
			if d.HasArg("pk") {
				d.ScanArgs(t, "pk", &o.PK)
				d.ScanArgs(t, "sk", &o.SK)
			}
			if d.HasArg("partial") {
				o.Partial = func() bool { return true }
			}
			result, err := importer.Import(admin.Items(strings.NewReader(d.Input)), o)
			var e *exit.Error
			switch {
			case errors.As(err, &e):
				return e.Error() + "\n"
			case err != nil:
				t.Fatal(d.Pos, err)
			}
			return result.Schema + "\n" + result.Report.String()
		})
	})
}
