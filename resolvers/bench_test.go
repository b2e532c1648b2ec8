package resolvers_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/partita/partita/demo"
)

// BenchmarkOperation measures whole operations over HTTP against the engine. The engine's own time is included.
func BenchmarkOperation(b *testing.B) {
	s := startShop(b)
	for _, bb := range []struct{ name, query string }{
		{"user", `query($id: ID!) { user(id: $id) { name email } }`},
		{"orders", `query($id: ID!) { user(id: $id) { name orders(first: 10) { nodes { id status } } } }`},
		{
			"orders-items", `query($id: ID!) { user(id: $id) { name
				orders(first: 10) { nodes { id status items(first: 10) { nodes { sku quantity } } } } } }`,
		},
	} {
		b.Run(bb.name, func(b *testing.B) {
			body, err := json.Marshal(map[string]any{"query": bb.query,
				"variables": map[string]string{"id": demo.Ada().Encode()}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, s.url, bytes.NewReader(body))
					if err != nil {
						b.Error(err)
						return
					}
					req.Header = s.header.Clone()
					req.Header.Set("Content-Type", "application/json")
					resp, err := s.client.Do(req)
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
					if resp.StatusCode != http.StatusOK {
						b.Errorf("status %d", resp.StatusCode)
						return
					}
				}
			})
		})
	}
}
