package write_test

import (
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// passes is the design of a table of another program with objects that have a unique code, and expire.
var passes = design.MustDesign(
	&stored.Layout{PK: keys.Named("pk"), SK: keys.Named("sk"), Type: "kind", Delimiter: "#"},
	[]*design.Type{{
		Name: "Pass", Identity: []string{"id"}, MaxBytes: 1024, Item: shape("PASS#{id}", "PASS#{id}"), Expires: "until",
		Attributes: []design.Attribute{
			{Name: "id", Kind: keys.IDKind, Ref: "Pass", NonNull: true}, {Name: "code", Kind: keys.String},
			{Name: "until", Kind: keys.Time, Stored: "ttl", As: keys.EpochSeconds},
		},
		Uniques: []design.Unique{{
			Attribute: "code", Key: keys.MustTemplate("CODE#{code}"), Claim: "CodeClaim", Holder: "passId",
		}},
	}}, nil).WithMutations([]*design.Mutation{
	{Name: "create", Type: "Pass", Inputs: []string{"code", "until"}},
	{Name: "update", Kind: design.UpdateMutation, Type: "Pass", Inputs: []string{"code", "until"}, HasID: true},
}, nil)

// TestUniqueValueOfWhatExpires: a claim expires with its object, so that another one may have the value.
func TestUniqueValueOfWhatExpires(t *testing.T) {
	t.Parallel()
	m := &members{tabletest.Start(t, table.SchemaOf(passes))}
	try := func(name string, in write.Input) (write.Outcome, string) {
		t.Helper()
		m.Proxy.Reset()
		out := must(write.Mutate(m.operation(t), passes, passes.Mutation(name), in))
		most := write.WorkloadOf(passes, passes.Mutation(name), &in).Units()
		if got := m.Proxy.Counts().WriteUnits; got > float64(most) {
			t.Errorf("%s %v: %v write units, at most %d were expected", name, in.Set, got, most)
		}
		return out, userErrors(out)
	}
	at := func(after time.Duration) (string, string) {
		until := time.Now().Add(after)
		return item.TimeValue(until).Text, item.IntValue(until.Unix()).Text
	}
	later, laterSeconds := at(time.Hour)
	first, errs := try("create", given("code", "x", "until", later))
	if got := m.stored(t, "CODE#x", "CODE#x").Text("ttl"); errs != "" || got != laterSeconds {
		t.Fatalf("%s; the claim expires at %q, want %s", errs, got, laterSeconds)
	}
	if _, errs := try("create", given("code", "x")); !strings.HasPrefix(errs, "code: TAKEN") {
		t.Errorf("a second pass with the code: %s", errs)
	}
	past, pastSeconds := at(-time.Minute)
	_, errs = try("update", of(first.ID, 0, given("until", past)))
	if got := m.stored(t, "CODE#x", "CODE#x").Text("ttl"); errs != "" || got != pastSeconds {
		t.Errorf("%s; then the claim expires at %q, want %s", errs, got, pastSeconds)
	}
	second, errs := try("create", given("code", "x"))
	if _, has := m.stored(t, "CODE#x", "CODE#x").Get("ttl"); errs != "" || has {
		t.Errorf("of an expired pass: %s; the claim expires: %t", errs, has)
	}

	// In a table that has data, a claim may be missing, or never expire.
	claim := keys.Key{PK: "CODE#x", SK: "CODE#x"}
	for _, damage := range []write.Action{write.DeleteItem(claim), {
		Kind: write.ActionUpdate, Key: claim, Set: item.Item{{Name: "ttl", Value: item.IntValue(9999999999)}},
	}} {
		tx := write.Transaction{}
		tx.Add("damage", damage)
		must(m.Table.TransactWriteItems(t.Context(), tx))
		if _, errs = try("update", of(second.ID, 0, given("until", later))); errs != "" {
			t.Errorf("after %v: %s", damage, errs)
		}
		report, err := check.Table(t.Context(), admin.Scanner{Table: m.Table}, check.Options{Design: passes})
		if err != nil || !report.Clean() {
			t.Errorf("after %v: %v, %+v", damage, err, report.Violations)
		}
		if _, errs = try("update", of(second.ID, 0, write.Input{Remove: []string{"until"}})); errs != "" {
			t.Error(errs)
		}
	}
}
