package resolvers_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/partita/partita/table/tabletest"
)

// TestClientGone: an operation ends when its client goes, wherever it stands,
// and the log does not call that a failure.
func TestClientGone(t *testing.T) {
	for _, wave := range []string{"ORDER#", "ITEM#"} {
		t.Run(wave, func(t *testing.T) {
			var s *shop
			t.Cleanup(func() { // after the gateway has closed, which waits for its operations
				if s == nil {
					return // it did not start
				}
				log := s.log.take()
				if !strings.Contains(log, "msg=operation") || strings.Contains(log, "level=ERROR") {
					t.Errorf("the log says %q", log)
				}
			})
			s = startShop(t)
			hold := s.Proxy.Hold(func(r tabletest.Request) bool { return strings.Contains(r.Text, wave) })
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-hold.Arrived()
				cancel()
			}()
			query := `{ user(id: "` + ids("User", 1)[0] + `") { orders(first: 3) { nodes { items(first: 3) { nodes { sku } } } } } }`
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"?query="+url.QueryEscape(query), nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header = s.header.Clone()
			resp, err := s.client.Do(req)
			if err == nil {
				_ = resp.Body.Close()
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
		})
	}
}
