package importer_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// maxPartitions is how many partitions of each collection are compared.
const maxPartitions = 8

// checkCollections reads partitions of each connection, and compares them with the items of the export that have
// their keys. Collections in time buckets are left to the queries of testdata/systems.
func (s *service) checkCollections(t *testing.T) {
	t.Helper()
	for _, f := range s.Design.Fields {
		if f.Kind != design.Query || f.Result != design.Connection || f.Bucketed() != "" {
			continue
		}
		seen := map[string]bool{}
		for _, stored := range s.items {
			for _, m := range f.Matches() {
				if c := s.collectionOf(f, &m, stored); c != nil && !seen[c.query] && len(seen) < maxPartitions {
					seen[c.query] = true
					s.checkCollection(t, c)
				}
			}
		}
	}
}

// collection is the items that a field must return.
type collection struct {
	field *design.Field
	// query is the field with the beginning of its arguments, and parent what it is below.
	query, parent string
	// pk and prefix select the items, by their keys in the table or in the index.
	pk, prefix string
}

// collectionOf returns the collection of a field that has an item, nil if it has not.
func (s *service) collectionOf(f *design.Field, m *design.Match, stored item.Item) *collection {
	return s.collectionWith(f, m, stored, 0)
}

// optional returns the names of the arguments of a field that select less than the whole collection.
func (s *service) optional(f *design.Field) []string {
	var names []string
	definition := s.ast.Types[f.Parent].Fields.ForName(f.Name)
	for _, a := range f.Arguments {
		if !a.Range && !definition.Arguments.ForName(a.Name).Type.NonNull {
			names = append(names, a.Name)
		}
	}
	return names
}

// collectionWith is collectionOf with the first n of the optional arguments.
func (s *service) collectionWith(f *design.Field, m *design.Match, stored item.Item, n int) *collection {
	it := s.FromStored(stored)
	at, ok := s.keyIn(f.Index, stored)
	typ := s.Type(it.Type())
	if !ok || typ != m.Type {
		return nil
	}
	pk, pkOK := m.Shape.PK.Match(s.withoutShard(f, at.pk))
	sk, skOK := m.Shape.SK.Match(at.sk)
	if !pkOK || !skOK || slices.Contains(pk, "") { // No caller can ask for objects without a value.
		return nil
	}
	optional := s.optional(f)
	values := map[string]string{}
	for i, name := range m.Shape.PK.Variables() {
		values[m.Variables[name]] = pk[i]
	}
	for i, name := range m.Shape.SK.Variables() {
		if v := m.Variables[name]; v != "" && (f.Argument(v) == nil || slices.Contains(optional[:n], v)) {
			if values[v] = sk[i]; sk[i] == "" {
				return nil
			}
		}
	}
	c := &collection{field: f, pk: s.withoutShard(f, at.pk)}
	var arguments []string
	for _, a := range f.Arguments {
		if text, has := values[a.Name]; has && !a.Range {
			if a.Kind == keys.IDKind {
				text = keys.NewID(a.Ref, text).Encode()
			}
			if a.Kind != keys.Int && a.Kind != keys.Boolean {
				text = fmt.Sprintf("%q", text)
			}
			arguments = append(arguments, a.Name+": "+text)
		}
	}
	if parent := s.Type(f.Parent); parent != nil {
		var id []string
		for _, name := range parent.Identity {
			id = append(id, values[name])
		}
		if id = s.stored(parent, id); id == nil {
			return nil
		}
		c.parent = fmt.Sprintf("node(id: %q) { ... on %s {", keys.NewID(f.Parent, id...).Encode(), f.Parent)
	}
	parts := strings.Split(at.sk, s.Layout.Delimiter)
	segments := f.SK.Segments()
	for i, segment := range segments {
		if i > 0 {
			c.prefix += s.Layout.Delimiter
		}
		if _, known := values[segment.Variable]; segment.Variable != "" && !known {
			c.prefix += segment.Literal
			break
		}
		if i == len(segments)-1 && segment.Variable == "" {
			c.prefix += segment.Literal
			break
		}
		c.prefix += parts[i]
	}
	c.query = c.parent + " " + f.Name + "(" + strings.Join(append(arguments, "first: 100"), ", ")
	return c
}

// stored returns the identity of an item of a type that has it, nil if none has. Keys can have it in another case.
func (s *service) stored(typ *design.Type, id []string) []string {
	for _, stored := range s.items {
		it := s.FromStored(stored)
		if it.Type() == typ.Name && slices.EqualFunc(identity(typ, it), id, strings.EqualFold) {
			return identity(typ, it)
		}
	}
	return nil
}

func identity(typ *design.Type, it item.Item) []string {
	var id []string
	for _, name := range typ.Identity {
		id = append(id, it.Text(name))
	}
	return id
}

// place is a key. A Number is a text with the place of the number in the order.
type place struct{ pk, sk string }

// keyIn returns the key of an item in an index, or in the table for "".
func (s *service) keyIn(index string, stored item.Item) (place, bool) {
	ix := s.Layout.Index(index)
	at := place{ix.PK.Text(stored), ix.SK.Text(stored)}
	return at, at.pk != "" && (len(ix.SK) == 0 || at.sk != "")
}

// shown returns a key in an index, or in the table for "", as people write it.
func (s *service) shown(index string, at place) place {
	ix := s.Layout.Index(index)
	return place{ix.PK.Show(at.pk), ix.SK.Show(at.sk)}
}

// withoutShard returns a partition key without the shard at its end.
func (s *service) withoutShard(f *design.Field, pk string) string {
	if len(f.Shards()) < 2 {
		return pk
	}
	return pk[:max(0, strings.LastIndex(pk, s.Layout.Delimiter))]
}

// checkCollection compares one collection, unless it has items that the schema does not have, which is an error of the
// field.
func (s *service) checkCollection(t *testing.T, c *collection) {
	t.Helper()
	sortKeys := map[string]place{}
	var want []string
	for _, stored := range s.items {
		at, ok := s.keyIn(c.field.Index, stored)
		if !ok || s.withoutShard(c.field, at.pk) != c.pk || !strings.HasPrefix(at.sk, c.prefix) {
			continue
		}
		it := s.FromStored(stored)
		typ := s.typeOf(stored)
		if typ == nil {
			return
		}
		id := keys.NewID(typ.Name, identity(typ, it)...).Encode()
		sortKeys[id] = at
		want = append(want, id)
	}
	got, err := s.readAll(t, c)
	if err != nil {
		t.Errorf("%s): %v", c.query, err)
	}
	if c.field.EdgeNode {
		if len(got) != len(want) {
			t.Errorf("%s): %d nodes, want %d", c.query, len(got), len(want))
		}
		return
	}
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%s): %q, want %q", c.query, got, want)
		return
	}
	if !slices.IsSortedFunc(got, func(a, b string) int {
		if c.field.Descending {
			a, b = b, a
		}
		return cmp.Compare(sortKeys[a].sk, sortKeys[b].sk)
	}) {
		t.Errorf("%s): the objects are not in order", c.query)
	}
}

// readAll returns the global IDs of a collection, page by page.
func (s *service) readAll(t *testing.T, c *collection) ([]string, error) {
	t.Helper()
	var ids []string
	for after := ""; ; {
		query := "{ " + c.query + after + ") { nodes { ... on Node { id } } pageInfo { hasNextPage endCursor } } }"
		if c.parent != "" {
			query += " } }"
		}
		var page struct {
			Nodes    []*struct{ ID string }
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
		data, err := s.answer(t, query)
		if err != nil {
			return nil, err
		}
		var inner map[string]json.RawMessage
		fatal.If(t, json.Unmarshal(data, &inner))
		if c.parent != "" {
			node := inner["node"]
			inner = nil
			fatal.If(t, json.Unmarshal(node, &inner))
		}
		if err := json.Unmarshal(inner[c.field.Name], &page); err != nil {
			t.Fatal(query, err)
		}
		for _, n := range page.Nodes {
			if n == nil {
				ids = append(ids, "")
				continue
			}
			ids = append(ids, n.ID)
		}
		if !page.PageInfo.HasNextPage {
			return ids, nil
		}
		after = fmt.Sprintf(", after: %q", page.PageInfo.EndCursor)
	}
}
