package playground

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/partita/partita/internal/fatal"
)

func get(t *testing.T, files fs.FS, target string) *httptest.ResponseRecorder {
	t.Helper()
	h, err := Handler(Settings{
		Files: files, Endpoint: "/graphql", Tabs: []Tab{{Query: `{ a(b: "</script>") }`}},
		Identities: func(*http.Request) []Identity {
			return []Identity{{"Ada", "An owner.", map[string]string{"Authorization": "Bearer x"}}}
		},
	})
	fatal.If(t, err)
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, target, nil))
	return recorder
}

var built = fstest.MapFS{
	"index.html":          {Data: []byte(`<script type="application/json">{{.}}</script>`)},
	"assets/main-1.js":    {Data: []byte("1")},
	"assets/main-1.js.gz": {Data: []byte("compressed by the build")},
}

func TestPage(t *testing.T) {
	response := get(t, built, "/")
	html := response.Body.String()
	for _, want := range []string{
		`"endpoint":"/graphql"`, `{ a(b: \"\u003c/script\u003e\") }`, `"headers":{"Authorization":"Bearer x"}`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not have %s: %s", want, html)
		}
	}
	if got := response.Header().Get("Content-Security-Policy"); !strings.Contains(got, "script-src 'self';") {
		t.Errorf("got the policy %q", got)
	}
}

func TestAssetsAreCached(t *testing.T) {
	response := get(t, built, "/assets/main-1.js")
	if response.Code != http.StatusOK || response.Body.String() != "1" {
		t.Errorf("got %d %s", response.Code, response.Body)
	}
	if got := response.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("got Cache-Control %q", got)
	}
	for _, target := range []string{"/index.html", "/assets/"} {
		if response := get(t, built, target); response.Code != http.StatusNotFound {
			t.Errorf("%s: got %d", target, response.Code)
		}
	}
}

// TestAssetsAreCompressedOnce: what is sent is the file that the build has compressed.
func TestAssetsAreCompressedOnce(t *testing.T) {
	handler, err := Handler(Settings{Files: built})
	fatal.If(t, err)
	for accepted, want := range map[string]string{"gzip, deflate": "compressed by the build", "": "1", "identity": "1"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/assets/main-1.js", nil)
		r.Header.Set("Accept-Encoding", accepted)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if got := w.Body.String(); got != want || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: got %q with %v", accepted, got, w.Header())
		}
	}
}

func TestPageIsNotBuilt(t *testing.T) {
	response := get(t, fstest.MapFS{".gitignore": {}}, "/")
	if response.Code != http.StatusNotFound || !strings.Contains(response.Body.String(), "PLAYGROUND_FILES") {
		t.Errorf("got %d %s", response.Code, response.Body)
	}
}

func TestDamagedPageIsAnError(t *testing.T) {
	if _, err := Handler(Settings{Files: fstest.MapFS{"index.html": {Data: []byte("{{")}}}); err == nil {
		t.Error("a damaged page is accepted")
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a page: %v", err)
	}
	fatal.If(t, os.CopyFS(dir, built))
	files, err := Open(dir)
	fatal.If(t, err)
	if response := get(t, files, "/assets/main-1.js"); response.Body.String() != "1" {
		t.Errorf("got %d %s", response.Code, response.Body)
	}
	fatal.If(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("{{.Nothing}}"), 0o600))
	if _, err := Open(dir); err == nil {
		t.Error("a damaged page is accepted")
	}
}

// With a nonce that is known before the visit, any style would be allowed.
func TestEachVisitHasItsOwnNonce(t *testing.T) {
	seen := map[string]bool{}
	for range 3 {
		response := get(t, built, "/")
		_, rest, _ := strings.Cut(response.Header().Get("Content-Security-Policy"), "'nonce-")
		nonce, _, found := strings.Cut(rest, "'")
		if !found || len(nonce) < 22 || seen[nonce] || !strings.Contains(response.Body.String(), `"styleNonce":"`+nonce+`"`) {
			t.Errorf("got the policy %q with the page %s", response.Header().Get("Content-Security-Policy"), response.Body)
		}
		seen[nonce] = true
	}
}
