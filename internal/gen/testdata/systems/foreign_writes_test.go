package systems

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// writer writes objects of one type: it returns the items in which the object of a base item is stored.
type writer struct {
	typ   string
	items func(base item.Item) ([]item.Item, error)
}

// writes returns the writer of a type by its generated functions.
func writes[T any](typ string, read func(item.Item) (T, error), store func(T) ([]item.Item, error)) writer {
	return writer{typ, func(base item.Item) ([]item.Item, error) {
		o, err := read(base)
		if err != nil {
			return nil, err
		}
		return store(o)
	}}
}

// checkWrites reads all objects of the table and writes them to an empty one, as mutations do. That must then have
// the same items.
func (f *foreign) checkWrites(t *testing.T, writers ...writer) {
	t.Helper()
	empty := &foreign{server: start(t, f.schema, f.design), folder: f.folder, object: f.object}
	types := map[string]writer{}
	for _, w := range writers {
		types[w.typ] = w
	}
	stored := map[keys.Key]item.Item{}
	for _, it := range scan(t, f) {
		stored[keys.KeyOf(it)] = it
	}
	for _, r := range f.items {
		o := f.object(r)
		if o == nil {
			continue
		}
		w, isWritten := types[o["__typename"].(string)]
		if !isWritten {
			t.Fatalf("the test has no writer of %v", o["__typename"])
		}
		items, err := w.items(stored[f.key(r)])
		if f.isRejected(r) {
			if _, is := errors.AsType[*keys.InputError](err); !is {
				t.Errorf("%v: %v", r, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", r, err)
			continue
		}
		create := write.Transaction{Actions: write.Create(f.design, items)}
		if _, err := empty.engine.Table.TransactWriteItems(t.Context(), create); err != nil {
			t.Errorf("%v: %v", r, err)
		}
	}
	empty.items = scanRaw(t, empty)
	compareItems(t, f, empty.items)
	empty.checkNodes(t)
	checkTable(t, f)
	checkTable(t, empty)
}

func (f *foreign) isRejected(r raw) bool { return f.rejected != nil && f.rejected(r) }

// compareItems compares the items that Partita has written with those of the other program. Partita may have added
// attributes for values that the other program has only in keys.
func compareItems(t *testing.T, f *foreign, got []raw) {
	t.Helper()
	byKey := map[keys.Key]raw{}
	for _, r := range got {
		byKey[f.key(r)] = r
	}
	for _, want := range f.items {
		r := byKey[f.key(want)]
		delete(byKey, f.key(want))
		if r == nil {
			if f.object(want) != nil && !f.isRejected(want) {
				t.Errorf("not written: %v", want)
			}
			continue
		}
		for name, v := range want {
			if name != f.sharded && !reflect.DeepEqual(r[name], v) {
				t.Errorf("%v: %s is %v, not %v", f.key(want), name, r[name], v)
			}
		}
		for name := range r {
			if want[name] == nil && !f.isOnlyInKeys(want, name) {
				t.Errorf("%v: %s was added", f.key(want), name)
			}
		}
	}
	for key := range byKey {
		t.Errorf("%v was added", key)
	}
}

// isOnlyInKeys reports whether no item like this one has an attribute.
func (f *foreign) isOnlyInKeys(like raw, name string) bool {
	kind := func(r raw) string {
		typ, _ := f.object(r)["__typename"].(string)
		return cmp.Or(r.text(f.design.Layout.Type), typ)
	}
	return !slices.ContainsFunc(f.items, func(r raw) bool { return kind(r) == kind(like) && r[name] != nil })
}

func (f *foreign) key(r raw) keys.Key {
	var stored item.Item
	for name, v := range r {
		switch {
		case v["S"] != nil:
			stored = append(stored, item.Attribute{Name: name, Value: item.StringValue(r.text(name))})
		case v["N"] != nil:
			stored = append(stored,
				item.Attribute{Name: name, Value: item.Value{Kind: item.Number, Text: r.text(name)}})
		}
	}
	return f.design.Layout.KeyOf(stored)
}

// runMutations sends the operations of mutations.txt in the folder, one after the other and each once, by the plan and
// by gqlgen in turn. After the answer of each are its requests, its units, and the items that differ in the table.
func (f *foreign) runMutations(t *testing.T) {
	t.Helper()
	before, n := f.byKey(t), 0
	datadriven.RunTest(t, filepath.Join(f.folder, "mutations.txt"), func(t *testing.T, d *datadriven.TestData) string {
		f.engine.Proxy.Reset()
		response, cost := execute(t, f.handlers()[n%2], withIDs(d.Input), "")
		n++
		requests, counts := f.engine.Proxy.Log(), f.engine.Proxy.Counts()
		if cost.ReadUnits != counts.ReadUnits {
			t.Errorf("%s: the cost is %+v, the table has counted %+v", d.Pos, cost, counts)
		}
		text := readable(response) + strings.Join(append(requests, ""), "\n") +
			fmt.Sprintf("%v read units, %v write units\n", cost.ReadUnits, cost.WriteUnits)
		after := f.byKey(t)
		for _, key := range slices.Sorted(maps.Keys(before)) {
			if after[key] == "" {
				text += "deleted: " + before[key] + "\n"
			}
		}
		for _, key := range slices.Sorted(maps.Keys(after)) {
			if after[key] != before[key] {
				text += after[key] + "\n"
			}
		}
		before = after
		return text
	})
}

// byKey returns the JSON of all items by their keys, as they are in the table.
func (f *foreign) byKey(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, r := range scanRaw(t, f) {
		all[fmt.Sprint(f.key(r))] = asJSON(t, r)
	}
	return all
}

// scan returns all items as the engine's packages have them.
func scan(t *testing.T, f *foreign) []item.Item {
	t.Helper()
	result, err := admin.Scanner{Table: f.engine.Table}.Scan(t.Context(), admin.Scan{})
	if err != nil {
		t.Fatal(err)
	}
	return result.Items
}

// scanRaw returns all items as they are in the table.
func scanRaw(t *testing.T, f *foreign) []raw {
	t.Helper()
	name := f.engine.Table.Name()
	out, err := f.engine.Table.Client().Scan(t.Context(), &dynamodb.ScanInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]raw, len(out.Items))
	for i, attributes := range out.Items {
		text, err := attributevalue.MarshalMapJSON(attributes)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// checkTable runs `partita table check`, after `partita table repair --only=INDEX_ENTRY_WRONG` if shards were chosen in
// another way. The only findings are items without a type, in tables that have an attribute for it.
func checkTable(t *testing.T, f *foreign) {
	t.Helper()
	source, options := admin.Scanner{Table: f.engine.Table}, check.Options{Design: f.design}
	if f.sharded != "" {
		moving := options
		moving.Scope.Only = []check.Kind{check.IndexEntryWrong}
		report, err := check.Repair(t.Context(), source, moving)
		if err != nil || len(report.Repaired) == 0 {
			t.Errorf("%d entries were moved, %v", len(report.Repaired), err)
		}
	}
	report, err := check.Table(t.Context(), source, options)
	if err != nil {
		t.Fatal(err)
	}
	unknown := 0
	for _, v := range report.Violations {
		if v.Kind == check.ItemUnknown {
			unknown++
			continue
		}
		t.Errorf("%s %s %s: %s", v.Kind, v.PK, v.SK, v.Problem)
	}
	for _, r := range f.items {
		if name := f.design.Layout.Type; name != "" && r[name] == nil {
			unknown--
		}
	}
	if unknown != 0 {
		t.Errorf("%d more or fewer unknown items than there are", unknown)
	}
}
