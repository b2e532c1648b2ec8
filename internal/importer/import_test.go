package importer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// systems are the data of nine tables that other programs have filled.
const systems = "../gen/testdata/foreign"

// itemsOf returns the items of a file.
func itemsOf(t *testing.T, path string) []item.Item {
	t.Helper()
	var items []item.Item
	for it, err := range admin.Items(strings.NewReader(readFile(t, path))) {
		fatal.If(t, err)
		items = append(items, it)
	}
	return items
}

// importFile proposes a schema for the items of a file.
func importFile(t *testing.T, path string, o importer.Options) *importer.Result {
	t.Helper()
	file, err := os.Open(path)
	fatal.If(t, err)
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	result, err := importer.Import(admin.Items(file), o)
	fatal.If(t, err)
	return result
}

// TestSystems imports the nine tables with the descriptions of their indexes. Then the imported schema answers: each
// object by its key, and the queries in the file.
func TestSystems(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/systems", func(t *testing.T, path string) {
		t.Parallel()
		system := strings.TrimSuffix(filepath.Base(path), ".txt")
		var s *service
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "query" {
				return indented(t, s.ask(t, globalID.ReplaceAllStringFunc(d.Input, encodeID)))
			}
			options, err := importer.ReadDescription(strings.NewReader(d.Input))
			fatal.If(t, err)
			path := filepath.Join(systems, system, "data.jsonl")
			result := importFile(t, path, options)
			s = serve(t, itemsOf(t, path), result.Schema)
			s.checkCollections(t)
			if n := s.checkObjects(t); n*100 < len(s.items)*95 {
				t.Errorf("%d of %d items have a type", n, len(s.items))
			}
			return result.Schema + "\n" + result.Report.String()
		})
	})
}

// globalID is a global ID in a query: <Type:value>.
var globalID = regexp.MustCompile(`<\w+:[^>]*>`)

func encodeID(text string) string {
	typ, value, _ := strings.Cut(strings.Trim(text, "<>"), ":")
	return keys.NewID(typ, value).Encode()
}

func indented(t *testing.T, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	fatal.If(t, json.Indent(&b, data, "", " "))
	return b.String() + "\n"
}

// TestFindsNames imports the nine tables without a description: at least 95 % of the items of each are in the schema,
// which answers each object by its key.
func TestFindsNames(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(systems, "*", "data.jsonl"))
	if paths = withStringKeys(paths); err != nil || len(paths) != 9 {
		t.Fatal("there are not nine tables", paths, err)
	}
	for _, path := range paths {
		system := filepath.Base(filepath.Dir(path))
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			result := importFile(t, path, importer.Options{})
			if result.Report.Classified() < 0.95 {
				t.Error(result.Report)
			}
			s := serve(t, itemsOf(t, path), result.Schema)
			s.checkCollections(t)
			if n := s.checkObjects(t); n*100 < len(s.items)*95 {
				t.Errorf("%d of %d items have a type", n, len(s.items))
			}
		})
	}
}

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
			if d.HasArg("index") {
				var name, pk, sk string
				d.ScanArgs(t, "index", &name, &pk, &sk)
				o.Indexes = []stored.IndexLayout{{Name: name, PK: keys.Named(pk), SK: keys.Named(sk)}}
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

// withStringKeys returns the data of the tables whose keys are Strings. Those with Numbers have tests of their own.
func withStringKeys(paths []string) []string {
	return slices.DeleteFunc(paths, func(path string) bool {
		return slices.Contains([]string{"films", "products"}, filepath.Base(filepath.Dir(path)))
	})
}
