package design_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

func TestTenantNames(t *testing.T) {
	for _, delimiter := range []string{"", "#", "|", "::", "ab"} {
		layout := &stored.Layout{Delimiter: delimiter}
		for _, name := range []string{
			"acme", "a", "A", "org_2026", "Ünïcode 株式会社", "e\u0301", "*", "?", "${x}", strings.Repeat("x", keys.MaxTenantBytes),
		} {
			if delimiter == "ab" && strings.HasSuffix(name, "a") {
				continue
			}
			if err := layout.CheckTenant(name); err != nil {
				t.Errorf("delimiter %q, tenant %q: %v", delimiter, name, err)
			}
		}
		effective := delimiter
		if delimiter == "" {
			effective = keys.Delimiter
		}
		for _, name := range []string{
			"", effective, "a" + effective, effective + "a", "a" + effective + "b", "a\x00", "\x00a", "a\n", "\u0085", "\xff",
			"\U0010FFFF", strings.Repeat("x", keys.MaxTenantBytes+1), strings.Repeat("ü", keys.MaxTenantBytes/2+1),
		} {
			err := layout.CheckTenant(name)
			if _, is := errors.AsType[*keys.InputError](err); !is || strings.Contains(err.Error(), "b"+effective) {
				t.Errorf("delimiter %q, tenant %q: %v", delimiter, name, err)
			}
		}
	}
	// With the key ":x", a tenant "a:" would have the keys of the tenant "a" with "::x".
	if err := (&stored.Layout{Delimiter: "::"}).CheckTenant("a:"); err == nil {
		t.Error("a tenant ends with a part of the delimiter")
	}
}

// TestTenantsAreApart: no key of one tenant is that of another one, and each is found again.
func TestTenantsAreApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layout := &stored.Layout{Delimiter: rapid.SampledFrom([]string{"#", "|", "::", "##", "#:#"}).Draw(t, "delimiter")}
		text := rapid.OneOf(rapid.StringOfN(rapid.SampledFrom([]rune("ab#:|é")), 0, 6, -1), rapid.StringN(0, 6, -1))
		key := func(label string) (string, keys.Tenant, keys.PK, bool) {
			name, pk := text.Draw(t, label), keys.PK(text.Draw(t, label+"'s key"))
			tenant, err := layout.Tenant(name)
			return name, tenant, pk, err == nil && !keys.IsOfOtherTenant(pk)
		}
		one, oneTenant, onePK, ok := key("one")
		other, otherTenant, otherPK, alsoOK := key("other")
		if !ok || !alsoOK {
			return
		}
		stored := oneTenant.Add(onePK)
		if found, is := layout.CutTenant(stored); !is || found != oneTenant || layout.TenantName(found) != one {
			t.Errorf("%q has the tenant %q, not %q", stored, found, one)
		}
		if got := oneTenant.Cut(stored); got != onePK || keys.IsOfOtherTenant(got) {
			t.Errorf("got %q of %q", got, stored)
		}
		foreign := otherTenant.Cut(stored)
		if own := !keys.IsOfOtherTenant(foreign); own != (one == other) || otherTenant.Restore(foreign) != stored {
			t.Errorf("of the tenant %q: %q becomes %q", other, stored, foreign)
		}
		if one != other && stored == otherTenant.Add(otherPK) {
			t.Errorf("%q is a key of both %q and %q", stored, one, other)
		}
	})
}

func TestTenantCheckPK(t *testing.T) {
	tenant, err := stored.DefaultLayout().Tenant("acme")
	if err != nil {
		t.Fatal(err)
	}
	longest := keys.PK(strings.Repeat("x", keys.MaxPKBytes-len("acme#")))
	if err := tenant.CheckPK(longest); err != nil {
		t.Error(err)
	}
	if err := tenant.CheckPK(longest + "x"); err == nil || !strings.Contains(err.Error(), "2048 bytes, 5 of them") {
		t.Errorf("got %v", err)
	}
}

// TestCursorsOfTenants: a cursor of another tenant is rejected as a forged one, and so is one from before there were
// tenants.
func TestCursorsOfTenants(t *testing.T) {
	of := func(tenant string) *design.Condition {
		c := mustCondition(t, "User", "orders", map[string]any{"id": "7"})
		c.Tenant = tenant
		return c
	}
	const sk = "ORDER#2026-01-31T09:30:00.000Z#o1"
	names := []string{"", "acme", "acme2", "User", "Acme"}
	for _, one := range names {
		cursor := of(one).Cursor(0, orderCopy(sk))
		for _, other := range names {
			got, err := of(other).ParseCursor("after", cursor)
			switch {
			case one == other && (err != nil || got != place(0, sk)):
				t.Errorf("of %q: %+v, %v", one, got, err)
			case one != other && (err == nil || err.Error() != notACursor):
				t.Errorf("%q reads the cursor of %q: %+v, %v", other, one, got, err)
			}
		}
	}
}
