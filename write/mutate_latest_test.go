package write_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// revisions returns a design of documents whose copy holds the one with the highest version, which is part of their
// identity: a deletion reads nothing.
func revisions(l *stored.Layout) *design.Design {
	doc := &design.Type{
		Name: "Doc", Identity: []string{"name", "version"}, MaxBytes: 1024,
		Attributes: []design.Attribute{
			{Name: "name", Kind: keys.String, NonNull: true}, {Name: "version", Kind: keys.Int, NonNull: true},
			{Name: "text", Kind: keys.String},
		},
		Item:   shape("DOC#{name}", "v{version:07}"),
		Copies: []design.Copy{{Shape: shape("DOC#{name}", "LATEST"), Latest: "version"}},
	}
	if l != nil {
		doc.Value, doc.Attributes[1].Stored = "D", "rev"
	}
	return design.MustDesign(l, []*design.Type{doc}, nil).WithMutations([]*design.Mutation{
		{Name: "createDoc", Type: "Doc", Inputs: []string{"name", "version", "text"}},
		{Name: "updateDoc", Kind: design.UpdateMutation, Type: "Doc", Inputs: []string{"text"}, HasID: true},
		{Name: "deleteDoc", Kind: design.DeleteMutation, Type: "Doc", HasID: true},
	}, nil)
}

// TestDeleteWithoutReading: a deletion that follows from the id leaves the copy that holds another object as it is.
func TestDeleteWithoutReading(t *testing.T) {
	t.Parallel()
	foreign := &stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "_et", Delimiter: "#"}
	for name, d := range map[string]*design.Design{"own": revisions(nil), "existing": revisions(foreign)} {
		t.Run(name, func(t *testing.T) {
			e := tabletest.Start(t, table.SchemaOf(d))
			m := &members{e}
			for i, step := range []struct {
				mutation string
				version  int
				latest   string
				requests int
			}{
				{"create", 1, "1 text 1", 1},
				{"create", 2, "2 text 2", 1},
				{"create", 3, "3 text 3", 1},
				{"delete", 1, "3 text 3", 2},
				{"create", 4, "4 text 4", 1},
				{"delete", 4, "", 1},
				{"create", 1, "", 2}, // the tombstone has the version 4
				{"create", 5, "5 text 5", 1},
				{"delete", 3, "5 text 5", 2},
			} {
				m.Proxy.Reset()
				in := given("name", "a", "version", step.version, "text", fmt.Sprint("text ", step.version))
				if step.mutation == "delete" {
					in = write.Input{ID: keys.NewID("Doc", "a", fmt.Sprint(step.version))}
				}
				out, err := write.Mutate(m.operation(t), d, d.Mutation(step.mutation+"Doc"), in)
				if err != nil || out.Any() {
					t.Fatalf("step %d: %v, %s", i, err, userErrors(out))
				}
				if log := m.Proxy.Log(); len(log) != step.requests {
					t.Errorf("step %d: want %d requests, got\n%s", i, step.requests, strings.Join(log, "\n"))
				}
				got := ""
				if it := m.stored(t, "DOC#a", "LATEST"); it != nil {
					got = it.Text("version") + " " + it.Text("text")
				}
				if got != step.latest {
					t.Errorf("step %d, %s %d: the latest is %q, want %q", i, step.mutation, step.version, got, step.latest)
				}
			}
		})
	}
}

// TestLatestKeepsOthers: what no field declares belongs to the item of the copy, whichever object it holds.
func TestLatestKeepsOthers(t *testing.T) {
	t.Parallel()
	d := revisions(nil)
	m := &members{tabletest.Start(t, table.SchemaOf(d))}
	m.Load(t, item.Item{
		text("PK", "DOC#a"), text("SK", "LATEST"), text("entityType", "Doc"), text("name", "a"),
		{Name: "version", Value: item.NumberValue(1)}, text("text", "one"), text("lock", "kept"),
	})
	for _, step := range []struct {
		mutation, want string
		in             write.Input
	}{
		{"createDoc", "lock=kept name=a version=2", given("name", "a", "version", 2)},
		{"updateDoc", "lock=kept name=a text=two version=2", of(keys.NewID("Doc", "a", "2"), 0, given("text", "two"))},
		{"deleteDoc", "", of(keys.NewID("Doc", "a", "2"), 0, write.Input{})},
		{"createDoc", "lock=kept name=a version=3", given("name", "a", "version", 3)},
	} {
		out, err := write.Mutate(m.operation(t), d, d.Mutation(step.mutation), step.in)
		if err != nil || out.Any() {
			t.Fatalf("%s: %v, %s", step.mutation, err, userErrors(out))
		}
		if got := describe(m.stored(t, "DOC#a", "LATEST")); got != step.want {
			t.Errorf("%s: the copy is %q, want %q", step.mutation, got, step.want)
		}
	}
}

// TestDeleteWithoutReadingOfTenants: of two tenants with objects of the same names, a deletion concerns one object of
// one tenant, and the copies that hold other objects remain.
func TestDeleteWithoutReadingOfTenants(t *testing.T) {
	t.Parallel()
	d := revisions(&stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "type", Delimiter: "#"})
	schema := table.SchemaOf(d)
	plain := tabletest.Start(t, schema)
	schema.Tenants = true
	m := &members{plain.With(t, schema)}
	const doc = " name=a pk=%s#DOC#a rev=%d sk=%s text=t type=D"
	row := func(tenant string, version int, sk string) string {
		return strings.TrimSpace(fmt.Sprintf(doc, tenant, version, sk))
	}
	try := func(tenant, mutation string, in write.Input) string {
		t.Helper()
		m.Proxy.Reset()
		ctx := request.WithTenant(m.operation(t), tenant)
		out, err := write.Mutate(ctx, d, d.Mutation(mutation), in)
		if err != nil || out.Any() {
			t.Fatalf("%s %s: %v, %s", tenant, mutation, err, userErrors(out))
		}
		return strings.Join(m.Proxy.Log(), "\n")
	}
	for _, tenant := range []string{"acme", "ac"} {
		for version := 1; version <= 3; version++ {
			try(tenant, "createDoc", given("name", "a", "version", version, "text", "t"))
		}
	}
	id := func(version string) write.Input { return write.Input{ID: keys.NewID("Doc", "a", version)} }
	const delete1 = `TransactWriteItems Delete acme#DOC#a v0000001, Update acme#DOC#a LATEST
TransactWriteItems Delete acme#DOC#a v0000001, ConditionCheck acme#DOC#a LATEST`
	if got := try("acme", "deleteDoc", id("1")); got != delete1 {
		t.Errorf("sent %s\nwant %s", got, delete1)
	}
	want := []string{
		row("ac", 1, "v0000001"), row("ac", 2, "v0000002"), row("ac", 3, "LATEST"), row("ac", 3, "v0000003"),
		row("acme", 2, "v0000002"), row("acme", 3, "LATEST"), row("acme", 3, "v0000003"),
	}
	if got := sorted(rows(t, plain)); !slices.Equal(got, sorted(want)) {
		t.Errorf("stored are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	const delete3 = "TransactWriteItems Delete ac#DOC#a v0000003, Update ac#DOC#a LATEST"
	if got := try("ac", "deleteDoc", id("3")); got != delete3 {
		t.Errorf("sent %s\nwant %s", got, delete3)
	}
	left := rows(t, plain)
	for _, kept := range []string{row("ac", 2, "v0000002"), row("acme", 3, "LATEST")} {
		if !slices.Contains(left, kept) {
			t.Errorf("after the latest of another tenant was deleted, %s is missing: %q", kept, left)
		}
	}
}

func sorted(rows []string) []string {
	slices.Sort(rows)
	return rows
}
