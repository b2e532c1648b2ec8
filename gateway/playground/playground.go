// Package playground serves GraphiQL. The page and its assets are bundled from npm packages by build.mjs
// and embedded, so that the page asks nothing of any host but the gateway.
package playground

import (
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
)

//go:embed all:dist
var dist embed.FS

// policy is the page's Content-Security-Policy, with the nonce of a visit: scripts, workers and answers come from the gateway alone. Monaco, the
// editor, adds style elements, which have the nonce (see src/styles.js), and writes each line of text as HTML with style attributes, which
// cannot have one. GraphiQL's fonts and small images are data URLs inside its stylesheet.
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; " +
	"style-src-elem 'self' 'nonce-%s'; style-src-attr 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const notBuilt = "The playground page is not built: run `make build`, then start the gateway again.\n"

// Settings is what the page is told about its gateway.
type Settings struct {
	// Endpoint is the path that the page sends operations to.
	Endpoint string
	// Plan is the path that answers with the plan of an operation; empty when there is none.
	Plan string
	// DefaultQuery is the document in the editor when the page is opened for the first time.
	DefaultQuery string
	// Headers are those that the page sends with operations, unless the visitor changes them; nil for none. They are asked
	// for with each visit, since a token in them expires.
	Headers func() map[string]string
}

// told is what stands in the page.
type told struct {
	Endpoint     string            `json:"endpoint"`
	Plan         string            `json:"plan,omitempty"`
	DefaultQuery string            `json:"defaultQuery"`
	Headers      map[string]string `json:"headers,omitempty"`
	StyleNonce   string            `json:"styleNonce"`
}

func (s Settings) tell() told {
	t := told{Endpoint: s.Endpoint, Plan: s.Plan, DefaultQuery: s.DefaultQuery, StyleNonce: rand.Text()}
	if s.Headers != nil {
		t.Headers = s.Headers()
	}
	return t
}

// Handler serves the page at / and its assets under /assets/. Without a build it answers / with the
// sentence that tells how to make one.
func Handler(settings Settings) (http.Handler, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("playground: %w", err)
	}
	return handler(files, settings)
}

func handler(files fs.FS, settings Settings) (http.Handler, error) {
	if _, err := fs.Stat(files, "index.html"); errors.Is(err, fs.ErrNotExist) {
		return http.HandlerFunc(serveNotBuilt), nil
	}
	page, err := template.ParseFS(files, "index.html")
	if err != nil {
		return nil, fmt.Errorf("playground: %w", err)
	}
	// What is wrong with the page shows now, not with the first visit.
	if err := page.Execute(io.Discard, told{}); err != nil {
		return nil, fmt.Errorf("playground: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		visit := settings.tell()
		w.Header().Set("Content-Security-Policy", fmt.Sprintf(policy, visit.StyleNonce))
		w.Header().Set("Cache-Control", "no-store")
		_ = page.Execute(w, visit) // the browser has gone away if this fails
	})
	mux.Handle("GET /assets/{file}", immutable(http.FileServerFS(files)))
	return mux, nil
}

func serveNotBuilt(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(notBuilt))
}

// immutable lets browsers keep an asset for a year: its name changes with its content.
func immutable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		next.ServeHTTP(w, r)
	})
}
