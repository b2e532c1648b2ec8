package gateway

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/viewer"
)

// cacheControl returns the header Cache-Control for a response. A response with errors is not cached, because the
// next one may have none. A response to a viewer is private, whatever the hints are.
func (e *endpoint) cacheControl(r *http.Request, req operation.Request, answer response.Result) string {
	if r.Method == http.MethodPost || len(answer.Errors) > 0 {
		return response.CacheNothing
	}
	for _, name := range e.RequestHeaders() {
		if r.Header.Get(name) != "" {
			return response.CacheNothing
		}
	}
	policy := req.Plan.CachePolicy()
	if policy.MaxAge == 0 {
		return response.CacheNothing
	}
	scope := "public"
	if policy.Private || !viewer.FromContext(r.Context()).IsAnonymous() || r.Header.Get("Authorization") != "" {
		scope = "private"
	}
	return scope + ", max-age=" + strconv.Itoa(policy.MaxAge)
}

// vary returns the header Vary: the request headers on which responses depend.
func vary(further []string) string {
	return strings.Join(append([]string{"Accept", "Authorization"}, further...), ", ")
}
