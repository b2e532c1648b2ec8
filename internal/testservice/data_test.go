package testservice_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/check"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestModelValues: what Go code gets of an object that a resolver returns is what it gets of its item.
func TestModelValues(t *testing.T) {
	note := &model.Note{Text: "Called.", NotedAt: testservice.Opened}
	d := testservice.Design()
	if text, ok := d.ModelValue(note, "text").Single(); text != "Called." || !ok {
		t.Errorf("the text is %q, %v", text, ok)
	}
	if at, ok := d.ModelValue(note, "notedAt").Single(); at != keys.TimeValue(testservice.Opened).Text() || !ok {
		t.Errorf("the time is %q, %v", at, ok)
	}
}

// TestItemsFitTheDesign: copies, index entries and references are as the mutations would have written them.
func TestItemsFitTheDesign(t *testing.T) {
	s := testservice.Start(t)
	claims := check.Rule{Type: "ClubNameClaim", Inspect: func(item.Item, check.Reader) []check.Violation { return nil }}
	options := check.Options{Design: testservice.Design(), Decode: decode, Rules: []check.Rule{claims}}
	report, err := check.Table(t.Context(), admin.Scanner{Table: s.Table}, options)
	fatal.If(t, err)
	for _, v := range report.Violations {
		t.Errorf("%s %s %s: %s", v.Kind, v.PK, v.SK, v.Problem)
	}
	if want := len(testservice.Items()); report.Items != want {
		t.Errorf("the table has %d items, want %d", report.Items, want)
	}
}

func decode(it item.Item) error {
	var err error
	switch it.Type() {
	case "Club":
		_, err = model.NewClub(it)
	case "Membership":
		_, err = model.NewMembership(it)
	default:
		_, err = model.NewNode(it)
	}
	return err
}
