// Package migratetest has pairs of designs, writers in the states of a migration and random operations for tests.
package migratetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/follow"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
	"github.com/partita/partita/write"
)

// Version loads a schema.
func Version(t testing.TB, sdl string) migrate.Version {
	t.Helper()
	loaded, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: sdl})
	fatal.If(t, err)
	schema, err := directives.Read(loaded)
	fatal.If(t, err)
	return migrate.NewVersion(schema)
}

// Pair are the two sides of a migration.
type Pair struct {
	From, To migrate.Version
	// Tenants is set for a table with tenants.
	Tenants bool
	// Stream is set for a table with a stream.
	Stream bool
}

// Start returns an engine with an empty table that has the indexes of both sides, without a Proxy.
func (p Pair) Start(t testing.TB) *tabletest.Engine {
	t.Helper()
	return p.StartBehindProxy(t).Direct()
}

// StartBehindProxy is Start with a Proxy.
func (p Pair) StartBehindProxy(t testing.TB) *tabletest.Engine {
	t.Helper()
	schema := table.SchemaOf(p.From.Design)
	schema.Stream = p.Stream
	for _, index := range p.To.IndexNames() {
		if !slices.Contains(schema.Indexes, index) {
			schema.Indexes = append(schema.Indexes, index)
		}
	}
	return tabletest.Start(t, schema)
}

// Side returns the design of a side.
func (p Pair) Side(s migrate.Side) *design.Design {
	if s == migrate.To {
		return p.To.Design
	}
	return p.From.Design
}

// Writer is a gateway in a state, with the design of the side that is read as its own.
type Writer struct {
	Design *design.Design
	Table  *table.Table
	// colors are the names of colors in the side, where they have others than in From.
	colors keys.Renaming
}

// Writer returns one on the table of an engine.
func (p Pair) Writer(e *tabletest.Engine, s migrate.State) Writer {
	return p.Own(s.Reads(), e, follow.New(s, p.From, p.To))
}

// Own returns a writer with the design of a side.
func (p Pair) Own(s migrate.Side, e *tabletest.Engine, f table.Follower) Writer {
	schema := table.SchemaOf(p.Side(s))
	schema.Tenants = p.Tenants
	if isAlone := f == nil && s == migrate.To; migrate.GetsTenants(p.From, p.To) && isAlone {
		schema.Tenants = true
	} else if migrate.GetsTenants(p.From, p.To) {
		schema.Owner = &table.Owner{Name: "acme", Prefix: [...]migrate.Version{p.From, p.To}[s].Prefix()}
	}
	w := Writer{schema.Design, e.Table.WithSchema(schema).WithFollower(f), nil}
	if s == migrate.To {
		w.colors = p.laterColors()
	}
	return w
}

// laterColors returns the names that former values of the enum Color have.
func (p Pair) laterColors() keys.Renaming {
	later := keys.Renaming{}
	if enum := p.To.AST.Types["Color"]; enum != nil {
		for _, v := range enum.EnumValues {
			if was := v.Directives.ForName("was"); was != nil {
				later[was.Arguments.ForName("name").Value.Raw] = v.Name
			}
		}
	}
	return later
}

// Alone returns one that writes one side.
func (p Pair) Alone(t testing.TB, s migrate.Side) Writer {
	return p.Own(s, p.Start(t), nil)
}

// ReadItem returns a stored object.
func (w Writer) ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := w.Table.GetItem(request.WithTenant(ctx, "acme"), request.GetItem{Key: key, Consistent: true})
	if err != nil || len(res.Items) == 0 || keys.IsDeleted(res.Items[0]) {
		return nil, err
	}
	return res.Items[0], nil
}

// ReadRange returns a page of stored items.
func (w Writer) ReadRange(ctx context.Context, r write.Range) ([]item.Item, keys.Position, error) {
	res, err := w.Table.Query(request.WithTenant(ctx, "acme"), request.Query{
		PK: r.PK, Prefix: r.Prefix, From: r.From, To: r.To, Start: r.Start, Limit: r.Limit, Consistent: true,
	})
	return res.Items, res.Last, err
}

// Write carries out a transaction.
func (w Writer) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	res, err := w.Table.TransactWriteItems(ctx, t)
	if failed, is := errors.AsType[*write.ConditionError](err); is {
		for i := range failed.Failed {
			if keys.IsDeleted(failed.Failed[i].Item) {
				failed.Failed[i].Item = nil
			}
		}
	}
	if len(res.Items) > 0 {
		return res.Items[0], err
	}
	return nil, err
}

// Now returns the time of all writers.
func (w Writer) Now() time.Time { return time.Unix(1_000_000, 0) }

// Mutate carries out a mutation, and returns its user errors.
func (w Writer) Mutate(ctx context.Context, name string, in write.Input) (string, error) {
	in.Set = slices.Clone(in.Set)
	for i := range in.Set {
		in.Set[i].Value = named(w.colors, in.Set[i].Value)
	}
	ctx = request.WithTenant(ctx, "acme")
	out, err := write.Mutate(write.NewContext(ctx, w), w.Design, w.Design.Mutation(name), in)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range out.List() {
		texts = append(texts, fmt.Sprint(e.Code, " ", e.Message))
	}
	return strings.Join(texts, "; "), nil
}

// named returns a value in which colors have other names, also those within objects.
func named(colors keys.Renaming, v item.Value) item.Value {
	switch v.Kind {
	case item.Map:
		fields := slices.Clone(v.Fields())
		for i := range fields {
			fields[i].Value = named(colors, fields[i].Value)
		}
		return item.FieldsValue(fields)
	case item.List:
		elements := slices.Clone(v.Elements())
		for i := range elements {
			elements[i] = named(colors, elements[i])
		}
		return item.ListValue(elements)
	}
	return colors.Value(v)
}

// Scan returns all items as they are stored, by their keys.
func Scan(t testing.TB, of *table.Table) map[keys.Key]item.Item {
	t.Helper()
	name := of.Name()
	all := map[keys.Key]item.Item{}
	for pages := dynamodb.NewScanPaginator(of.Client(), &dynamodb.ScanInput{TableName: &name}); pages.HasMorePages(); {
		out, err := pages.NextPage(t.Context())
		fatal.If(t, err)
		for _, it := range attribute.ToItems(out.Items) {
			all[of.Schema().Layout().KeyOf(it)] = it
		}
	}
	return all
}

// Describe returns an item in one line.
func Describe(it item.Item) string {
	parts := make([]string, len(it))
	for i, a := range it {
		parts[i] = a.Name + "=" + textOf(a.Value)
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func textOf(v item.Value) string {
	switch v.Kind {
	case item.Map:
		return "{" + Describe(v.Fields()) + "}"
	case item.List:
		var texts []string
		for _, e := range v.Elements() {
			texts = append(texts, textOf(e))
		}
		return "[" + strings.Join(texts, " ") + "]"
	}
	return v.Text
}

// Wanted is what a table must have.
type Wanted struct {
	// Alone are the items of tables with one side alone, and Complete the sides of which all must be there. In any case
	// nothing else may be.
	Alone    [2]map[keys.Key]item.Item
	Complete [2]bool
	// InPlace are the sides whose form an attribute may have that both need.
	InPlace [2]migrate.Side
	// Ignored are attributes whose values may differ.
	Ignored []string
}

// Compare reports what of a table differs.
func (w Wanted) Compare(t testing.TB, got map[keys.Key]item.Item) {
	t.Helper()
	all := maps.Clone(got)
	maps.Copy(all, w.Alone[0])
	maps.Copy(all, w.Alone[1])
	for key := range all {
		// One that misses objects holds another one.
		if (key.SK == "TOP" || key.SK == "BEST") && w.Complete != [2]bool{true, true} {
			continue
		}
		names := map[string]bool{}
		for _, it := range []item.Item{got[key], w.Alone[0][key], w.Alone[1][key]} {
			for _, a := range it {
				names[a.Name] = true
			}
		}
		for name := range names {
			v, has := got[key].Find(name)
			var values []item.Value
			must, both := false, true
			for side, items := range w.Alone {
				value, is := items[key].Find(name)
				must, both = must || is && w.Complete[side], both && is
				if is {
					values = append(values, value)
				}
			}
			if both {
				values = []item.Value{values[w.InPlace[0]], values[w.InPlace[1]]}
			}
			switch {
			case has && len(values) == 0:
				t.Errorf("%v has %s=%s, which neither side has: %s", key, name, v.Text, Describe(got[key]))
			case !has && must:
				t.Errorf("%v lacks %s=%s: %s", key, name, values[0].Text, Describe(got[key]))
			case has && !slices.Contains(w.Ignored, name) && !slices.ContainsFunc(values, v.Equal):
				t.Errorf("%v has %s=%s instead of %s: %s", key, name, v.Text, values[0].Text, Describe(got[key]))
			}
		}
	}
}

// Places returns the keys of an object in an index, or with "" in the table.
func Places(t *design.Type, index string, it item.Item) []keys.Key {
	values := func(name string) keys.Value { return keys.AttributeValue(it, name) }
	var all []keys.Key
	if index == "" {
		if key, err := t.BaseKey(values); err == nil {
			all = append(all, key)
		}
		for _, c := range t.Copies {
			if key, err := c.Key(values); err == nil {
				all = append(all, key)
			}
		}
	}
	for _, ix := range t.Indexes {
		if ix.Name == index {
			if key, isEntry, err := t.IndexKey(ix, values); err == nil && isEntry {
				all = append(all, key)
			}
		}
	}
	return all
}
