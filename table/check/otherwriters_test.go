package check_test

import (
	stdcmp "cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// board is a table that another program fills, with all that a repair could write or delete.
var board = design.MustDesign(&stored.Layout{
	PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "kind", Delimiter: "#",
	Indexes: []stored.IndexLayout{
		{Name: "by-state", PK: keys.Named("state_pk"), SK: keys.Named("state_sk")},
		{Name: "by-day", PK: keys.Named("day_pk"), SK: keys.Named("day_sk")},
	},
}, []*design.Type{{
	Name: "Card", Identity: []string{"id"}, MaxBytes: 512, Item: shape("CARD#{id}", "CARD#{id}"),
	Attributes: []design.Attribute{
		id("id", "Card"), {Name: "state", Kind: keys.String}, {Name: "day", Kind: keys.String},
		{Name: "title", Kind: keys.String}, id("listId", "List"),
	},
	Copies: []design.Copy{{Shape: shape("LIST#{listId}", "CARD#{id}")}},
	Indexes: []design.Index{
		{Name: "by-state", Shape: shape("STATE#{state}", "{id}"), Shards: 1},
		{Name: "by-day", Shape: shape("DAY#{day}", "{id}"), Shards: 1},
	},
	Uniques: []design.Unique{{
		Attribute: "title", Key: keys.MustTemplate("TITLE#{title}"), Claim: "TitleClaim", Holder: "cardId",
	}},
}, {
	Name: "List", Identity: []string{"id"}, MaxBytes: 512, Item: shape("LIST#{id}", "LIST#{id}"),
	Attributes: []design.Attribute{id("id", "List")},
}, {
	Name: "Watch", Identity: []string{"listId", "userId"}, MaxBytes: 512, Item: shape("WATCH#{listId}", "{userId}"),
	Attributes: []design.Attribute{id("listId", "List"), id("userId", "User")},
}, {
	Name: "User", Identity: []string{"id"}, MaxBytes: 512, Item: shape("USER#{id}", "USER#{id}"),
	Attributes: []design.Attribute{id("id", "User")},
}}, nil)

// soundBoard returns a table without violations.
func soundBoard(t *testing.T) content {
	t.Helper()
	c := contentOf(nil)
	for _, line := range []string{
		"put LIST#l LIST#l kind=List id=l", "put USER#u USER#u kind=User id=u",
		"put WATCH#l u kind=Watch listId=l userId=u",
		"put CARD#c CARD#c kind=Card id=c state=OPEN day=1 title=One listId=l state_pk=STATE#OPEN state_sk=c " +
			"day_pk=DAY#1 day_sk=c",
		"put LIST#l CARD#c kind=Card id=c state=OPEN day=1 title=One listId=l",
		"put TITLE#One TITLE#One kind=TitleClaim cardId=c",
	} {
		c.damage(t, line)
	}
	return c
}

// TestOtherWriters: in a table with other writers, a repair without a scope writes only what is not there, whatever is
// found. With one it does what is named, and deletes nothing that may be needed. The arguments of a case are the scope.
func TestOtherWriters(t *testing.T) {
	datadriven.RunTest(t, "testdata/otherwriters", func(t *testing.T, d *datadriven.TestData) string {
		sound := startBoard(t, soundBoard(t)).content(t)
		damaged := soundBoard(t)
		for line := range strings.Lines(d.Input) {
			damaged.damage(t, line)
		}
		of := startBoard(t, damaged)
		before := of.content(t)
		o := check.Options{Design: board}
		for _, a := range d.CmdArgs {
			for _, value := range a.Vals {
				switch a.Key {
				case "only":
					o.Scope.Only = append(o.Scope.Only, check.Kind(value))
				case "type":
					o.Scope.Types = append(o.Scope.Types, value)
				case "index":
					o.Scope.Indexes = append(o.Scope.Indexes, value)
				}
			}
		}
		found := must(check.Table(t.Context(), of.Scanner, o))
		repaired := must(check.Repair(t.Context(), of.Scanner, o))
		after := of.content(t)
		var b strings.Builder
		for _, line := range describe(found.Violations) {
			b.WriteString(line + "\n")
		}
		for _, v := range found.Violations {
			if v.Needs != "" {
				b.WriteString("left without " + v.Needs + "\n")
			}
		}
		for _, it := range before.inOrder() {
			if key := keys.KeyOf(it); after[key] == nil {
				b.WriteString("deleted " + string(key.PK) + " " + string(key.SK) + "\n")
			}
		}
		var did []string
		for _, v := range repaired.Repaired {
			did = append(did, "repaired "+string(v.Kind)+" "+string(v.PK)+" "+string(v.SK)+"\n")
		}
		slices.Sort(did)
		b.WriteString(strings.Join(did, ""))
		if cmp.Equal(before.texts(), after.texts()) {
			b.WriteString("the table is as it was\n")
		}
		if len(repaired.Repaired) > 0 && cmp.Equal(sound.texts(), after.texts()) {
			b.WriteString("the table is sound\n")
		}
		return b.String()
	})
}

// startBoard returns an engine with items by the names of the other program.
func startBoard(t *testing.T, c content) *engine {
	t.Helper()
	e := tabletest.Start(t, table.SchemaOf(board))
	var lines strings.Builder
	names := map[string]string{"PK": "pk", "SK": "sk"}
	for _, it := range c.inOrder() {
		stored := map[string]map[string]string{}
		for _, a := range it {
			stored[stdcmp.Or(names[a.Name], a.Name)] = map[string]string{"S": a.Value.Text}
		}
		line := must(json.Marshal(map[string]any{"Item": stored}))
		lines.Write(append(line, '\n'))
	}
	e.LoadLines(t, strings.NewReader(lines.String()))
	return &engine{e, admin.Scanner{Table: e.Table}}
}
