package check_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/check"
)

// startTenants starts a table with the content of each tenant, and returns it with tenants, and without them as it is
// stored.
func startTenants(t testing.TB, contents map[string]content) (tenants, stored *engine) {
	t.Helper()
	raw := tabletest.Start(t, schema)
	withTenants := schema
	withTenants.Tenants = true
	e := raw.With(t, withTenants)
	for tenant, c := range contents {
		ctx := request.WithTenant(t.Context(), tenant)
		must(admin.LoadItems(ctx, e.Table, slices.Values(c.inOrder())))
	}
	return &engine{e, admin.Scanner{Table: e.Table}}, &engine{raw, admin.Scanner{Table: raw.Table}}
}

// of returns the texts of the items of a tenant.
func (c content) of(tenant string) []string {
	own := content{}
	for key, it := range c {
		if strings.HasPrefix(string(key.PK), tenant+"#") {
			own[key] = it
		}
	}
	return own.texts()
}

// TestTenants: what is wrong with the items of one tenant does not depend on those of another, which has everything
// that is missing. A repair changes nothing of the other.
func TestTenants(t *testing.T) {
	var want []string
	for _, line := range describe(start(t, damaged(t)).check(t).Violations) {
		kind, rest, _ := strings.Cut(line, " ")
		want = append(want, kind+" bad#"+rest)
	}
	for size := range 4 {
		tenants, stored := startTenants(t, map[string]content{"bad": damaged(t), "good": sound(t), "b": sound(t)})
		before := stored.content(t)
		o := options()
		o.PageItems = size
		found := must(check.Table(t.Context(), tenants.Scanner, o))
		if diff := cmp.Diff(want, describe(found.Violations)); diff != "" || found.Items != len(before) {
			t.Errorf("pages of %d, %d items:\n%s", size, found.Items, diff)
		}
		repaired := must(check.Repair(t.Context(), tenants.Scanner, o))
		if len(repaired.Repaired) < 5 {
			t.Errorf("repaired %q", describe(repaired.Repaired))
		}
		after := stored.content(t)
		for _, tenant := range []string{"good", "b"} {
			if diff := cmp.Diff(before.of(tenant), after.of(tenant)); diff != "" || len(after.of(tenant)) != len(sound(t)) {
				t.Errorf("pages of %d: the repair has changed %s:\n%s", size, tenant, diff)
			}
		}
		if left := tenants.check(t); len(left.Violations) >= len(want) || len(left.Violations) != len(repaired.Violations) {
			t.Errorf("left are %q", describe(left.Violations))
		}
	}
}

// TestItemsWithoutATenant: they are violations, also in a sample, and nothing repairs them.
func TestItemsWithoutATenant(t *testing.T) {
	tenants, stored := startTenants(t, map[string]content{"acme": sound(t)})
	stored.put(t, sound(t)[keyOf("TEAM#t", "TEAM#t")], tabletest.Stored("odd", "S"))
	const why = ": no tenant precedes the partition key, so that nobody can read the item"
	want := []string{"TENANT_MISSING TEAM#t TEAM#t" + why, "TENANT_MISSING odd S" + why}
	for name, run := range map[string]run{"check": check.Table, "repair": check.Repair} {
		report := must(run(t.Context(), tenants.Scanner, options()))
		if diff := cmp.Diff(want, describe(report.Violations)); diff != "" || report.Cost.WriteUnits > 0 {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	sample := must(check.ReadSample(t.Context(), tenants.Scanner, options(), 1000))
	if diff := cmp.Diff(want, describe(sample.Unfit)); diff != "" || sample.Items != len(sound(t))+2 {
		t.Errorf("the sample has %d items:\n%s", sample.Items, diff)
	}
}

// TestIndexEntryOfAnotherTenant: an item that is in the index partition of another tenant is put into its own.
func TestIndexEntryOfAnotherTenant(t *testing.T) {
	tenants, stored := startTenants(t, map[string]content{"acme": sound(t), "zeta": sound(t)})
	before := stored.content(t)
	key := keyOf("acme#TASK#k", "TASK#k")
	moved := before[key]
	for i := range moved {
		if moved[i].Name == "GSI1PK" {
			moved[i].Value.Text = "zeta#" + strings.TrimPrefix(moved[i].Value.Text, "acme#")
		}
	}
	stored.put(t, moved)
	report := tenants.repair(t)
	got := describe(report.Repaired)
	if len(got) != 1 || !strings.HasPrefix(got[0], "INDEX_ENTRY_WRONG acme#TASK#k TASK#k") {
		t.Errorf("repaired %q", got)
	}
	if got := stored.content(t)[key].Text("GSI1PK"); !strings.HasPrefix(got, "acme#STATE#") {
		t.Errorf("the entry is in %q", got)
	}
	if len(report.Violations) > 0 {
		t.Errorf("left are %q", describe(report.Violations))
	}
}
