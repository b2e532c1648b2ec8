package table_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

func TestGetItem(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Load(t, tabletest.Stored("USER#1", "USER#1", "name", "Ada"))

	got, err := e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: "USER#1", SK: "USER#1"}})
	fatal.If(t, err)
	if len(got.Items) != 1 || got.Items[0].Text("name") != "Ada" || got.ReadUnits != 0.5 || got.Retries != 0 {
		t.Errorf("got %+v", got)
	}
	got, err = e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: "USER#2", SK: "USER#2"}, Consistent: true})
	fatal.If(t, err)
	if len(got.Items) != 0 || got.ReadUnits != 1 {
		t.Errorf("missing item: got %+v", got)
	}
	want := []string{"GetItem USER#1 USER#1", "GetItem USER#2 USER#2, consistent"}
	if log := e.Proxy.Log(); !slices.Equal(log, want) {
		t.Errorf("log %q, want %q", log, want)
	}
}

func TestBatchGetItem(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	var wanted []keys.Key
	for i := range request.MaxBatchKeys {
		id := fmt.Sprintf("USER#%02d", i)
		wanted = append(wanted, keys.Key{PK: keys.PK(id), SK: keys.SK(id)})
		if i >= 5 {
			e.Load(t, tabletest.Stored(id, id))
		}
	}
	got := must(e.Table.BatchGetItem(t.Context(), request.BatchGetItem{Keys: wanted}))
	found := primaryKeys(got.Items)
	slices.Sort(found)
	if len(found) != 95 || len(slices.Compact(found)) != 95 || found[0] != "USER#05 USER#05" {
		t.Errorf("found %d: %q", len(found), found)
	}
	// Half a unit for each key, found or not.
	if got.ReadUnits != 50 || got.Unprocessed != nil {
		t.Errorf("%v units, unprocessed %v", got.ReadUnits, got.Unprocessed)
	}
	if n := e.Proxy.Counts().Total(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestQueryConditions(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	for _, sk := range []string{"FOLLOWS#9", "ORDER#1", "ORDER#2", "ORDER#3", "USER#7"} {
		e.Load(t, tabletest.Stored("USER#7", sk, "GSI1PK", "ALL", "GSI1SK", sk))
	}
	e.Load(t, tabletest.Stored("USER#8", "ORDER#1"))
	for _, c := range []struct {
		query request.Query
		log   string
		want  string
	}{
		{request.Query{PK: "USER#7"},
			"Query PK = USER#7", "FOLLOWS#9 ORDER#1 ORDER#2 ORDER#3 USER#7"},
		{request.Query{PK: "USER#7", Prefix: "ORDER#"},
			"Query PK = USER#7, begins_with(SK, ORDER#)", "ORDER#1 ORDER#2 ORDER#3"},
		{request.Query{PK: "USER#7", Prefix: "order#"}, "Query PK = USER#7, begins_with(SK, order#)", ""},
		{request.Query{PK: "USER#7", From: "ORDER#2", To: "USER#7", Descending: true, Limit: 2},
			"Query PK = USER#7, SK BETWEEN ORDER#2 AND USER#7, descending, limit 2", "USER#7 ORDER#3"},
		{request.Query{PK: "USER#7", Prefix: "ORDER#", Start: keys.Position{SK: "ORDER#2"}, Consistent: true},
			"Query PK = USER#7, begins_with(SK, ORDER#), after ORDER#2, consistent", "ORDER#3"},
		{request.Query{Index: "GSI1", PK: "ALL", Prefix: "ORDER#", Descending: true, Consistent: true,
			Start: keys.Position{SK: "ORDER#3", Base: keys.Key{PK: "USER#7", SK: "ORDER#3"}}},
			"Query GSI1: GSI1PK = ALL, begins_with(GSI1SK, ORDER#), descending, after ORDER#3 of USER#7 ORDER#3",
			"ORDER#2 ORDER#1"},
		{request.Query{PK: "USER#none"}, "Query PK = USER#none", ""},
	} {
		e.Proxy.Reset()
		got, err := e.Table.Query(t.Context(), c.query)
		if err != nil {
			t.Errorf("%s: %v", c.log, err)
			continue
		}
		var sks []string
		for _, it := range got.Items {
			sks = append(sks, it.Text(keys.AttributeSK))
		}
		if s := strings.Join(sks, " "); s != c.want {
			t.Errorf("%s: got %s, want %s", c.log, s, c.want)
		}
		if log := e.Proxy.Log(); !slices.Equal(log, []string{c.log}) {
			t.Errorf("log %q, want %q", log, c.log)
		}
	}
	if _, err := e.Table.Query(t.Context(), request.Query{Index: "GSI2", PK: "ALL"}); err == nil {
		t.Error("no error for an index that the schema does not have")
	}
}

// TestQueryPagesThroughTies reads items of which all but two have the same index sort key, so that
// they differ only in the base key of the Position.
func TestQueryPagesThroughTies(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	want := []string{"A S"}
	e.Load(t, tabletest.Stored("A", "S", "GSI1PK", "TIES", "GSI1SK", "0"))
	for i := range 9 {
		pk := fmt.Sprintf("P%d", i)
		e.Load(t, tabletest.Stored(pk, "S", "GSI1PK", "TIES", "GSI1SK", "1"))
		want = append(want, pk+" S")
	}
	e.Load(t, tabletest.Stored("B", "S", "GSI1PK", "TIES", "GSI1SK", "2"))
	want = append(want, "B S")
	for _, descending := range []bool{false, true} {
		for limit := 1; limit <= 7; limit++ {
			var got []string
			q := request.Query{Index: "GSI1", PK: "TIES", Descending: descending, Limit: limit}
			for {
				page := must(e.Table.Query(t.Context(), q))
				if len(page.Items) > limit {
					t.Fatalf("%d items, limit %d", len(page.Items), limit)
				}
				got = append(got, primaryKeys(page.Items)...)
				if q.Start = page.Last; q.Start.IsZero() {
					break
				}
			}
			if descending {
				slices.Reverse(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("descending %v, limit %d: got %q, want %q", descending, limit, got, want)
			}
		}
	}
}

func TestQueryReadUnitsAreRoundedOnce(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	for i := range 6 {
		e.Load(t, tabletest.Stored("U", fmt.Sprint(i), "text", strings.Repeat("x", 1500)))
	}
	got := must(e.Table.Query(t.Context(), request.Query{PK: "U"}))
	if got.ReadUnits != 1.5 { // 9 KB are three times 4 KB
		t.Errorf("%v read units", got.ReadUnits)
	}
	if units := e.Proxy.Counts().ReadUnits; units != 1.5 {
		t.Errorf("the proxy counted %v", units)
	}
}

func TestValuesOfAllKinds(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	const line = `{"Item":{"PK":{"S":"A"},"SK":{"S":"B"},"s":{"S":"ü"},"n":{"N":"-12.50"},
		"t":{"BOOL":true},"f":{"BOOL":false},
		"nil":{"NULL":true},"b":{"B":"AAH/"},"l":{"L":[{"S":"x"},{"N":"1"}]},"m":{"M":{"k":{"S":"v"}}},
		"ss":{"SS":["a"]},"ns":{"NS":["7"]},"bs":{"BS":["AA=="]},"el":{"L":[]},"em":{"M":{}},"es":{"S":""}}}`
	must(admin.Load(t.Context(), e.Table, strings.NewReader(strings.ReplaceAll(line, "\n", ""))))
	got := must(e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: "A", SK: "B"}}))
	list := func(elements ...item.Value) item.Value { return item.ListValue(elements) }
	set := func(elements ...item.Value) item.Value { return item.SetValue(elements) }
	number := func(digits string) item.Value { return item.Value{Kind: item.Number, Text: digits} }
	binary := func(bytes string) item.Value { return item.Value{Kind: item.Binary, Text: bytes} }
	fields := item.FieldsValue
	want := map[string]item.Value{
		"PK": item.StringValue("A"), "SK": item.StringValue("B"), "s": item.StringValue("ü"), "es": item.StringValue(""),
		"n": number("-12.5"), "t": item.BoolValue(true), "f": item.BoolValue(false), "nil": {}, "b": binary("\x00\x01\xff"),
		"l": list(item.StringValue("x"), number("1")), "el": item.ListValue([]item.Value{}), "em": fields(item.Item{}),
		"m":  fields(item.Item{{Name: "k", Value: item.StringValue("v")}}),
		"ss": set(item.StringValue("a")), "ns": set(number("7")), "bs": set(binary("\x00")),
	}
	if len(got.Items) != 1 || len(got.Items[0]) != len(want) {
		t.Fatalf("got %v", got.Items)
	}
	same := func(v item.Value, name string) bool { return reflect.DeepEqual(v, want[name]) }
	for _, a := range got.Items[0] {
		if !same(a.Value, a.Name) {
			t.Errorf("%s: got %v, want %v", a.Name, a.Value, want[a.Name])
		}
	}
	// What was read can be written back.
	again := slices.DeleteFunc(slices.Clone(got.Items[0]), func(a item.Attribute) bool { return a.Name == "PK" })
	again = append(again, item.Attribute{Name: "PK", Value: item.StringValue("C")})
	e.Load(t, again)
	copied := must(e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: "C", SK: "B"}}))
	for _, a := range copied.Items[0] {
		if a.Name != "PK" && !same(a.Value, a.Name) {
			t.Errorf("written back, %s: got %v, want %v", a.Name, a.Value, want[a.Name])
		}
	}
}
