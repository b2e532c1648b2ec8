package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/auth"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/viewer"
)

func TestTenantOfTokens(t *testing.T) {
	a := newAuthenticator(t, settings(func(s *auth.Settings) { s.TenantClaim = "org" }))
	of := func(claim any) (viewer.Viewer, error) { return ask(a, "Bearer "+hs256(t, jwt.MapClaims{"org": claim})) }
	for _, tenant := range []string{"acme", "a", "Ünïcode 株式会社", strings.Repeat("x", keys.MaxTenantBytes)} {
		want := viewer.Viewer{ID: "u1", Tenant: tenant}
		for _, when := range []string{"at first", "from the cache"} {
			if got, err := of(tenant); err != nil || !isViewer(got, want) {
				t.Errorf("%s: got %+v, %v", when, got, err)
			}
		}
	}
	for _, c := range []struct {
		claim any
		text  string
	}{
		{nil, "lacks the claim org"}, // claims removes it
		{"", "not the name of a tenant"},
		{"a#", "not the name of a tenant"},
		{"a\n", "not the name of a tenant"},
		{strings.Repeat("x", keys.MaxTenantBytes+1), "not the name of a tenant"},
		{7, "not the name of a tenant"},
		{[]string{"acme"}, "not the name of a tenant"},
		{map[string]any{"acme": true}, "not the name of a tenant"},
	} {
		got, err := of(c.claim)
		wantError(t, err, "UNAUTHENTICATED", "invalid_token", c.text)
		if !got.IsAnonymous() || got.Tenant != "" {
			t.Errorf("got the viewer %+v as well", got)
		}
	}
	if got, err := ask(a); err != nil || !isViewer(got, viewer.Viewer{}) {
		t.Errorf("without a token: got %+v, %v", got, err)
	}

	// The delimiter of the table decides.
	layout := stored.Layout{Delimiter: "|"}
	a = newAuthenticator(t, settings(func(s *auth.Settings) { s.TenantClaim, s.CheckTenant = "org", layout.CheckTenant }))
	if got, err := of("a#b"); err != nil || got.Tenant != "a#b" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err := of("a|b")
	wantError(t, err, "UNAUTHENTICATED", "invalid_token", "not the name of a tenant")
}

func TestMintForATenant(t *testing.T) {
	for name, c := range map[string]struct {
		claim string
		v     viewer.Viewer
	}{
		"tenants":               {"org", viewer.Viewer{ID: "u1", Roles: []string{"ADMIN"}, Tenant: "acme"}},
		"each viewer is tenant": {"sub", viewer.Viewer{ID: "u1", Tenant: "u1"}},
	} {
		s := settings(func(s *auth.Settings) { s.TenantClaim = c.claim })
		token, err := auth.Mint(s, c.v, time.Minute)
		fatal.If(t, err)
		if got, err := ask(newAuthenticator(t, s), "Bearer "+token); err != nil || !isViewer(got, c.v) {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, c.v)
		}
	}
}
