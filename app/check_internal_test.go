package app

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// TestCheckOfTypesWithoutGlobalIDs: an item of a type that is no Node is no violation, although NewNode fills none.
func TestCheckOfTypesWithoutGlobalIDs(t *testing.T) {
	stored := func(name string, satisfies ...string) *design.Type {
		template := keys.MustTemplate(name + "#{id}")
		return &design.Type{
			Name: name, Satisfies: append([]string{name}, satisfies...), Identity: []string{"id"}, MaxBytes: 400,
			Attributes: []design.Attribute{{Name: "id", Kind: keys.String, NonNull: true}, {Name: "colour", Kind: keys.Enum}},
			Item:       keys.Shape{PK: template, SK: template},
		}
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { team: Team }
		enum Colour { RED }
		type Setting { id: String! colour: Colour }
		type Team { id: String! colour: Colour }`})
	newNode := func(it item.Item) (any, error) { return nil, errors.New(it.Type() + " cannot be filled") }
	a := &Application{
		Design: design.MustDesign(nil, []*design.Type{stored("Setting"), stored("Team", "Node")}, nil),
		Schema: answer.NewFolder(schema),
		Decode: Decode(newNode),
	}
	e := tabletest.Start(t, table.Schema{})
	for _, name := range []string{"Setting", "Team"} {
		e.Load(t, item.Item{
			{Name: "PK", Value: item.StringValue(name + "#1")}, {Name: "SK", Value: item.StringValue(name + "#1")},
			{Name: "entityType", Value: item.StringValue(name)}, {Name: "id", Value: item.StringValue("1")},
		})
	}
	report, err := check.Table(t.Context(), admin.Scanner{Table: e.Table}, a.checkOptions())
	if err != nil || len(report.Violations) != 1 || report.Violations[0].PK != "Team#1" {
		t.Errorf("%+v, %v, want a violation of the team only", report.Violations, err)
	}
	var log bytes.Buffer
	sampleSettings{TableSample: 100}.log(t.Context(), a, e.Table, slog.New(slog.NewTextHandler(&log, nil)))
	if !strings.Contains(log.String(), "read=2 unfit=1 ") {
		t.Errorf("the sample: %s", log.String())
	}

	// What a read finds damaged is a violation, also without code that decodes it.
	a.Decode = nil
	e.Load(t, tabletest.Stored("Setting#2", "Setting#2", "entityType", "Setting", "id", "2", "colour", "GREEN"))
	report, err = check.Table(t.Context(), admin.Scanner{Table: e.Table}, a.checkOptions())
	const want = "this is no Setting: colour: the text is not a value of the enum"
	if err != nil || len(report.Violations) != 1 || report.Violations[0].Problem != want {
		t.Errorf("%+v, %v, want %s", report.Violations, err, want)
	}
}
