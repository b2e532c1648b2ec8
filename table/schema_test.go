package table_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// TestKeyAttributes: each key attribute is defined once, those of fields that are Numbers as such.
func TestKeyAttributes(t *testing.T) {
	shape := func(pk, sk string) keys.Shape {
		return keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}
	}
	d := design.MustDesign(&stored.Layout{
		PK: keys.Named("pk"), SK: keys.Named("sk"), Delimiter: keys.Delimiter,
		Indexes: []stored.IndexLayout{
			{Name: "swapped", PK: keys.Named("sk"), SK: keys.Named("pk")},
			{Name: "by-list", PK: keys.Named("list"), SK: keys.Named("due")},
			{Name: "by-due", PK: keys.Named("due")},
		},
	}, []*design.Type{{
		Name: "Task", Identity: []string{"id"}, Item: shape("TASK#{id}", "TASK#{id}"),
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.IDKind}, {Name: "list"}, {Name: "at", Stored: "due", Kind: keys.Time, As: keys.EpochSeconds},
		},
		Indexes: []design.Index{
			{Name: "swapped", Shape: shape("TASK#{id}", "TASK#{id}")}, {Name: "by-list", Shape: shape("{list}", "{at}")},
			{Name: "by-due", Shape: shape("{at}", "")}, {Name: "GSI1", Shape: shape("ALL", "{id}")},
		},
	}}, nil)
	want := map[string]types.ScalarAttributeType{
		"pk": "S", "sk": "S", "list": "S", "due": "N", "GSI1PK": "S", "GSI1SK": "S",
	}
	got := table.SchemaOf(d).KeyAttributes()
	for _, a := range got {
		if want[*a.AttributeName] != a.AttributeType {
			t.Errorf("%s is %s, want %q", *a.AttributeName, a.AttributeType, want[*a.AttributeName])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d attributes, want %d", len(got), len(want))
	}
}
