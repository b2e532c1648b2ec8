package table_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

// TestNow: times that DynamoDB compares with its own clock do not depend on that of this machine.
func TestNow(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	engine := must(url.Parse(e.Proxy.URL()))
	const ahead = 48 * time.Hour
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(engine) },
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
			return nil
		},
	})
	defer server.Close()
	s := e.Settings
	s.Endpoint = server.URL
	slow := must(table.Open(t.Context(), s, schema, discard))
	defer slow.Close()
	if got := time.Until(slow.Now()).Round(time.Hour); got != 0 {
		t.Errorf("before the first answer it is %v ahead", got)
	}
	tx := write.Transaction{Actions: []write.Action{write.PutItem(tabletest.Stored("A", "S"))}}
	must(slow.TransactWriteItems(t.Context(), tx))
	if got := time.Until(slow.Now()).Round(time.Hour); got != ahead {
		t.Errorf("it is %v ahead, want %v", got, ahead)
	}
}

// TestNowIsPrecise: the Date of an answer has whole seconds, but times have their order within one.
func TestNowIsPrecise(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	for n := range 3 {
		before := time.Now()
		if now := e.Table.Now(); now.Before(before) || now.After(time.Now()) {
			t.Errorf("after %d answers it is %v, want from %v on", n, now, before)
		}
		tx := write.Transaction{Actions: []write.Action{write.PutItem(tabletest.Stored("A", "S"))}}
		must(e.Table.TransactWriteItems(t.Context(), tx))
	}
}
