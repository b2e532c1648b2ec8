package browse_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// TestTenants: each tenant has the partitions and the items of a table of its own, in all indexes. Without a tenant,
// nothing is read.
func TestTenants(t *testing.T) {
	for _, name := range []string{"billing", "teams", "hotpartition"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := exampletest.Open(t, "../../../examples/"+name)
			s := e.Serve(t)
			alone := browser(s)
			source := tenants(t, e, "a", "ab", "b c")
			shared := browse.New(source, check.Options{Design: s.Schema.Design}, []byte("secret"))
			for _, index := range append([]string{""}, s.Schema.Design.IndexNames()...) {
				want := partitions(t.Context(), t, alone, index)
				for _, tenant := range []string{"a", "ab", "b c"} {
					ctx := request.WithTenant(t.Context(), tenant)
					if diff := cmp.Diff(want, partitions(ctx, t, shared, index)); diff != "" {
						t.Errorf("%s %s: -alone +shared\n%s", index, tenant, diff)
					}
					for pk := range want {
						q := question{"index": index, "pk": pk}
						mine, theirs := askIn[page](ctx, t, shared, "items", q), ask[page](t, alone, "items", q)
						if diff := cmp.Diff(theirs.Items, mine.Items); diff != "" {
							t.Errorf("%s %s %s: -alone +shared\n%s", index, pk, tenant, diff)
						}
					}
				}
				ctx := request.WithTenant(t.Context(), "none")
				if all := partitions(ctx, t, shared, index); len(all) > 0 {
					t.Errorf("a tenant without items has %v", all)
				}
			}
			if _, _, err := shared.Answer(t.Context(), "partitions", []byte("{}")); !errors.Is(err, table.ErrNoTenant) {
				t.Errorf("without a tenant: %v", err)
			}
			if _, _, err := shared.Answer(t.Context(), "items", []byte(`{"pk": "x"}`)); !errors.Is(err, table.ErrNoTenant) {
				t.Errorf("without a tenant: %v", err)
			}
		})
	}
}

// tenants returns a table in which each tenant has the data of the example. Those without a tenant belong to nobody.
func tenants(t *testing.T, e *exampletest.Example, names ...string) admin.Scanner {
	t.Helper()
	s := e.Serve(t)
	schema := s.Engine.Table.Schema()
	schema.Tenants = true
	engine := s.Engine.With(t, schema)
	for _, name := range names {
		ctx := request.WithTenant(t.Context(), name)
		if _, err := admin.Load(ctx, engine.Table, strings.NewReader(e.Data(t))); err != nil {
			t.Fatal(err)
		}
	}
	return admin.Scanner{Table: engine.Table}
}

// TestPositionOfATenant: a list of partitions has positions at items of others, and shows nothing of them. The position
// of one tenant is none of another.
func TestPositionOfATenant(t *testing.T) {
	e := exampletest.Open(t, "../../../examples/billing")
	b := browse.New(limited{tenants(t, e, "a", "b")}, check.Options{Design: e.Schema.Design}, []byte("secret"))
	own, other := request.WithTenant(t.Context(), "a"), request.WithTenant(t.Context(), "b")
	first := askIn[list](own, t, b, "partitions", question{})
	if first.Next == "" {
		t.Fatal("the list has one page")
	}
	if _, _, err := b.Answer(other, "partitions", []byte(`{"after": "`+first.Next+`"}`)); err == nil {
		t.Error("the position of another tenant is accepted")
	}
	for _, ctx := range []context.Context{own, other} {
		got := slices.Sorted(maps.Keys(partitions(ctx, t, b, "")))
		if diff := cmp.Diff([]string{"TENANT#acme", "TENANT#globex"}, got); diff != "" {
			t.Error(diff)
		}
	}
}

// limited reads two items at a time.
type limited struct{ admin.Scanner }

// ScanKeys implements browse.Source.
func (l limited) ScanKeys(ctx context.Context, s admin.KeyScan) (admin.KeyPage, error) {
	s.Limit = 2
	return l.Scanner.ScanKeys(ctx, s)
}
