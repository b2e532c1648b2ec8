package write_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestUniqueClaimIgnoresCase: texts that differ in case or in their normal form only have the same claim.
func TestUniqueClaimIgnoresCase(t *testing.T) {
	t.Parallel()
	member := club.Type("Member")
	keyOf := func(email string) keys.Key {
		it := item.Item{{Name: "id", Value: item.StringValue("a")}, {Name: "email", Value: item.StringValue(email)}}
		claim := must(write.UniqueClaim(member, member.Uniques[0], it))
		return keys.KeyOf(claim)
	}
	for _, texts := range [][]string{
		{"straße", "STRASSE", "STRAẞE"}, {"e\u0301", "é", "É"}, {"σας", "ΣΑΣ"}, {"ꭰ", "Ꭰ"}, {"ᏸ", "Ᏸ"},
	} {
		for _, text := range texts {
			if keyOf(text) != keyOf(texts[0]) {
				t.Errorf("%q and %q have two claims", texts[0], text)
			}
		}
	}
}

// files has objects with ids and unique values of any length, one within a folder.
var files = design.MustDesign(nil, []*design.Type{{
	Name: "File", Identity: []string{"disk", "id"}, MaxBytes: 16 << 10, Item: shape("DISK#{disk}", "FILE#{id}"),
	Attributes: []design.Attribute{
		{Name: "disk", Kind: keys.String, NonNull: true}, {Name: "id", Kind: keys.String, NonNull: true},
		{Name: "name", Kind: keys.String}, {Name: "path", Kind: keys.String}, {Name: "folder", Kind: keys.String},
	},
	Uniques: []design.Unique{
		{Attribute: "name", Key: keys.MustTemplate("NAME#{name}"), Claim: "NameClaim", Holder: "fileId", IgnoreCase: true},
		{
			Attribute: "path", Key: keys.MustTemplate("_unique#{folder}#{path:upper}"), SK: keys.MustTemplate("_unique#"),
			Claim: "_Unique", Holder: "fileId",
		},
	},
}}, nil).WithMutations([]*design.Mutation{
	{Name: "create", Type: "File", Inputs: []string{"disk", "id", "name", "path", "folder"}, HasIdempotencyKey: true},
	{Name: "update", Kind: design.UpdateMutation, Type: "File", Inputs: []string{"name", "path", "folder"}, HasID: true},
	{Name: "delete", Kind: design.DeleteMutation, Type: "File", HasID: true},
}, nil)

// TestUnitsOfLongUniqueValues: no mutation consumes more than is estimated for its input, and none more than for any
// input, however long the values and the ids are.
func TestUnitsOfLongUniqueValues(t *testing.T) {
	t.Parallel()
	m := &members{tabletest.Start(t, table.SchemaOf(files))}
	long := strings.Repeat
	for i, disk := range []string{"d", long("d", 1000), long("%", 2000), long("d", 2043)} {
		for k, id := range []string{"i", long("i", 300), long(":", 1019)} {
			try := func(name string, in write.Input) {
				t.Helper()
				m.Proxy.Reset()
				out, err := write.Mutate(m.operation(t), files, files.Mutation(name), in)
				if err != nil || out.Any() {
					t.Fatal(name, err, userErrors(out))
				}
				got, any := m.Proxy.Counts().WriteUnits, write.WorkloadOf(files, files.Mutation(name), nil).Units()
				if most := write.WorkloadOf(files, files.Mutation(name), &in).Units(); got > float64(most) || most > any {
					t.Errorf("%s %d.%d: %v write units, at most %d for the input and %d for any", name, i, k, got, most, any)
				}
			}
			of := func(in write.Input) write.Input {
				in.ID = keys.NewID("File", disk, id)
				return in
			}
			at := fmt.Sprint(i, k)
			in := given("disk", disk, "id", id, "name", at+long("n", 1000), "path", at+long("ß", 200), "folder", long("f", 900))
			in.IdempotencyKey = at
			try("create", in)
			try("update", of(given("folder", at+long("g", 1000))))
			try("update", of(given("name", at, "path", at)))
			try("update", of(given("name", at+long("ﷺ", 30))))
			try("update", of(given("path", nil)))
			try("update", of(given("path", at+long("p", 1000), "name", at+long("m", 1010))))
			try("delete", of(write.Input{}))
		}
	}
}
