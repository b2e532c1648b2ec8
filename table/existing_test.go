package table_test

import (
	"errors"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestConditionsOnExistingItems: an item of another program may lack an attribute whose value is in its key, have NULL
// as its deletedAt, and a set in the place of a list. Conditions hold for it, but not for an item that does not exist.
func TestConditionsOnExistingItems(t *testing.T) {
	t.Parallel()
	template := func(text string) keys.Template { return keys.MustDelimited("|", text) }
	design := design.MustDesign(
		&stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "kind", Delimiter: "|"},
		[]*design.Type{{
			Name: "Note", Identity: []string{"id"}, Item: keys.Shape{PK: template("NOTE|{id}"), SK: template("NOTE")},
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.String}, {Name: "title", Kind: keys.String, Stored: "t"}, {Name: "tags"},
				{Name: "version", Kind: keys.Int, Stored: "rev", As: keys.NumberText},
			},
		}}, nil)
	e := tabletest.Start(t, table.SchemaOf(design))
	text, list := item.StringValue, func(elements ...item.Value) item.Value { return item.ListValue(elements) }
	bare := item.Item{
		{Name: keys.AttributePK, Value: text("NOTE|a")}, {Name: keys.AttributeSK, Value: text("NOTE")},
		{Name: item.EntityType, Value: text("Note")},
		{Name: "tags", Value: item.SetValue([]item.Value{text("x"), text("y")})},
		{Name: keys.AttributeDeletedAt, Value: item.Value{Kind: item.Null}},
		{Name: "version", Value: item.NumberValue(3)},
	}
	must(transact(t, e, write.PutItem(bare)))
	is := write.IfEquals
	for name, c := range map[string]struct {
		id    string
		when  write.Precondition
		holds bool
	}{
		"a value that only the key has":          {"a", is("id", text("a")), true},
		"the same of an item that is missing":    {"b", is("id", text("b")), false},
		"another value":                          {"a", is("title", text("x")), false},
		"an attribute that is not deletedAt":     {"a", write.IfExists(), true},
		"an item that is missing":                {"b", write.IfExists(), false},
		"the version":                            {"a", write.IfVersion(3), true},
		"an old version":                         {"a", write.IfVersion(2), false},
		"the version of no item":                 {"b", write.IfVersion(3), false},
		"a set for a list":                       {"a", is("tags", list(text("x"), text("y"))), true},
		"another list":                           {"a", is("tags", list(text("x"), text("z"))), false},
		"a list with equal elements":             {"a", is("tags", list(text("x"), text("x"))), false},
		"a list without elements":                {"a", is("tags", list()), false},
		"a list of values of several kinds":      {"a", is("tags", list(text("x"), item.NumberValue(1))), false},
		"a list of values that no set can have":  {"a", is("tags", list(item.BoolValue(true))), false},
		"a value that looks like a list's":       {"a", is("tags", text("x")), false},
		"an attribute that the item has not got": {"a", write.IfUnset("title"), true},
		"the same of no item":                    {"b", write.IfUnset("title"), false},
	} {
		_, err := transact(t, e, write.Action{
			Kind: write.ActionUpdate, Key: keys.Key{PK: keys.PK("NOTE|" + c.id), SK: "NOTE"},
			Set: item.Item{{Name: "seen", Value: text(name)}}, If: []write.Precondition{c.when},
		})
		failed, isFailed := errors.AsType[*write.ConditionError](err)
		if isFailed == c.holds || err != nil && !isFailed {
			t.Errorf("%s: %v, %v", name, err, failed)
		}
	}
}
