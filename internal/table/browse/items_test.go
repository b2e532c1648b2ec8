package browse_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/check"
)

func billing(t *testing.T) (*exampletest.Service, *browse.Browser) {
	t.Helper()
	s := exampletest.Open(t, "../../../examples/billing").Serve(t)
	return s, browser(s)
}

// decoded returns the parts of a key as LITERAL<field=value>, and with * for one that leads to another object.
func decoded(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Shard:
			b.WriteString("<shard " + p.Text + ">")
		case p.Field == "":
			b.WriteString(p.Text)
		default:
			b.WriteString("<" + p.Field + "=" + p.Text)
			if p.Value != "" {
				b.WriteString("=" + p.Value)
			}
			if p.Link != nil {
				b.WriteString("*")
			}
			b.WriteString(">")
		}
	}
	return b.String()
}

// TestDecoded: literals, padded numbers and shards.
func TestDecoded(t *testing.T) {
	_, b := billing(t)
	p := ask[page](t, b, "items", question{"pk": "TENANT#acme", "from": "INVOICE#"})
	if got := decoded(p.Parts); got != "TENANT#<Tenant.id=acme>" {
		t.Errorf("the partition is %s", got)
	}
	it := p.Items[0]
	var got []string
	for _, k := range append([]key{it.PK, it.SK}, entryKeys(it)...) {
		got = append(got, k.Name+" "+decoded(k.Parts))
	}
	want := []string{
		"PK TENANT#<Invoice.tenantId=acme*>", "SK INVOICE#<Invoice.number=00000009=9>",
		"GSI1PK INVOICES#<Invoice.status=PAID>#<shard 3>",
		"GSI1SK <Invoice.dueOn=2026-01-31>#<Invoice.tenantId=acme*>#<Invoice.number=00000009=9>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	id, err := keys.ParseID(it.ID)
	if err != nil || id != "Invoice:acme:9" {
		t.Errorf("the id is %q, %v", id, err)
	}
}

// TestAccess: which fields read a partition, and what of it.
func TestAccess(t *testing.T) {
	_, b := billing(t)
	var got []string
	for _, a := range ask[page](t, b, "items", question{"pk": "TENANT#acme"}).Access {
		got = append(got, a.Field+": "+a.Kind+" "+a.Condition+" | "+a.SK)
	}
	want := []string{
		"Invoice.tenant: Get PK = TENANT#acme, SK = TENANT#acme | TENANT#acme",
		"Query.invoice: Get PK = TENANT#acme, SK = INVOICE#{number} | INVOICE#",
		"Query.tenant: Get PK = TENANT#acme, SK = TENANT#acme | TENANT#acme",
		"Tenant.contents: Query PK = TENANT#acme | ",
		"Tenant.events: Query PK = TENANT#acme, begins_with(SK, EVENT#) | EVENT#",
		"Tenant.invoices: Query PK = TENANT#acme, begins_with(SK, INVOICE#) | INVOICE#",
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	shard := ask[page](t, b, "items", question{"index": "GSI1", "pk": "INVOICES#OPEN#1"})
	shards := []string{"INVOICES#OPEN#0", "INVOICES#OPEN#1", "INVOICES#OPEN#2", "INVOICES#OPEN#3"}
	if !slices.Equal(shard.Shards, shards) {
		t.Errorf("the shards are %q, want %q", shard.Shards, shards)
	}
	if one := ask[page](t, b, "items", question{"pk": "TENANT#acme"}); one.Shards != nil {
		t.Errorf("a partition without shards has %q", one.Shards)
	}
	if len(shard.Access) != 1 || shard.Access[0].Field != "Query.openInvoices" {
		t.Errorf("a shard is read by %+v", shard.Access)
	}
}

// TestLinks: from a member to its tenant, and from the tenant to all that refers to it.
func TestLinks(t *testing.T) {
	_, b := billing(t)
	member := ask[page](t, b, "items", question{"pk": "TENANT#acme", "from": "MEMBER#"}).Items[0]
	want := []link{
		{"entry", "entry in GSI1", "GSI1", "TENANT#acme", "ROLE#ADMIN#ada@acme.example", true},
		{"reference", "tenantId → Tenant", "", "TENANT#acme", "TENANT#acme", true},
	}
	if diff := cmp.Diff(want, member.Links); diff != "" {
		t.Error(diff)
	}
	tenant := ask[page](t, b, "items", question{"pk": "TENANT#acme", "from": "TENANT#"}).Items[0]
	var got []string
	for _, l := range tenant.Links {
		got = append(got, strings.TrimSpace(l.Kind+" "+l.Label+" "+l.Index+" "+l.SK))
	}
	wantLinks := []string{
		"field Tenant.contents", "field Tenant.events  EVENT#", "field Tenant.invoices  INVOICE#",
		"field Tenant.members GSI1 ROLE#", "referrer Member.tenantId  MEMBER#",
	}
	slices.Sort(got)
	if diff := cmp.Diff(wantLinks, got); diff != "" {
		t.Error(diff)
	}
}

// TestClaims: an object leads to the claim of its unique value, and the claim to the object.
func TestClaims(t *testing.T) {
	s := exampletest.Open(t, "../../../examples/teams").Serve(t)
	b := browser(s)
	claims := 0
	for pk := range partitions(t.Context(), t, b, "") {
		for _, it := range collection(t, b, "", pk, "") {
			for _, l := range it.Links {
				if l.Kind != "claim" {
					continue
				}
				claim := ask[page](t, b, "items", question{"pk": l.PK, "from": l.SK}).Items[0]
				if claim.Role != "claim" || claim.Label != l.Label || len(claim.Links) != 1 ||
					claim.Links[0].PK != it.PK.Text || claim.Links[0].Kind != "holder" {
					t.Errorf("%s is claimed by %+v", pk, claim)
				}
				claims++
			}
		}
	}
	if claims == 0 {
		t.Error("no object has a claim")
	}
}

// TestDamaged: what table check says about an item by itself, and all kinds of values.
func TestDamaged(t *testing.T) {
	s, b := billing(t)
	text := item.StringValue
	values := item.Item{
		{Name: "PK", Value: text("TENANT#odd")}, {Name: "SK", Value: text("NOTE#1")},
		{Name: "binary", Value: item.Value{Kind: item.Binary, Text: "\x00\xff"}},
		{Name: "names", Value: item.SetValue([]item.Value{text("a"), text("<b>")})},
		{Name: "numbers", Value: item.SetValue([]item.Value{item.NumberValue(1)})},
		{Name: "nothing", Value: item.Value{}},
		{Name: "tree", Value: item.FieldsValue(item.Item{
			{Name: "list", Value: item.ListValue([]item.Value{item.BoolValue(true)})},
		})},
		{Name: "long", Value: text(strings.Repeat("ä", 10_000))},
	}
	s.Engine.Load(t, values, item.Item{
		{Name: "PK", Value: text("TENANT#odd")}, {Name: "SK", Value: text("INVOICE#00000001")},
		{Name: "entityType", Value: text("Invoice")}, {Name: "number", Value: text("one")},
	}, item.Item{
		{Name: "PK", Value: text("TENANT#odd")}, {Name: "SK", Value: text("PLANET#1")},
		{Name: "entityType", Value: text("Planet")},
	})
	p := ask[page](t, b, "items", question{"pk": "TENANT#odd"})
	var got []string
	for _, it := range p.Items {
		got = append(got, it.Role+" "+string(it.Problems[0].Kind)+" "+it.Problems[0].Problem)
	}
	want := []string{
		"object ITEM_INVALID this is no Invoice: tenantId is missing",
		"unknown ITEM_UNKNOWN the item has no entityType",
		`unknown ITEM_UNKNOWN "Planet" is no type of the schema`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	shown := map[string]string{}
	for _, a := range p.Items[1].Attributes {
		shown[a.Name] = a.Type + " " + a.Value
		if a.Cut != (a.Name == "long") {
			t.Errorf("%s is cut: %v", a.Name, a.Cut)
		}
	}
	for name, want := range map[string]string{
		"binary": "B AP8=", "nothing": "NULL ", "numbers": `NS ["1"]`, "tree": `M {"list":{"L":[{"BOOL":true}]}}`,
		"long": "S " + strings.Repeat("ä", 8<<10),
	} {
		if shown[name] != want {
			t.Errorf("%s is %.200s, want %.200s", name, shown[name], want)
		}
	}
	if !strings.Contains(shown["names"], `"<b>"`) || !strings.HasPrefix(shown["names"], "SS ") {
		t.Errorf("names is %s", shown["names"])
	}
}

// TestFormats: a value in another format is shown as stored, and with what it means.
func TestFormats(t *testing.T) {
	s := exampletest.Open(t, "../../gen/testdata/foreign/devices").Serve(t)
	b := browser(s)
	seen := false
	for pk := range partitions(t.Context(), t, b, "") {
		for _, it := range collection(t, b, "", pk, "") {
			for _, a := range it.Attributes {
				if a.Format == "EPOCH_SECONDS" {
					seen = seen || a.Type == "N" && strings.HasSuffix(a.Means, "Z") && strings.HasSuffix(a.Field, ".at")
				}
			}
		}
	}
	if !seen {
		t.Error("no time in seconds is shown as a time")
	}
}

// TestFind: a global id leads to its object, any other text to a partition.
func TestFind(t *testing.T) {
	_, b := billing(t)
	type found struct {
		PK, SK, Type string
		Values       []string
	}
	for text, want := range map[string]found{
		keys.NewID("Invoice", "acme", "9").Encode(): {"TENANT#acme", "INVOICE#00000009", "Invoice", []string{"acme", "9"}},
		"TENANT#acme\n":                    {PK: "TENANT#acme"},
		keys.NewID("Planet", "1").Encode(): {PK: keys.NewID("Planet", "1").Encode()},
	} {
		if got := ask[found](t, b, "find", question{"text": text}); !cmp.Equal(got, want) {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

// TestPositions: a position continues its own list, and is rejected by all others.
func TestPositions(t *testing.T) {
	s, b := billing(t)
	var notes []item.Item
	for range 60 {
		notes = append(notes, item.Item{
			{Name: "PK", Value: item.StringValue("NOTES")},
			{Name: "SK", Value: item.StringValue(string(rune('a' + len(notes))))},
		})
	}
	s.Engine.Load(t, notes...)
	first := ask[page](t, b, "items", question{"pk": "NOTES"})
	rest := ask[page](t, b, "items", question{"pk": "NOTES", "after": first.Next})
	if len(first.Items) != 50 || len(rest.Items) != 10 || rest.Items[0].SK.Text != notes[50].Text("SK") {
		t.Errorf("pages of %d and %d items", len(first.Items), len(rest.Items))
	}
	other := browse.New(admin.Scanner{Table: s.Engine.Table}, check.Options{Design: s.Schema.Design}, []byte("another"))
	for name, test := range map[string]struct {
		b *browse.Browser
		q string
	}{
		"another partition": {b, `{"pk": "TENANT#acme", "after": "` + first.Next + `"}`},
		"another index":     {b, `{"index": "GSI1", "pk": "NOTES", "after": "` + first.Next + `"}`},
		"another beginning": {b, `{"pk": "NOTES", "from": "b", "after": "` + first.Next + `"}`},
		"another secret":    {other, `{"pk": "NOTES", "after": "` + first.Next + `"}`},
		"no position":       {b, `{"pk": "NOTES", "after": "NOTES"}`},
	} {
		if _, _, err := test.b.Answer(t.Context(), "items", []byte(test.q)); err == nil ||
			!strings.Contains(err.Error(), "The position is none of this list") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, _, err := b.Answer(t.Context(), "partitions", []byte(`{"after": "`+first.Next+`"}`)); err == nil {
		t.Error("the position in a collection is one in a list of partitions")
	}
	tenant := request.WithTenant(t.Context(), "a")
	if _, _, err := b.Answer(tenant, "items", []byte(`{"pk": "NOTES", "after": "`+first.Next+`"}`)); err == nil {
		t.Error("the position is one of a tenant")
	}
	own := askIn[page](tenant, t, b, "items", question{"pk": "NOTES"})
	if rest := askIn[page](tenant, t, b, "items", question{"pk": "NOTES", "after": own.Next}); len(rest.Items) != 10 {
		t.Errorf("the second page of a tenant has %d items", len(rest.Items))
	}
}

// noScan is a table whose credentials do not allow a Scan.
type noScan struct{ admin.Scanner }

func (noScan) ScanKeys(context.Context, admin.KeyScan) (admin.KeyPage, error) {
	return admin.KeyPage{}, errors.Join(request.ErrAccessDenied)
}

// TestScanIsNotAllowed: collections are shown, and there is no list of partitions.
func TestScanIsNotAllowed(t *testing.T) {
	s, _ := billing(t)
	source := noScan{admin.Scanner{Table: s.Engine.Table}}
	b := browse.New(source, check.Options{Design: s.Schema.Design}, nil)
	if l := ask[list](t, b, "partitions", question{}); !l.Denied || len(l.Partitions) > 0 {
		t.Errorf("got %+v", l)
	}
	if p := ask[page](t, b, "items", question{"pk": "TENANT#acme"}); len(p.Items) == 0 {
		t.Error("there are no items")
	}
}
