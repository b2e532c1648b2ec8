package gateway_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/viewer"
)

// TestViewersForWhomNothingIsReady: they can only see the schema.
func TestViewersForWhomNothingIsReady(t *testing.T) {
	c, _ := config(t)
	c.Callers.Authenticate = func(r *http.Request) (viewer.Viewer, error) {
		return viewer.Viewer{ID: "u1", Tenant: r.Header.Get("Tenant"), Roles: []string{gateway.RoleTable}}, nil
	}
	c.Callers.Ready = func(v viewer.Viewer) error {
		if v.Tenant != "acme" {
			return errors.New("nothing is ready")
		}
		return nil
	}
	url := serve(t, c)
	for query, isOpen := range map[string]bool{`{ __typename }`: true, `{ thing { __typename } }`: false} {
		for _, tenant := range []string{"other", "acme"} {
			a := postBody(t, url, `{"query": "`+query+`"}`, "Tenant", tenant)
			isServed := a.status == http.StatusOK && len(a.result.Errors) == 0
			isRejected := a.status == http.StatusServiceUnavailable && a.code() == "NOT_READY" && a.result.Data == nil
			if isReady := isOpen || tenant == "acme"; isReady != isServed || isReady == isRejected {
				t.Errorf("%s of %s: %d %s", query, tenant, a.status, a.body)
			}
		}
	}
}

// TestOperationsWithoutATenant: in a table with tenants, a viewer without one can only see the schema.
func TestOperationsWithoutATenant(t *testing.T) {
	c, _ := config(t)
	c.Callers.NeedsTenant = true
	c.Callers.Authenticate = func(r *http.Request) (viewer.Viewer, error) {
		return viewer.Viewer{ID: "u1", Tenant: r.Header.Get("Tenant")}, nil
	}
	url := serve(t, c)
	for query, isOpen := range map[string]bool{
		`{ __typename }`: true,
		`{ __schema { queryType { name } } ... on Query { ...more } }
 fragment more on Query { __type(name: \"Query\") { name } }`: true,
		`{ thing { __typename } }`:                                    false,
		`{ __typename thing { __typename } }`:                         false,
		`{ ... @include(if: true) { thing { __typename } } }`:         false,
		`{ ...more } fragment more on Query { thing { __typename } }`: false,
	} {
		for _, tenant := range []string{"", "acme"} {
			a := postBody(t, url, `{"query": "`+strings.ReplaceAll(query, "\n", " ")+`"}`, "Tenant", tenant)
			if isOpen || tenant != "" {
				if a.status != http.StatusOK || len(a.result.Errors) > 0 {
					t.Errorf("%q, %s: got %d %s", tenant, query, a.status, a.body)
				}
				continue
			}
			challenge := a.header.Get("WWW-Authenticate")
			if a.status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" || challenge != `Bearer realm="graphql"` {
				t.Errorf("%s: got %d %s, challenge %q", query, a.status, a.body, challenge)
			}
			if a.result.Data != nil || !strings.Contains(a.body, "whose token names their tenant") {
				t.Errorf("%s: got %s", query, a.body)
			}
		}
	}
}
