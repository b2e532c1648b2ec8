package follow_test

import (
	"math/rand/v2"
	"testing"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
)

// TestLostAnswers: a mutation whose answer from the table is lost succeeds once, in each state.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	const fields = "rank: Int!\n color: String\n text: String\n version: Int! @version\n tags: [String!]"
	get := migratetest.GetNote
	from := migratetest.SDL(migratetest.Note, fields, "", get)
	entry := func(rank string) string {
		stored := migratetest.Note + ` @index(pk: "COLOR#{color}", sk: "` + rank + `#{slug}")`
		return migratetest.SDL(stored, fields, "", get+` colored(color: String!): NoteConnection @query(index: "GSI1",`+
			` pk: "COLOR#{color}")`)
	}
	for name, schemas := range map[string][2]string{
		"unique": {from, migratetest.SDL(migratetest.Note, "rank: Int!\n color: String @unique\n text: String\n"+
			" version: Int! @version\n tags: [String!]", "", get)},
		"name": {from, migratetest.SDL(migratetest.Note, "rank: Int!\n color: String @stored(name: \"hue\")\n text: String\n"+
			" version: Int! @version\n tags: [String!]", "", get)},
		"copy": {
			from, migratetest.SDL(migratetest.Note+` @copy(pk: "SHELF#{shelf}", sk: "NOTE#{slug}")`, fields, "", get),
		},
		"entry in place": {entry("{rank:03}"), entry("{rank:05}")},
	} {
		for state := migrate.Former; state <= migrate.Latter; state++ {
			t.Run(name+" "+state.String(), func(t *testing.T) {
				t.Parallel()
				p := migratetest.Pair{From: migratetest.Version(t, schemas[0]), To: migratetest.Version(t, schemas[1])}
				e := p.StartBehindProxy(t)
				w := p.Writer(e, state)
				random := rand.New(rand.NewPCG(1, 2))
				e.Proxy.Inject(tabletest.Faults{Lost: 0.3, Conflict: 0.1, Reset: 0.1})
				for n := range 20 {
					o := randomNote("update", random)
					if n == 0 {
						o = randomNote("create", random)
					}
					if rejected, err := o.By(t, w); err != nil || rejected != "" {
						t.Fatalf("%d: %v: %s %v", n, o, rejected, err)
					}
				}
			})
		}
	}
}

func randomNote(verb string, random *rand.Rand) migratetest.Operation {
	text := func() item.Value { return item.StringValue(string(rune('a' + random.IntN(4)))) }
	set := item.Item{
		{Name: "shelf", Value: text()}, {Name: "rank", Value: item.NumberValue(random.IntN(9))},
		{Name: "color", Value: text()}, {Name: "text", Value: text()},
		{Name: "tags", Value: item.ListValue([]item.Value{text()})},
	}
	if verb == "update" {
		set = set[random.IntN(len(set)):]
	}
	return migratetest.Of(verb, "Note", "slug", "n", set)
}
