package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
)

// TestClientGone: an operation ends when its client is gone, in any wave, and the log has no error.
func TestClientGone(t *testing.T) {
	for _, wave := range []string{"LOAN#", "REMINDER#"} {
		t.Run(wave, func(t *testing.T) {
			var s *testservice.Service
			t.Cleanup(func() { // after the gateway has closed, which waits for its operations
				if s == nil {
					return // it did not start
				}
				log := s.Log.Take()
				if !strings.Contains(log, "msg=operation") || strings.Contains(log, "level=ERROR") {
					t.Errorf("the log has %q", log)
				}
			})
			s = testservice.Start(t)
			hold := s.Proxy.Hold(func(r tabletest.Request) bool { return strings.Contains(r.Text, wave) })
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-hold.Arrived()
				cancel()
			}()
			query := testservice.Encoded(
				`{ reader(id: "Reader:r001") { loans(first: 3) { nodes { reminders(first: 3) { nodes { text } } } } } }`)
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"?query="+url.QueryEscape(query), nil)
			fatal.If(t, err)
			req.Header = s.Header.Clone()
			resp, err := s.Client.Do(req)
			if err == nil {
				_ = resp.Body.Close()
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
		})
	}
}
