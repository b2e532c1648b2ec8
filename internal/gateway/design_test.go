package gateway_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/playground"
)

// withDesign is a gateway whose page of the design is the links that it gets, and which counts how often it is made.
func withDesign(t *testing.T) (c gateway.Config, made *int) {
	t.Helper()
	c, _, _ = planning(t)
	made = new(int)
	c.Design = func(links []playground.Link) ([]byte, string, error) {
		*made++
		return fmt.Append(nil, links), "default-src 'none'", nil
	}
	return c, made
}

// TestDesignPage: the page is made once, leads to the pages that there are, and has its own policy.
func TestDesignPage(t *testing.T) {
	c, made := withDesign(t)
	c.Table = gateway.TablePage{Reader: tableReader{}}
	server := serve(t, c)
	for range 2 {
		a := do(t, server, http.MethodGet, "/design", "")
		want := "[{/ Playground false} {/design Design true} {/table Table false}]"
		if a.status != http.StatusOK || a.body != want || *made != 1 {
			t.Errorf("%d: %s, made %d times", a.status, a.body, *made)
		}
		if got := a.header.Get("Content-Security-Policy"); got != "default-src 'none'; frame-ancestors 'none'" {
			t.Errorf("the policy is %s", got)
		}
		if got := a.header.Get("Content-Type"); got != "text/html; charset=utf-8" {
			t.Errorf("it is %s", got)
		}
	}
	c.Playground.Disabled, c.Table = true, gateway.TablePage{}
	if a := do(t, serve(t, c), http.MethodGet, "/design", ""); a.body != "[{/design Design true}]" {
		t.Errorf("alone: %s", a.body)
	}
}

// TestDesignPageIsCompressedOnce: each visitor who accepts gzip gets the same bytes, of the best compression.
func TestDesignPageIsCompressedOnce(t *testing.T) {
	c, made := withDesign(t)
	text := []byte("<p>" + strings.Repeat("Query.notes, Query.note ", 4000))
	c.Design = func([]playground.Link) ([]byte, string, error) {
		*made++
		return text, "default-src 'none'", nil
	}
	server := serve(t, c)
	var best bytes.Buffer
	w, err := gzip.NewWriterLevel(&best, gzip.BestCompression)
	fatal.If(t, err)
	_, err = w.Write(text)
	fatal.If(t, errors.Join(err, w.Close()))
	for _, accept := range []string{"gzip", "identity", "gzip, deflate, br, zstd", "gzip;q=0"} {
		a := raw(t, server+"/design", accept)
		want, encoding := text, ""
		if strings.HasPrefix(accept, "gzip") && accept != "gzip;q=0" {
			want, encoding = best.Bytes(), "gzip"
		}
		if a.header.Get("Content-Encoding") != encoding || a.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: got %v", accept, a.header)
		}
		if !bytes.Equal(a.body, want) {
			t.Errorf("%s: got %d bytes, want %d of the %d", accept, len(a.body), len(want), len(text))
		}
	}
	if *made != 1 {
		t.Errorf("the page was made %d times", *made)
	}
}

// TestDesignPageIsNotServed: the page shows keys, as plans do, and is served where they are.
func TestDesignPageIsNotServed(t *testing.T) {
	c, made := withDesign(t)
	c.Documents.DisableIntrospection = true
	without, _ := withDesign(t)
	without.Design = nil
	for _, c := range []gateway.Config{c, without} {
		if a := do(t, serve(t, c), http.MethodGet, "/design", ""); a.status != http.StatusNotFound || *made > 0 {
			t.Errorf("%d: %s", a.status, a.body)
		}
	}
}

// TestDesignPageCannotBeMade: what is wrong is in the log alone.
func TestDesignPageCannotBeMade(t *testing.T) {
	c, lines := config(t)
	withEngine(&c)
	c.Design = func([]playground.Link) ([]byte, string, error) { return nil, "", errors.New("secret") }
	a := do(t, serve(t, c), http.MethodGet, "/design", "")
	if !a.isError(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "") {
		t.Errorf("%d: %s", a.status, a.body)
	}
	lines.wants(t, `"msg":"the page of the design cannot be made"`, `"error":"secret"`)
}

// TestFieldFacts: what the design says about fields is made once, and served for the playground where plans are.
func TestFieldFacts(t *testing.T) {
	c, _ := withDesign(t)
	made := 0
	c.Fields = func() (map[string]string, error) {
		made++
		return map[string]string{"Query.thing": "- At worst: 1"}, nil
	}
	server := serve(t, c)
	for range 2 {
		a := do(t, server, http.MethodGet, "/design/fields", "")
		if a.status != http.StatusOK || a.body != `{"Query.thing":"- At worst: 1"}` || made != 1 {
			t.Errorf("%d: %s, made %d times", a.status, a.body, made)
		}
	}
	c.Documents.DisableIntrospection = true
	if a := do(t, serve(t, c), http.MethodGet, "/design/fields", ""); a.status != http.StatusNotFound {
		t.Errorf("without plans: %d: %s", a.status, a.body)
	}
}
