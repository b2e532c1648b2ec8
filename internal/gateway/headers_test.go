package gateway_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
)

func TestSecureHeaders(t *testing.T) {
	c, _ := config(t)
	c.Browser.HSTS = 365 * 24 * time.Hour
	server := serve(t, c)
	want := map[string]string{
		"Content-Security-Policy":      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
		"Referrer-Policy":              "no-referrer",
		"Strict-Transport-Security":    "max-age=31536000",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
	}
	for _, target := range []string{
		"/graphql?query={__typename}", "/graphql", "/healthz", "/readyz", "/nowhere", "/assets/nothing", "/",
	} {
		got := do(t, server, "GET", target, "").header
		for name, value := range want {
			if target == "/" && name == "Content-Security-Policy" && got.Get(name) != "" {
				continue // the page has a policy of its own
			}
			if got.Get(name) != value {
				t.Errorf("%s: got %s %q, want %q", target, name, got.Get(name), value)
			}
		}
	}
	c.Browser.HSTS = 0
	if got := do(t, serve(t, c), "GET", "/healthz", "").header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("without a setting: got Strict-Transport-Security %q", got)
	}
}

func TestCompression(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	long := "/graphql?query=" + `{echo(text:"` + strings.Repeat("abcd", 1000) + `")}`
	for _, test := range []struct{ target, accept, want string }{
		{long, "gzip", "gzip"},
		{long, "zstd", ""},
		{long, "gzip;q=0.5, zstd;q=1", "gzip"},
		{long, "zstd, gzip;q=0", ""},
		{long, "identity", ""},
		{long, "gzip, deflate, br, zstd", "gzip"}, // Chromium, Firefox, graphql-codegen on Node.js 20
		{long, "gzip, deflate, br", "gzip"},       // Safari
		{long, "gzip, deflate", "gzip"},           // undici: fetch of Node.js
		{long, "deflate, gzip, br, zstd", "gzip"}, // curl --compressed
		{"/graphql?query={__typename}", "gzip, zstd", ""},
	} {
		a := raw(t, server+test.target, test.accept)
		if got := a.header.Get("Content-Encoding"); got != test.want {
			t.Errorf("Accept-Encoding %s: got %q, want %q", test.accept, got, test.want)
			continue
		}
		if vary := strings.Join(a.header.Values("Vary"), ", "); !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("Accept-Encoding %s: got Vary %q", test.accept, vary)
		}
		plain := io.Reader(bytes.NewReader(a.body))
		if test.want == "gzip" {
			decoder, err := gzip.NewReader(plain)
			fatal.If(t, err)
			plain = decoder
		}
		text, err := io.ReadAll(plain)
		if err != nil || !strings.HasPrefix(string(text), `{"data":{"`) || !strings.HasSuffix(string(text), "}") {
			t.Errorf("Accept-Encoding %s: got %v %.80s", test.accept, err, text)
		}
		if test.want != "" && len(a.body) >= len(text) {
			t.Errorf("Accept-Encoding %s: %d bytes for %d", test.accept, len(a.body), len(text))
		}
	}
}

// The padding depends on the content, so that the length of a response does not show whether a guess is in it.
func TestCompressedLengthIsPadded(t *testing.T) {
	c, _ := config(t)
	server := serve(t, c)
	lengths := map[int]bool{}
	for letter := 'a'; letter <= 'z'; letter++ {
		query := `{echo(text:"` + strings.Repeat(string(letter), 4000) + `")}`
		lengths[len(raw(t, server+"/graphql?query="+query, "gzip").body)] = true
	}
	if len(lengths) < 5 {
		t.Errorf("26 answers that compress alike have the lengths %v", lengths)
	}
}

type rawAnswer struct {
	header http.Header
	body   []byte
}

// raw returns a response as it is on the wire.
func raw(t *testing.T, target, acceptEncoding string) rawAnswer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.ReplaceAll(target, `"`, "%22"), nil)
	fatal.If(t, err)
	request.Header.Set("Accept-Encoding", acceptEncoding)
	response, err := http.DefaultClient.Do(request)
	fatal.If(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	fatal.If(t, err)
	return rawAnswer{response.Header, body}
}
