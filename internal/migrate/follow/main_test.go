package follow_test

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

// version loads a schema.
func version(t testing.TB, sdl string) migrate.Version {
	t.Helper()
	loaded, err := directives.Load(&ast.Source{Name: "schema.graphqls", Input: sdl})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := directives.Read(loaded)
	if err != nil {
		t.Fatal(err)
	}
	return migrate.NewVersion(schema)
}

// pair are the two sides of a migration.
type pair struct {
	from, to migrate.Version
	// tenants is set for a table with tenants.
	tenants bool
}

// start returns an engine with an empty table that has the indexes of both sides.
func (p pair) start(t testing.TB) *tabletest.Engine {
	t.Helper()
	schema := table.SchemaOf(p.from.Design)
	for _, index := range p.to.IndexNames() {
		if !slices.Contains(schema.Indexes, index) {
			schema.Indexes = append(schema.Indexes, index)
		}
	}
	return tabletest.Start(t, schema)
}

// side returns the design of a side.
func (p pair) side(s migrate.Side) *design.Design {
	if s == migrate.To {
		return p.to.Design
	}
	return p.from.Design
}

// writer is a gateway in a state, with the design of the side that is read as its own.
type writer struct {
	design *design.Design
	table  *table.Table
}

// writer returns one on the table of an engine.
func (p pair) writer(e *tabletest.Engine, s migrate.State) writer {
	return p.own(s.Reads(), e, follow.New(s, p.from, p.to, nil))
}

// own returns a writer with the design of a side.
func (p pair) own(s migrate.Side, e *tabletest.Engine, f table.Follower) writer {
	schema := table.SchemaOf(p.side(s))
	schema.Tenants = p.tenants
	return writer{schema.Design, e.Table.WithSchema(schema).WithFollower(f)}
}

// alone returns one that writes one side.
func (p pair) alone(t testing.TB, s migrate.Side) writer {
	return p.own(s, p.start(t), nil)
}

func (w writer) ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := w.table.GetItem(request.WithTenant(ctx, "acme"), request.GetItem{Key: key, Consistent: true})
	if err != nil || len(res.Items) == 0 || keys.IsDeleted(res.Items[0]) {
		return nil, err
	}
	return res.Items[0], nil
}

func (w writer) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	res, err := w.table.TransactWriteItems(ctx, t)
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

func (w writer) Now() time.Time { return time.Unix(1_000_000, 0) }

// mutate carries out a mutation, and returns its user errors.
func (w writer) mutate(ctx context.Context, name string, in write.Input) (string, error) {
	in.Set = slices.Clone(in.Set)
	ctx = request.WithTenant(ctx, "acme")
	out, err := write.Mutate(write.NewContext(ctx, w), w.design, w.design.Mutation(name), in)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range out.List() {
		texts = append(texts, fmt.Sprint(e.Code, " ", e.Message))
	}
	return strings.Join(texts, "; "), nil
}

// scan returns all items as they are stored, by their keys.
func scan(t testing.TB, of *table.Table) map[keys.Key]item.Item {
	t.Helper()
	name := of.Name()
	out, err := of.Client().Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	all := map[keys.Key]item.Item{}
	for _, it := range attribute.ToItems(out.Items) {
		all[of.Schema().Layout().KeyOf(it)] = it
	}
	return all
}

// describe returns an item in one line.
func describe(it item.Item) string {
	parts := make([]string, len(it))
	for i, a := range it {
		parts[i] = a.Name + "=" + a.Value.Text
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// wanted is what a table must have.
type wanted struct {
	// alone are the items of tables with one side alone, and complete the sides of which all must be there. In any case
	// nothing else may be.
	alone    [2]map[keys.Key]item.Item
	complete [2]bool
	// inPlace are the sides whose form an attribute may have that both need.
	inPlace [2]migrate.Side
	// ignored are attributes whose values may differ.
	ignored []string
}

// compare reports what of a table differs.
func (w wanted) compare(t testing.TB, got map[keys.Key]item.Item) {
	t.Helper()
	all := maps.Clone(got)
	maps.Copy(all, w.alone[0])
	maps.Copy(all, w.alone[1])
	for key := range all {
		// One that misses objects holds another one.
		if (key.SK == "TOP" || key.SK == "BEST") && w.complete != [2]bool{true, true} {
			continue
		}
		names := map[string]bool{}
		for _, it := range []item.Item{got[key], w.alone[0][key], w.alone[1][key]} {
			for _, a := range it {
				names[a.Name] = true
			}
		}
		for name := range names {
			v, has := got[key].Find(name)
			var values []item.Value
			must, both := false, true
			for side, items := range w.alone {
				value, is := items[key].Find(name)
				must, both = must || is && w.complete[side], both && is
				if is {
					values = append(values, value)
				}
			}
			if both {
				values = []item.Value{values[w.inPlace[0]], values[w.inPlace[1]]}
			}
			switch {
			case has && len(values) == 0:
				t.Errorf("%v has %s=%s, which neither side has: %s", key, name, v.Text, describe(got[key]))
			case !has && must:
				t.Errorf("%v lacks %s=%s: %s", key, name, values[0].Text, describe(got[key]))
			case has && !slices.Contains(w.ignored, name) && !slices.ContainsFunc(values, v.Equal):
				t.Errorf("%v has %s=%s instead of %s: %s", key, name, v.Text, values[0].Text, describe(got[key]))
			}
		}
	}
}
