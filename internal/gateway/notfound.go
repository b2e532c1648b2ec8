package gateway

import (
	"net/http"
	"strings"

	"github.com/partita/partita/internal/gateway/browser"
	"github.com/partita/partita/internal/gateway/response"
)

// A router passes requests to the handlers of a mux. What none of them serves gets a request error instead of a text:
// most such requests are operations that a client sends to another path, such as /, and clients cannot parse the text.
type router struct {
	mux *http.ServeMux
	// toAll are the errors as pages of allowed origins can read them.
	toAll http.Handler
}

func newRouter(mux *http.ServeMux, pages *browser.Sharing) router {
	h := router{mux: mux}
	h.toAll = pages.Allow(http.HandlerFunc(h.reject))
	return h
}

func (h router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch handler, pattern := h.mux.Handler(r); {
	case strings.Contains(pattern, "{"):
		h.mux.ServeHTTP(w, r) // which finds the handler again, and sets the values of wildcards
	case pattern != "":
		handler.ServeHTTP(w, r)
	case h.serves(r, r.Header.Get("Access-Control-Request-Method")):
		h.reject(w, r) // The preflight of a request that is not for pages of other origins, such as one to /table.
	default:
		h.toAll.ServeHTTP(w, r)
	}
}

// serves reports whether there is a handler for the path of a request and a method.
func (h router) serves(r *http.Request, method string) bool {
	other := *r
	other.Method = method
	_, pattern := h.mux.Handler(&other)
	return pattern != ""
}

// reject writes the error for a request that is not served, with the status that the mux has for it.
func (h router) reject(w http.ResponseWriter, r *http.Request) {
	unserved, _ := h.mux.Handler(r)
	status := &statusOnly{header: http.Header{}}
	unserved.ServeHTTP(status, r)
	err := response.Errorf(http.StatusNotFound, response.CodeBadRequest,
		"There is nothing at this path. Send GraphQL operations to /graphql.")
	if status.code == http.StatusMethodNotAllowed {
		err = response.MethodNotAllowed(status.header.Get("Allow"),
			"This path does not have the method. Send GraphQL operations to /graphql.")
	}
	response.WriteError(w, r, err)
}

// statusOnly is a response whose body nobody reads.
type statusOnly struct {
	header http.Header
	code   int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) WriteHeader(code int)        { s.code = code }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }

// isVisit reports whether a person has entered the URL of /graphql in a browser, where the playground is nearby.
func (c Config) isVisit(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.RawQuery == "" && !c.Playground.Disabled &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}
