package table_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// tenants is the schema with tenants, and raw has the same table without them.
func tenants(t *testing.T) (e, raw *tabletest.Engine) {
	t.Helper()
	raw = tabletest.Start(t, schema)
	withTenants := schema
	withTenants.Tenants = true
	return raw.With(t, withTenants), raw
}

// storedKeys returns the key of each stored item.
func storedKeys(t *testing.T, raw *tabletest.Engine, index, pk string) []string {
	t.Helper()
	got := must(raw.Table.Query(t.Context(), request.Query{Index: index, PK: keys.PK(pk)}))
	return primaryKeys(got.Items)
}

// TestReservedKey: nobody writes under the key of the leases, not even a tenant whose name is its first part.
func TestReservedKey(t *testing.T) {
	t.Parallel()
	e, raw := tenants(t)
	for name, test := range map[string]struct {
		engine     *tabletest.Engine
		tenant, pk string
	}{
		"a put":    {raw, "", stored.LeasePK},
		"a design": {raw, "", stored.DesignPK},
		"a tenant": {e, "PARTITA", "LIVE"},
	} {
		it := tabletest.Stored(test.pk, "LEASE#0", "holder", "eve")
		for _, action := range []write.Action{
			write.PutItem(it, write.IfMissing()),
			{Kind: write.ActionUpdate, Key: keys.KeyOf(it), Set: item.Item{{Name: "holder", Value: item.StringValue("eve")}}},
		} {
			ctx := request.WithTenant(t.Context(), test.tenant)
			_, err := test.engine.Table.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{action}})
			if _, is := errors.AsType[*keys.InputError](err); !is {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	if got := storedKeys(t, raw, "", stored.LeasePK); len(got) > 0 {
		t.Errorf("stored %q", got)
	}
}

// TestTenantPrecedesPartitionKeys: all requests of a tenant have its keys, and its results have none.
func TestTenantPrecedesPartitionKeys(t *testing.T) {
	t.Parallel()
	e, raw := tenants(t)
	acme, other := request.WithTenant(t.Context(), "acme"), request.WithTenant(t.Context(), "ac")
	put := func(sk string) write.Action {
		return write.PutItem(tabletest.Stored("USER#1", sk, "GSI1PK", "ALL", "GSI1SK", sk), write.IfMissing())
	}
	both := write.Transaction{Actions: []write.Action{put("A"), put("B")}}
	must(e.Table.TransactWriteItems(acme, both))
	if got := both.Actions[0].Key.PK; got != "USER#1" { // What is sent again has the tenant once.
		t.Errorf("the caller's transaction has the key %s", got)
	}
	if got := storedKeys(t, raw, "GSI1", "acme#ALL"); !slices.Equal(got, []string{"acme#USER#1 A", "acme#USER#1 B"}) {
		t.Errorf("stored %q", got)
	}
	e.Proxy.Reset()
	key := keys.Key{PK: "USER#1", SK: "A"}
	two := []keys.Key{key, {PK: "USER#1", SK: "none"}}
	for _, tenant := range []string{"acme", "ac"} {
		ctx, want := request.WithTenant(t.Context(), tenant), 1
		if tenant == "ac" {
			want = 0
		}
		got, err := e.Table.GetItem(ctx, request.GetItem{Key: key})
		if err != nil || len(got.Items) != want {
			t.Fatalf("%s: GetItem: got %+v, %v", tenant, got, err)
		}
		if want == 1 && got.Items[0].Text("PK")+" "+got.Items[0].Text("GSI1PK") != "USER#1 ALL" {
			t.Errorf("got %v", got.Items[0])
		}
		batch, err := e.Table.BatchGetItem(ctx, request.BatchGetItem{Keys: two})
		if err != nil || len(batch.Items) != want || want == 1 && keys.KeyOf(batch.Items[0]) != key {
			t.Errorf("%s: BatchGetItem: got %+v, %v", tenant, batch, err)
		}
		page, err := e.Table.Query(ctx, request.Query{Index: "GSI1", PK: "ALL", Limit: 1})
		if err != nil || len(page.Items) != want || want == 1 && page.Last != (keys.Position{SK: "A", Base: key}) {
			t.Errorf("%s: Query: got %+v, %v", tenant, page, err)
		}
		next, err := e.Table.Query(ctx, request.Query{Index: "GSI1", PK: "ALL", Start: keys.Position{SK: "A", Base: key}})
		if err != nil || len(next.Items) != want || want == 1 && next.Items[0].Text("SK") != "B" {
			t.Errorf("%s: next Query: got %+v, %v", tenant, next, err)
		}
		inTable, err := e.Table.Query(ctx, request.Query{PK: "USER#1", Start: keys.Position{SK: "A"}})
		if err != nil || len(inTable.Items) != want {
			t.Errorf("%s: Query of the table: got %+v, %v", tenant, inTable, err)
		}
	}
	if log := e.Proxy.Log(); !slices.Equal(log[:5], []string{
		"GetItem acme#USER#1 A", "BatchGetItem acme#USER#1 A, acme#USER#1 none", "Query GSI1: GSI1PK = acme#ALL, limit 1",
		"Query GSI1: GSI1PK = acme#ALL, after A of acme#USER#1 A", "Query PK = acme#USER#1, after A",
	}) {
		t.Errorf("log %q", log)
	}
	for _, line := range e.Proxy.Log()[5:] {
		if strings.Contains(line, "acme") || !strings.Contains(line, "ac#") {
			t.Errorf("the other tenant has sent %q", line)
		}
	}

	// A failed condition shows the item of the tenant, and conditions compare keys with the tenant.
	change := func(from, to string) write.Transaction {
		return write.Transaction{Actions: []write.Action{{
			Kind: write.ActionUpdate, Key: key, Set: item.Item{{Name: "GSI1PK", Value: item.StringValue(to)}},
			If: []write.Precondition{write.IfEquals("GSI1PK", item.StringValue(from))},
		}}}
	}
	updated, err := e.Table.TransactWriteItems(acme, change("ALL", "SOME"))
	if err != nil || len(updated.Items) != 1 || keys.KeyOf(updated.Items[0]) != key ||
		updated.Items[0].Text("GSI1PK") != "SOME" {
		t.Errorf("got %+v, %v", updated, err)
	}
	if got := storedKeys(t, raw, "GSI1", "acme#SOME"); len(got) != 1 {
		t.Errorf("stored %q", got)
	}
	_, err = e.Table.TransactWriteItems(acme, change("ALL", "SOME"))
	failed, is := errors.AsType[*write.ConditionError](err)
	if !is || keys.KeyOf(failed.Failed[0].Item) != key || failed.Failed[0].Item.Text("GSI1PK") != "SOME" {
		t.Errorf("got %+v, %v", failed, err)
	}
	// What exists for one tenant does not for another.
	if _, err := e.Table.TransactWriteItems(other, write.Transaction{Actions: []write.Action{put("A")}}); err != nil {
		t.Error(err)
	}
}

// TestNothingIsSentWithoutATenant: the border is closed to requests of nobody.
func TestNothingIsSentWithoutATenant(t *testing.T) {
	t.Parallel()
	e, _ := tenants(t)
	for _, tenant := range []string{"", "a#", "#", "a\x00", strings.Repeat("x", keys.MaxTenantBytes+1)} {
		ctx := request.WithTenant(t.Context(), tenant)
		if tenant == "" {
			ctx = t.Context()
		}
		key := keys.Key{PK: "A", SK: "S"}
		_, get := e.Table.GetItem(ctx, request.GetItem{Key: key})
		_, batch := e.Table.BatchGetItem(ctx, request.BatchGetItem{Keys: []keys.Key{key}})
		_, query := e.Table.Query(ctx, request.Query{PK: "A"})
		_, transact := e.Table.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{write.DeleteItem(key)}})
		for _, err := range []error{get, batch, query, transact} {
			if !errors.Is(err, table.ErrNoTenant) {
				t.Errorf("tenant %q: %v", tenant, err)
			}
		}
	}
	if log := e.Proxy.Log(); len(log) > 0 {
		t.Errorf("sent %q", log)
	}
}

// TestKeysThatAreTooLongWithTheTenant: nothing is stored under them, so that reads find nothing, and writes are errors
// of the caller.
func TestKeysThatAreTooLongWithTheTenant(t *testing.T) {
	t.Parallel()
	e, _ := tenants(t)
	ctx := request.WithTenant(t.Context(), "acme")
	fits := keys.Key{PK: keys.PK(strings.Repeat("x", keys.MaxPKBytes-len("acme#"))), SK: "S"}
	long := keys.Key{PK: fits.PK + "x", SK: "S"}
	write1 := func(key keys.Key, index string) error {
		it := tabletest.Stored(string(key.PK), "S", "GSI1PK", index, "GSI1SK", "S")
		_, err := e.Table.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{write.PutItem(it)}})
		return err
	}
	fatal.If(t, write1(fits, string(fits.PK)))
	for _, err := range []error{write1(long, "I"), write1(keys.Key{PK: "A", SK: "S"}, string(long.PK))} {
		if _, is := errors.AsType[*keys.InputError](err); !is {
			t.Errorf("got %v", err)
		}
	}
	e.Proxy.Reset()
	one, err := e.Table.GetItem(ctx, request.GetItem{Key: long})
	many, batchErr := e.Table.BatchGetItem(ctx, request.BatchGetItem{Keys: []keys.Key{long}})
	page, queryErr := e.Table.Query(ctx, request.Query{PK: long.PK})
	if errors.Join(err, batchErr, queryErr) != nil || len(one.Items)+len(many.Items)+len(page.Items) > 0 {
		t.Errorf("got %v %v %v", err, batchErr, queryErr)
	}
	if log := e.Proxy.Log(); len(log) > 0 {
		t.Errorf("sent %q", log)
	}
	many, err = e.Table.BatchGetItem(ctx, request.BatchGetItem{Keys: []keys.Key{long, fits}})
	if err != nil || len(many.Items) != 1 {
		t.Errorf("got %d items, %v", len(many.Items), err)
	}
}

// TestEntryOfAnotherTenant: an item that somebody has put into a tenant's index partition shows nothing, and paging
// continues behind it.
func TestEntryOfAnotherTenant(t *testing.T) {
	t.Parallel()
	e, raw := tenants(t)
	raw.Load(t,
		tabletest.Stored("acme#A", "S", "GSI1PK", "acme#ALL", "GSI1SK", "1", "text", "own"),
		tabletest.Stored("zeta#B", "S", "GSI1PK", "acme#ALL", "GSI1SK", "1", "text", "secret"),
		tabletest.Stored("acme#C", "S", "GSI1PK", "acme#ALL", "GSI1SK", "1", "text", "own"),
		tabletest.Stored("acme#D", "S", "GSI1PK", "zeta#ALL", "GSI1SK", "1", "text", "own"))
	ctx := request.WithTenant(t.Context(), "acme")
	found := map[string]int{}
	q := request.Query{Index: "GSI1", PK: "ALL", Limit: 1}
	for range 4 {
		page := must(e.Table.Query(ctx, q))
		for _, it := range page.Items {
			found[it.Text("PK")+" "+it.Text("text")]++
		}
		if q.Start = page.Last; q.Start.IsZero() {
			break
		}
	}
	if len(found) != 3 || found["A own"] != 1 || found["C own"] != 1 || found["\x00zeta#B "] != 1 || !q.Start.IsZero() {
		t.Errorf("found %v, and then %+v", found, q.Start)
	}
	got, err := e.Table.GetItem(ctx, request.GetItem{Key: keys.Key{PK: "D", SK: "S"}})
	if err != nil || len(got.Items) != 1 || got.Items[0].Text("GSI1PK") != "\x00zeta#ALL" ||
		got.Items[0].Text("text") != "own" {
		t.Errorf("got %v, %v", got.Items, err)
	}
	// Its entry can be repaired on the condition that it is as it was read.
	_, err = e.Table.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{{
		Kind: write.ActionUpdate, Key: keys.Key{PK: "D", SK: "S"},
		Set: item.Item{{Name: "GSI1PK", Value: item.StringValue("ALL")}},
		If:  []write.Precondition{write.IfEquals("GSI1PK", item.StringValue("\x00zeta#ALL"))},
	}}})
	if err != nil || len(storedKeys(t, raw, "GSI1", "zeta#ALL")) > 0 {
		t.Errorf("got %v", err)
	}
}

// TestEqualTokensOfTenants: the token of one tenant's transaction says nothing about another's.
func TestEqualTokensOfTenants(t *testing.T) {
	t.Parallel()
	e, _ := tenants(t)
	for _, tenant := range []string{"acme", "zeta", "acme"} {
		w := write.Transaction{
			Token: "36 characters at most", Actions: []write.Action{write.PutItem(tabletest.Stored("A", "S"))},
		}
		if _, err := e.Table.TransactWriteItems(request.WithTenant(t.Context(), tenant), w); err != nil {
			t.Errorf("%s: %v", tenant, err)
		}
	}
}

// TestOwner: while all belongs to one tenant, nothing is sent for others. Its keys get the tenant when reads switch,
// and what it has sent before is not sent again as another transaction, neither then nor when others have come.
func TestOwner(t *testing.T) {
	t.Parallel()
	e, raw := tenants(t)
	acme := request.WithTenant(t.Context(), "acme")
	read := func(s table.Schema, ctx context.Context) string {
		got, err := e.Table.WithSchema(s).GetItem(ctx, request.GetItem{Key: keys.Key{PK: "A", SK: "S"}})
		if errors.Is(err, table.ErrNoTenant) {
			return "none"
		}
		return fmt.Sprint(primaryKeys(got.Items), err)
	}
	raw.Load(t, tabletest.Stored("A", "S"), tabletest.Stored("acme#A", "S"))
	for _, prefix := range []keys.Tenant{"", "acme#"} {
		s := schema
		s.Owner = &table.Owner{Name: "acme", Prefix: prefix}
		other := request.WithTenant(t.Context(), "other")
		if got := read(s, acme) + read(s, other) + read(s, t.Context()); got != "[A S] <nil>nonenone" {
			t.Errorf("%q: %s", prefix, got)
		}
		s.Owner = &table.Owner{Prefix: prefix}
		if got := read(s, t.Context()); got != "[A S] <nil>" {
			t.Errorf("%q without tenants: %s", prefix, got)
		}
		s.Owner = &table.Owner{Name: table.Nobody}
		if got := read(s, acme) + read(s, t.Context()); got != "nonenone" {
			t.Errorf("nobody: %s", got)
		}
	}
	put := func(s table.Schema, n string) error {
		_, err := e.Table.WithSchema(s).TransactWriteItems(acme, write.Transaction{Token: "one", Actions: []write.Action{
			write.PutItem(tabletest.Stored("B", "S", "n", n)), write.PutItem(tabletest.Stored("C", "S")),
		}})
		return err
	}
	first, owned := schema, schema
	first.Tenants, first.First, owned.Owner = true, "acme", &table.Owner{Name: "acme", Prefix: "acme#"}
	fatal.If(t, put(owned, "1"))
	if err := put(first, "2"); !errors.Is(err, write.ErrTokenReused) {
		t.Error(err)
	}
	if err := put(table.Schema{Tenants: true, Indexes: schema.Indexes, Design: schema.Design}, "2"); err != nil {
		t.Error(err)
	}
}

func TestSchemasWithoutTenants(t *testing.T) {
	t.Parallel()
	template := func(pk, sk string) keys.Shape {
		return keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}
	}
	for name, c := range map[string]struct {
		index stored.IndexLayout
		shape keys.Shape
		want  string
	}{
		"own attribute": {
			stored.IndexLayout{Name: "byKey", PK: keys.Named("own"), SK: keys.Named("email")},
			template("E#{email}", "{email}"), "",
		},
		"partition of table": {
			stored.IndexLayout{Name: "local", PK: keys.Named("PK"), SK: keys.Named("email")},
			template("U#{id}", "{email}"), "",
		},
		"ordinary attribute": {
			stored.IndexLayout{Name: "byEmail", PK: keys.Named("email"), SK: keys.Named("PK")}, template("{email}", "U#{id}"),
			"no tenant can precede the partition key email of the index byEmail, which has entries of the type User: " +
				"it is the field User.email: give the index a String attribute of its own as its partition key in " +
				"@table(indexes:), such as pk: \"byEmailPK\", or leave out TENANT_CLAIM",
		},
		"keys swapped": {
			stored.IndexLayout{Name: "inverted", PK: keys.Named("SK"), SK: keys.Named("PK")}, template("U#{id}", "U#{id}"),
			"it is the sort key of the table",
		},
		"number": {
			stored.IndexLayout{Name: "byAge", PK: keys.Named("age"), SK: keys.Named("PK")}, template("{age}", "U#{id}"),
			"it is a Number",
		},
	} {
		layout := &stored.Layout{
			PK: keys.Named("PK"), SK: keys.Named("SK"), Delimiter: "#", Indexes: []stored.IndexLayout{c.index},
		}
		design := design.MustDesign(layout, []*design.Type{{
			Name: "User", Identity: []string{"id"}, Item: template("U#{id}", "U#{id}"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.IDKind}, {Name: "email", Kind: keys.String}, {Name: "age", Kind: keys.Int},
			},
			Indexes: []design.Index{{Name: c.index.Name, Shape: c.shape, Shards: 1}},
		}}, nil)
		schema := table.SchemaOf(design)
		if _, err := table.Open(t.Context(), table.Settings{Endpoint: "http://127.0.0.1:1"}, schema, discard); err != nil {
			t.Errorf("%s, without tenants: %v", name, err)
		}
		settings := table.Settings{Endpoint: "http://127.0.0.1:1", TenantClaim: "tenant"}
		_, err := table.Open(t.Context(), settings, schema, discard)
		e, is := errors.AsType[*exit.Error](err)
		isRejected := is && e.Code == exit.Config && strings.Contains(err.Error(), c.want)
		if c.want == "" && err != nil || c.want != "" && !isRejected {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
