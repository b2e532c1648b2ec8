package follow_test

import (
	"testing"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/item"
)

// TestDefault: an object that does not store the default of a new attribute yet can be changed by the later schema, and
// gets another copy.
func TestDefault(t *testing.T) {
	t.Parallel()
	const fields, stored = migratetest.PlainFields, migratetest.Note + ` @copy(pk: "SHELF#{shelf}", sk: "NOTE#{slug}")`
	p := migratetest.Pair{
		From: migratetest.Version(t, migratetest.SDL(stored, fields, "", migratetest.GetNote)),
		To: migratetest.Version(t, migratetest.SDL(stored, fields+" likes: Int! @default(value: 3)", "",
			migratetest.GetNote)),
	}
	e := p.Start(t)
	set := item.Item{{Name: "shelf", Value: item.StringValue("s")}, {Name: "rank", Value: item.NumberValue(1)}}
	create := migratetest.Of("create", "Note", "slug", "n", set)
	if rejected, err := create.By(t, p.Own(migrate.From, e, nil)); err != nil || rejected != "" {
		t.Fatal(rejected, err)
	}
	update := migratetest.Of("update", "Note", "slug", "n", item.Item{{Name: "shelf", Value: item.StringValue("t")}})
	if rejected, err := update.By(t, p.Own(migrate.To, e, nil)); err != nil || rejected != "" {
		t.Error(rejected, err)
	}
}
