package table

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// TestWhoSendsRequests: the setting decides, unless only the SDK can send them.
func TestWhoSendsRequests(t *testing.T) {
	t.Parallel()
	bySDK := make(chan bool, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bySDK <- r.Header.Get("Amz-Sdk-Request") != ""
		_, _ = io.WriteString(w, "{}")
	}))
	defer s.Close()
	for name, c := range map[string]struct {
		bySDK bool
		proxy func(*http.Request) (*url.URL, error)
		want  bool
	}{
		"wire":              {},
		"SDK":               {bySDK: true, want: true},
		"wire with a proxy": {proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: "proxy"}), want: true},
	} {
		t.Run(name, func(t *testing.T) {
			settings := Settings{Endpoint: s.URL, BySDK: c.bySDK}
			opened, err := Open(t.Context(), settings, Schema{}, slog.New(slog.DiscardHandler))
			fatal.If(t, err)
			defer opened.Close()
			if c.proxy != nil {
				opened.wire = wire.New(wire.Settings{
					SDK: opened.client, Streams: opened.streams, Table: opened.Name(), Proxy: c.proxy,
				})
			}
			key := keys.Key{PK: "A", SK: "B"}
			for operation, read := range map[string]func(context.Context) (request.Result, error){
				"GetItem": func(ctx context.Context) (request.Result, error) {
					return opened.GetItem(ctx, request.GetItem{Key: key})
				},
				"BatchGetItem": func(ctx context.Context) (request.Result, error) {
					return opened.BatchGetItem(ctx, request.BatchGetItem{Keys: []keys.Key{key}})
				},
				"Query": func(ctx context.Context) (request.Result, error) {
					return opened.Query(ctx, request.Query{PK: "A"})
				},
				"PutItem": func(ctx context.Context) (request.Result, error) {
					return opened.TransactWriteItems(ctx, writing(write.PutItem(key.Item(), write.IfMissing())))
				},
				"TransactWriteItems": func(ctx context.Context) (request.Result, error) {
					return opened.TransactWriteItems(ctx, writing(write.PutItem(key.Item())))
				},
				"GetRecords": func(ctx context.Context) (request.Result, error) {
					_, err := opened.GetRecords(ctx, "iterator", 1)
					return request.Result{}, err
				},
			} {
				if got, err := read(t.Context()); err != nil || got.Retries != 0 {
					t.Errorf("%s: got %+v, %v", operation, got, err)
				} else if sdk := <-bySDK; sdk != c.want {
					t.Errorf("%s: sent by the SDK: %v", operation, sdk)
				}
			}
		})
	}
}

func writing(actions ...write.Action) write.Transaction { return write.Transaction{Actions: actions} }
