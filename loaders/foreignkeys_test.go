package loaders_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// TestPagesOverForeignKeys: items with keys that no design has, such as control characters and the bounds of the range
// itself, are omitted one by one, and paging continues behind them.
func TestPagesOverForeignKeys(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	gatewaytest.SetViewer(s.Header, testservice.Librarian)
	const page = ` { edges { node { ... on Node { id } } }
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
	branch := func(field string) connection {
		return connection{field, `{ branch(id: "Branch:c1") { ` + field + `(%s)` + page + ` } }`, []any{"branch", field}}
	}
	shards := connection{"shards", `{ loansByState(state: OVERDUE %s)` + page + ` }`, []any{"loansByState"}}
	cases := []struct {
		connection
		omitted int
		want    []string
	}{
		{connection: branch("contents"), omitted: 9},
		{connection: branch("postings"), omitted: 4},
		{connection: shards, omitted: 9},
	}
	for i, c := range cases {
		cases[i].want = pages(t, s, c.connection, 100, false, func() {})
	}
	foreign := []string{"\x01", "\x1f", " ", "POST#\x00", "POST#", "POST#EVENT#\n", "POST$", "~", "\u0085\U0010FFFF"}
	for i, sk := range foreign {
		s.Load(t, texts(keys.AttributePK, "BRANCH#c1", keys.AttributeSK, sk))
		s.Load(t, texts(keys.AttributePK, "FOREIGN", keys.AttributeSK, sk,
			keys.IndexPK("GSI1"), fmt.Sprint("STATE#OVERDUE#", i%3), keys.IndexSK("GSI1"), sk))
	}
	for _, c := range cases {
		for _, size := range []int{1, 2, 3, 100} {
			for _, backward := range []bool{false, true} {
				got, omitted := pagesWithout(t, s, c.connection, size, backward)
				if !slices.Equal(got, c.want) || omitted != c.omitted {
					t.Errorf("%s by %d, backward %v: %d omitted\n got %v\nwant %v", c.name, size, backward, omitted, got, c.want)
				}
			}
		}
	}
}

// texts returns an item with attributes that are text: names and values by turns.
func texts(namesAndValues ...string) item.Item {
	var it item.Item
	for i := 0; i < len(namesAndValues); i += 2 {
		it = append(it, item.Attribute{Name: namesAndValues[i], Value: item.StringValue(namesAndValues[i+1])})
	}
	return it
}

// pagesWithout is pages for a collection with damaged items. It also returns how many were omitted.
func pagesWithout(
	t *testing.T, s *testservice.Service, c connection, size int, backward bool,
) (ids []string, omitted int) {
	t.Helper()
	count, cursor, more, end := "first", "after", "hasNextPage", "endCursor"
	if backward {
		count, cursor, more, end = "last", "before", "hasPreviousPage", "startCursor"
	}
	args := fmt.Sprintf("%s: %d", count, size)
	for range 200 {
		a := s.Ask(t, fmt.Sprintf(c.query, args), nil)
		for _, err := range a.Errors {
			if err.Extensions.Code != loaders.CodeDamaged {
				t.Fatalf("%s: %+v", c.name, err)
			}
		}
		omitted += len(a.Errors)
		page := gatewaytest.At(t, a.Data, c.path...)
		var part []string
		edges, _ := gatewaytest.At(t, page, "edges").([]any)
		for _, e := range edges {
			part = append(part, fmt.Sprint(gatewaytest.At(t, e, "node", "id")))
		}
		if ids = append(ids, part...); backward {
			ids = append(part, ids[:len(ids)-len(part)]...)
		}
		info := gatewaytest.At(t, page, "pageInfo")
		if gatewaytest.At(t, info, more) != true {
			return ids, omitted
		}
		args = fmt.Sprintf("%s: %d, %s: %q", count, size, cursor, gatewaytest.At(t, info, end))
	}
	t.Fatalf("%s has no end", c.name)
	return nil, 0
}
