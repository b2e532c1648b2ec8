// Package playground serves the playground, made of GraphiQL's editors, the page that shows what is stored in the
// table, and the page with the figures of running operations. They and their assets are bundled from npm packages by
// build.mjs, so that they send requests to no host but the gateway. They are embedded if they were built before the
// program; a module that imports Partita has them in a folder instead.
//
// The page adds the headers of the chosen identity to each request: GraphiQL keeps those of its editor for each tab,
// and forgets them. It fills in a new $idempotencyKey for each run, because a fixed one returns the first order again.
// Answers of /plan and of the table are no GraphQL over HTTP; their errors have status 200, because a browser reports
// every other one in its console while a visitor is still writing.
package playground

import (
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"sync"

	"github.com/vearutop/statigz"
)

//go:embed all:dist
var dist embed.FS

// Tokens are the stylesheets that all pages begin with: colours, fonts and sizes, then the text, the controls and the
// bar.
var Tokens = tokens + base

// Scheme is the script of the choice of colours in the bar, for a page that is one file.
//
//go:embed src/ui/scheme.js
var Scheme string

var (
	//go:embed src/ui/tokens.css
	tokens string
	//go:embed src/ui/base.css
	base string
)

// Link leads to a page of the gateway.
type Link struct {
	Path, Name string
	// IsCurrent is set for the page that has the link.
	IsCurrent bool
}

// SourceOf returns the hash by which a policy allows what is inline.
//
// https://www.w3.org/TR/CSP3/#grammardef-hash-source
func SourceOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// policy is the page's Content-Security-Policy with the nonce of a visit: scripts and workers come only from the
// gateway, and responses from there or from where tokens are. The editor, Monaco, adds style elements, which have the
// nonce (see src/styles.js), and HTML with style attributes, which cannot have one. Monaco's icons are data URLs in its
// stylesheet.
const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'%s; " +
	"style-src-elem 'self' 'nonce-%s'; style-src-attr 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const notBuilt = "The playground page is not part of this program. " +
	"In a clone of Partita, run `make build`, then start the gateway again.\n" +
	"In a service of your own, set PLAYGROUND_FILES to a folder with the built page: " +
	"https://github.com/partita/partita/blob/main/docs/tutorials/your-own-service.md#the-playground\n"

// Settings are the settings of the page.
type Settings struct {
	// Endpoint is the path that the page sends operations to.
	Endpoint string
	// Plan is the path that returns the plan of an operation; empty if there is none.
	Plan string
	// Playground is the path of the playground, Design that of the page that shows the design, and Table that of the page
	// that shows the table; empty if there is none.
	Playground, Design, Table string
	// Fields is the path of what the page adds to the descriptions of fields; empty if there is nothing.
	Fields string
	// Figures is the path of the page with the gateway's figures, and Metrics that of its metrics; empty if there are
	// none.
	Figures, Metrics string
	// Sessions is the path of the page with the sessions of agents; empty if there are none.
	Sessions string
	// Changes is the path of the events from which the page learns that the schema has changed; empty if there are none.
	Changes string
	// Tabs are those of the editor when the page is opened for the first time.
	Tabs []Tab
	// Identities returns those among which the visitor can choose; the page begins with the first. It is called for each
	// visit, because tokens expire and are not for all visitors; nil for none.
	Identities func(*http.Request) []Identity
	// SignIn returns how visitors sign in, or nil if they cannot; nil for a gateway without an identity provider.
	SignIn func(*http.Request) *SignIn
	// TenantClaim is the claim of a token whose value, the tenant, the pages show; "" without tenants.
	TenantClaim string
	// Files are the page and its assets, from [Open]; nil for those that are embedded.
	Files fs.FS
}

// Identity is a caller whom the requests of the page can be from.
type Identity struct {
	// Name is what the visitor chooses; Description is a sentence about it.
	Name        string `json:"name"`
	Description string `json:"description"`
	// Headers are those of a request from the caller, such as Authorization; none for an anonymous one.
	Headers map[string]string `json:"headers"`
}

// SignIn is how a visitor signs in: by the authorization code flow of OpenID Connect, with PKCE (RFC 7636).
type SignIn struct {
	// ClientID is that of the pages, which are a public client of the provider.
	ClientID string `json:"clientId"`
	// Issuer and the endpoints are the provider's.
	Issuer                string `json:"issuer"`
	AuthorizationEndpoint string `json:"authorizationEndpoint"`
	TokenEndpoint         string `json:"tokenEndpoint"`
	// Audience is that of the tokens that the gateway trusts.
	Audience string `json:"audience"`
}

// connects returns the further source of the policy for connections: the origin of the endpoint with the tokens.
func (s *SignIn) connects() string {
	if s == nil {
		return ""
	}
	endpoint, err := url.Parse(s.TokenEndpoint)
	if err != nil {
		return ""
	}
	return " " + endpoint.Scheme + "://" + endpoint.Host
}

// visit is the JSON in the page.
type visit struct {
	Endpoint   string     `json:"endpoint"`
	Plan       string     `json:"plan,omitempty"`
	Playground string     `json:"playground,omitempty"`
	Design     string     `json:"design,omitempty"`
	Table      string     `json:"table,omitempty"`
	Fields     string     `json:"fields,omitempty"`
	Figures    string     `json:"figures,omitempty"`
	Metrics    string     `json:"metrics,omitempty"`
	Sessions   string     `json:"sessions,omitempty"`
	Changes    string     `json:"changes,omitempty"`
	Tabs       []Tab      `json:"tabs,omitempty"`
	Identities []Identity `json:"identities,omitempty"`
	SignIn     *SignIn    `json:"signIn,omitempty"`
	// TenantClaim is that of the Settings.
	TenantClaim string `json:"tenantClaim,omitempty"`
	StyleNonce  string `json:"styleNonce"`
}

// Links returns those of the bar to the pages that there are, with that at a path as the current one.
func (s Settings) Links(current string) []Link {
	var links []Link
	for _, l := range []Link{{Path: s.Playground, Name: "Playground"}, {Path: s.Design, Name: "Design"},
		{Path: s.Table, Name: "Table"}, {Path: s.Figures, Name: "Figures"}, {Path: s.Sessions, Name: "Agents"}} {
		if l.Path != "" {
			l.IsCurrent = l.Path == current
			links = append(links, l)
		}
	}
	return links
}

func (s Settings) visit(r *http.Request) visit {
	v := visit{
		Endpoint: s.Endpoint, Plan: s.Plan, Playground: s.Playground, Design: s.Design, Table: s.Table,
		Fields: s.Fields, Figures: s.Figures, Metrics: s.Metrics, Sessions: s.Sessions, Changes: s.Changes, Tabs: s.Tabs,
		TenantClaim: s.TenantClaim,
		StyleNonce:  rand.Text(),
	}
	if s.Identities != nil {
		v.Identities = s.Identities(r)
	}
	if s.SignIn != nil {
		v.SignIn = s.SignIn(r)
	}
	return v
}

// Open returns the page and its assets from a folder that build.mjs has written.
func Open(dir string) (fs.FS, error) {
	files := os.DirFS(dir)
	_, err := parse(files, pagePlayground)
	return files, err
}

// The files of the pages, which are templates.
const (
	pagePlayground = "index.html"
	pageTable      = "table.html"
	pageFigures    = "figures.html"
)

// Handler serves the playground at /, the page of the table at /table, that of the figures at /figures, and their
// assets under /assets/. Instead of a page that is not there, it serves a text that explains how to build it.
func Handler(settings Settings) (http.Handler, error) {
	files, assets, err := settings.files()
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for pattern, file := range map[string]string{
		"GET /{$}": pagePlayground, "GET /table": pageTable, "GET /figures": pageFigures,
	} {
		page, err := settings.page(files, file)
		if err != nil {
			return nil, err
		}
		mux.Handle(pattern, page)
	}
	mux.Handle("GET /assets/{file}", immutable(assets))
	return mux, nil
}

// files returns the pages' files and the handler of their assets.
func (s Settings) files() (fs.FS, http.Handler, error) {
	if s.Files == nil {
		built, err := embedded()
		return built.files, built.assets, err
	}
	assets, err := newAssets(s.Files)
	return s.Files, assets, err
}

// bundle is what the build has written.
type bundle struct {
	files  fs.FS
	assets http.Handler
}

// embedded returns the embedded pages. Their assets are hashed once for all gateways of a process.
var embedded = sync.OnceValues(func() (bundle, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return bundle{}, fmt.Errorf("playground: %w", err)
	}
	assets, err := newAssets(files)
	return bundle{files, assets}, err
})

// page serves the page that is made from a file.
func (s Settings) page(files fs.FS, file string) (http.Handler, error) {
	page, err := parse(files, file)
	if errors.Is(err, fs.ErrNotExist) {
		return http.HandlerFunc(serveNotBuilt), nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		visit := s.visit(r)
		w.Header().Set("Content-Security-Policy", fmt.Sprintf(policy, visit.SignIn.connects(), visit.StyleNonce))
		w.Header().Set("Cache-Control", "no-store")
		_ = page.Execute(w, visit) // an error means that the browser is gone
	}), err
}

// parse returns the page's template. It executes the template once, so that errors are found before the first visit.
func parse(files fs.FS, file string) (*template.Template, error) {
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return nil, fmt.Errorf("playground: %w", err)
	}
	page, err := template.New(file).Parse(string(text))
	if err == nil {
		err = page.Execute(io.Discard, visit{})
	}
	if err != nil {
		return nil, fmt.Errorf("playground: %w", err)
	}
	return page, nil
}

// newAssets returns the handler of the assets. Those that build.mjs has compressed are sent as they are: compressing
// them again for each visitor would take 14 ms of CPU for the largest.
func newAssets(files fs.FS) (http.Handler, error) {
	listed, is := files.(fs.ReadDirFS)
	if !is {
		return nil, fmt.Errorf("playground: the files, a %T, cannot be listed", files)
	}
	return statigz.FileServer(listed), nil
}

func serveNotBuilt(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(notBuilt))
}

// immutable lets browsers cache an asset for a year: its name changes with its content.
func immutable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		next.ServeHTTP(w, r)
	})
}
