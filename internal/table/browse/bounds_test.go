package browse_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table/check"
)

// recorded is a table that records what is asked for, and what that consumes.
type recorded struct {
	admin.Scanner
	requests *[]string
	units    *float64
}

func record(s *exampletest.Service) (*browse.Browser, recorded) {
	r := recorded{admin.Scanner{Table: s.Engine.Table}, new([]string), new(float64)}
	return browse.New(r, check.Options{Design: s.Schema.Design}, []byte("secret")), r
}

func (r recorded) QueryStored(ctx context.Context, q request.Query) (request.Result, error) {
	result, err := r.Scanner.QueryStored(ctx, q)
	*r.requests = append(*r.requests, fmt.Sprintf("Query %s limit %d", q.PK, q.Limit))
	*r.units += result.ReadUnits
	return result, err
}

func (r recorded) ScanKeys(ctx context.Context, s admin.KeyScan) (admin.KeyPage, error) {
	*r.requests = append(*r.requests, "Scan")
	return r.Scanner.ScanKeys(ctx, s)
}

// members loads n members of a tenant, of 1,000 bytes each. They are before the tenant itself.
func members(t *testing.T, s *exampletest.Service, n int) {
	t.Helper()
	text := item.StringValue
	tenant := item.Item{
		{Name: "PK", Value: text("TENANT#big")}, {Name: "SK", Value: text("TENANT#big")},
		{Name: "entityType", Value: text("Tenant")}, {Name: "id", Value: text("big")},
		{Name: "name", Value: text("Big")}, {Name: "invoiceCount", Value: item.NumberValue(0)},
	}
	all := []item.Item{tenant}
	for i := range n {
		email := fmt.Sprintf("%03d", i)
		it := item.Item{
			{Name: "PK", Value: text("TENANT#big")}, {Name: "SK", Value: text("MEMBER#" + email)},
			{Name: "entityType", Value: text("Member")}, {Name: "tenantId", Value: text("big")},
			{Name: "email", Value: text(email)}, {Name: "role", Value: text("USER")},
		}
		rest := text(strings.Repeat("x", 1000-it.Size()-len("note")))
		all = append(all, append(it, item.Attribute{Name: "note", Value: rest}))
	}
	s.Engine.Load(t, all...)
}

// TestBounds: each place of a collection is one Query of one page, whatever is before it.
func TestBounds(t *testing.T) {
	s, _ := billing(t)
	members(t, s, 120)
	b, r := record(s)
	for name, test := range map[string]struct {
		question    question
		first, last string
		n           int
		units       float64
	}{
		"the beginning":      {question{}, "MEMBER#000", "MEMBER#049", 50, 6.5},
		"a sort key":         {question{"from": "MEMBER#100"}, "MEMBER#100", "TENANT#big", 21, 2.5},
		"a type":             {question{"within": "TENANT#"}, "TENANT#big", "TENANT#big", 1, 0.5},
		"the end":            {question{"order": "DESC"}, "TENANT#big", "MEMBER#071", 50, 6},
		"the end of a type":  {question{"within": "MEMBER#", "order": "DESC"}, "MEMBER#119", "MEMBER#070", 50, 6.5},
		"down from a key":    {question{"from": "MEMBER#01", "order": "DESC"}, "MEMBER#019", "MEMBER#000", 20, 2.5},
		"behind all":         {question{"from": "ZEBRA"}, "", "", 0, 0.5},
		"a type without any": {question{"within": "INVOICE#"}, "", "", 0, 0.5},
	} {
		*r.requests, *r.units = nil, 0
		test.question["pk"] = "TENANT#big"
		p := ask[page](t, b, "items", test.question)
		var first, last string
		if len(p.Items) > 0 {
			first, last = p.Items[0].SK.Text, p.Items[len(p.Items)-1].SK.Text
		}
		if first != test.first || last != test.last || len(p.Items) != test.n {
			t.Errorf("%s: %s to %s, %d items", name, first, last, len(p.Items))
		}
		if diff := cmp.Diff([]string{"Query TENANT#big limit 50"}, *r.requests); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if p.ReadUnits != test.units || *r.units != test.units {
			t.Errorf("%s: %v units, %v shown, want %v", name, *r.units, p.ReadUnits, test.units)
		}
	}
}

// TestDescendingPages: the pages from the end are those from the beginning, the other way round.
func TestDescendingPages(t *testing.T) {
	s, b := billing(t)
	members(t, s, 120)
	var up, down []string
	for _, it := range collection(t, b, "", "TENANT#big", "") {
		up = append(up, it.SK.Text)
	}
	for after := ""; ; {
		p := ask[page](t, b, "items", question{"pk": "TENANT#big", "order": "DESC", "after": after})
		for _, it := range p.Items {
			down = append(down, it.SK.Text)
		}
		if after = p.Next; after == "" {
			break
		}
	}
	slices.Reverse(down)
	if diff := cmp.Diff(up, down); diff != "" || len(up) != 121 {
		t.Errorf("%d items\n%s", len(up), diff)
	}
}

// TestBoundsOfNumbers: a Number is a whole sort key, in both orders.
func TestBoundsOfNumbers(t *testing.T) {
	b := browser(exampletest.Open(t, "../../gen/testdata/foreign/films").Serve(t))
	for _, q := range []question{{"from": "0.5"}, {"from": "0.5", "order": "DESC"}, {"within": "0.5"}} {
		q["index"], q["pk"] = "RatingIndex", "2013"
		p := ask[page](t, b, "items", q)
		if len(p.Items) == 0 || p.Items[0].AtSK != "0.5" {
			t.Errorf("%v: got %d items", q, len(p.Items))
		}
		if last := p.Items[len(p.Items)-1]; (q["within"] != "") != (last.AtSK == "0.5") {
			t.Errorf("%v ends with %s", q, last.AtSK)
		}
	}
}

// TestKinds: which items a partition may have, and which object it is of.
func TestKinds(t *testing.T) {
	type answer struct {
		Base  *struct{ Type, SK string }
		Kinds []struct{ Label, SK string }
	}
	_, b := billing(t)
	show := func(q question) string {
		a := ask[answer](t, b, "items", q)
		text := "no object"
		if a.Base != nil {
			text = a.Base.Type + " at " + a.Base.SK
		}
		for _, k := range a.Kinds {
			text += ", " + k.Label + " " + k.SK
		}
		return text
	}
	const all = ", BillingEvent EVENT#, Invoice INVOICE#, Member MEMBER#, Tenant TENANT#"
	for _, test := range []struct {
		question question
		want     string
	}{
		{question{"pk": "TENANT#acme"}, "Tenant at TENANT#acme" + all},
		{question{"pk": "TENANT#nobody"}, "Tenant at TENANT#nobody" + all},
		{question{"index": "GSI1", "pk": "TENANT#acme"}, "no object, Member ROLE#"},
		{question{"index": "GSI1", "pk": "INVOICES#OPEN#1"}, "no object, Invoice "},
		{question{"pk": "NOTES"}, "no object"},
	} {
		if got := show(test.question); got != test.want {
			t.Errorf("%v: got %s, want %s", test.question, got, test.want)
		}
	}
}

// TestEveryItemIsOfAKind: each item of a type is in the place that its kind has, in all tables.
func TestEveryItemIsOfAKind(t *testing.T) {
	type answer struct {
		Base  *struct{ Type, SK string }
		Items []shown
		Kinds []struct{ Label, SK string }
	}
	for _, e := range tables(t) {
		t.Run(filepath.Base(filepath.Dir(e.Dir))+"/"+e.Name, func(t *testing.T) {
			t.Parallel()
			s := e.Serve(t)
			b := browser(s)
			for _, index := range append([]string{""}, s.Schema.Design.IndexNames()...) {
				for _, pk := range slices.Sorted(maps.Keys(partitions(t.Context(), t, b, index))) {
					a := ask[answer](t, b, "items", question{"index": index, "pk": pk})
					for _, it := range a.Items {
						if it.Problems != nil || it.Role != "object" && it.Role != "copy" {
							continue
						}
						isOf := func(k struct{ Label, SK string }) bool {
							return (k.Label == it.Label || index != "" && strings.HasSuffix(it.Label, k.Label)) &&
								strings.HasPrefix(it.AtSK, k.SK)
						}
						if !slices.ContainsFunc(a.Kinds, isOf) {
							t.Errorf("%s %s: %s at %s is of none of %v", index, pk, it.Label, it.AtSK, a.Kinds)
						}
					}
				}
			}
		})
	}
}
