package gateway

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/partita/partita/viewer"
)

// cacheControl returns the header Cache-Control for a response. A response with errors is not cached, because the
// next one may have none. A response to a viewer is private, whatever the hints are.
func (e *endpoint) cacheControl(r *http.Request, req request, answer result) string {
	if r.Method == http.MethodPost || len(answer.errors) > 0 {
		return cacheNothing
	}
	for _, name := range e.requestHeaders() {
		if r.Header.Get(name) != "" {
			return cacheNothing
		}
	}
	policy := req.plan.CachePolicy()
	if policy.MaxAge == 0 {
		return cacheNothing
	}
	scope := "public"
	if policy.Private || !viewer.FromContext(r.Context()).IsAnonymous() || r.Header.Get("Authorization") != "" {
		scope = "private"
	}
	return scope + ", max-age=" + strconv.Itoa(policy.MaxAge)
}

// vary returns the header Vary: the request headers on which responses depend.
func (c Config) vary() string {
	return strings.Join(append([]string{"Accept", "Authorization"}, c.Engine.RequestHeaders()...), ", ")
}
