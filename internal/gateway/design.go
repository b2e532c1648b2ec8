package gateway

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gateway/response"
)

// DesignPage returns the page at /design, which shows where objects are stored and what fields read, and its
// Content-Security-Policy. It is called at the first visit, with links to all pages. The page has nothing of what is
// stored.
type DesignPage func(links []playground.Link) (html []byte, policy string, err error)

// FieldFacts returns what the playground adds to the descriptions of fields, by the coordinates of the fields, as
// Markdown: key conditions, prices and rules. It is called at the first visit.
type FieldFacts func() (map[string]string, error)

// pathDesign is the page, and pathFields what is known of fields.
const (
	pathDesign = "/design"
	pathFields = pathDesign + "/fields"
)

// handler serves the facts.
func (f FieldFacts) handler() http.Handler {
	body := sync.OnceValues(func() ([]byte, error) {
		facts, err := f()
		if err != nil {
			return nil, err
		}
		return json.Marshal(facts)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := body()
		if err != nil {
			logging.Logger(r.Context()).ErrorContext(r.Context(), "the facts of fields cannot be made", "error", err.Error())
			response.WriteError(w, r, response.Internal(r.Context()))
			return
		}
		w.Header().Set("Content-Type", response.MediaJSON)
		w.Header().Set("Cache-Control", response.CacheNothing)
		_, _ = w.Write(body) // an error means that the browser is gone
	})
}

// handler serves the page.
func (p DesignPage) handler(links []playground.Link) http.Handler {
	type made struct {
		text   http.Handler
		policy string
	}
	page := sync.OnceValues(func() (made, error) {
		html, policy, err := p(links)
		return made{response.Static(html), policy + "; frame-ancestors 'none'"}, err
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := page()
		if err != nil {
			logging.Logger(r.Context()).ErrorContext(r.Context(), "the page of the design cannot be made", "error", err.Error())
			response.WriteError(w, r, response.Internal(r.Context()))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", page.policy)
		w.Header().Set("Cache-Control", response.CacheNothing)
		page.text.ServeHTTP(w, r)
	})
}
