package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
)

// TestNumbersInKeys: ids that are Numbers beside their digits in keys are one field with them, references and
// collections included, and a check of the table finds nothing. So are Numbers that are the keys.
func TestNumbersInKeys(t *testing.T) {
	t.Parallel()
	number := func(n int) item.Value { return item.IntValue(int64(n)) }
	var texts, numbers []item.Item
	for user := 1; user <= 12; user++ {
		key := fmt.Sprintf("USER#%d", user)
		texts = append(texts, append(tabletest.Stored(key, key, "name", fmt.Sprint("n", user)),
			item.Attribute{Name: "id", Value: number(user)}))
		for order := user * 9; order < user*9+3; order++ {
			texts = append(texts, append(tabletest.Stored(key, fmt.Sprintf("ORDER#%d", order)),
				item.Attribute{Name: "userId", Value: number(user)}, item.Attribute{Name: "id", Value: number(order)}))
			numbers = append(numbers, item.Item{
				{Name: "userId", Value: number(user)}, {Name: "number", Value: number(order - 50)},
				{Name: "total", Value: number(order % 7)},
			})
		}
	}
	for _, c := range []struct {
		items []item.Item
		want  []string
	}{
		{texts, []string{
			`@item(pk: "USER#{id}", sk: "USER#{id}")`, "id: ID! @stored(as: NUMBER)",
			`@item(pk: "USER#{userId}", sk: "ORDER#{orderId}")`, "userId: ID! @stored(as: NUMBER)",
			`user: User @get(pk: "USER#{userId}", sk: "USER#{userId}")`,
		}},
		{numbers, []string{
			`@item(pk: "{userId}", sk: "{number}")`, "number: Int!",
			`itemsByUserId(userId: Int!, number: IntRange): ItemConnection @query(pk: "{userId}")`,
		}},
	} {
		result, err := importer.Import(all(c.items), importer.Options{})
		fatal.If(t, err)
		for _, text := range c.want {
			if !strings.Contains(result.Schema, text) {
				t.Errorf("lacks %s\n%s", text, result.Schema)
			}
		}
		s := serve(t, c.items, result.Schema)
		s.checkCollections(t)
		s.checkTable(t, nil)
		if n := s.checkObjects(t); n != len(c.items) {
			t.Errorf("%d of %d items have a type", n, len(c.items))
		}
	}
}
