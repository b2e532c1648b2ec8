// Package gatewaytest is what tests that send operations to a gateway over HTTP share: the viewer of a request, the
// parts of an answer, and the gateway's log.
package gatewaytest

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/viewer"
)

// scheme begins the Authorization of requests by a viewer.
const scheme = "Test "

// Authorization is the header of that name of requests by the viewer.
func Authorization(v viewer.Viewer) string {
	return scheme + url.Values{"id": {v.ID}, "role": v.Roles, "tenant": {v.Tenant}}.Encode()
}

// SetViewer makes the header that of requests by the viewer.
func SetViewer(header http.Header, v viewer.Viewer) { header.Set("Authorization", Authorization(v)) }

// Authenticate reads the viewer from the header of SetViewer. Without it the viewer is anonymous. It takes the place of
// tokens in a gateway.Config.
func Authenticate(r *http.Request) (viewer.Viewer, error) {
	text, is := strings.CutPrefix(r.Header.Get("Authorization"), scheme)
	if !is {
		return viewer.Viewer{}, nil
	}
	values, err := url.ParseQuery(text)
	v := viewer.Viewer{ID: values.Get("id"), Tenant: values.Get("tenant")}
	if v.ID != "" {
		v.Roles = values["role"]
	}
	return v, err
}

// At returns the part of an answer under a path, in which a string names a field and an int is a position in a list.
func At(tb testing.TB, v any, path ...any) any {
	tb.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			object, ok := v.(map[string]any)
			if !ok {
				tb.Fatalf("%v: %v is no object", path, v)
			}
			v = object[p]
		case int:
			list, ok := v.([]any)
			if !ok || p >= len(list) {
				tb.Fatalf("%v: %v has no element %d", path, v, p)
			}
			v = list[p]
		}
	}
	return v
}

// Log is the log of a gateway. Its methods may be called concurrently.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// Take returns the text of the log and empties it.
func (l *Log) Take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// String returns the text of the log.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
