package stream

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// refusing is an output that cannot have the items of records.
type refusing struct{ losses int }

func (*refusing) begin(context.Context, live.Position)                {}
func (o *refusing) lost(context.Context, error)                       { o.losses++ }
func (*refusing) current(context.Context, time.Time, live.Position)   {}
func (*refusing) pass(context.Context, []*record, live.Position) bool { return false }

// TestFirstRecordsAreGone: a replica that knows no position in a shard, and cannot have the items of the first records
// that another one has published of it, reads the shard from these records on. Nothing is lost.
func TestFirstRecordsAreGone(t *testing.T) {
	asked := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is missing is seen below
		answer := `{"Records":[],"NextShardIterator":"next"}`
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetShardIterator") {
			asked <- string(body)
			answer = `{"ShardIterator":"first"}`
		}
		_, _ = io.WriteString(w, answer) // a client that has gone
	}))
	t.Cleanup(server.Close)
	settings := table.Settings{Endpoint: server.URL, Region: "us-east-1"}
	log := slog.New(slog.DiscardHandler)
	tb, err := table.Open(t.Context(), settings, table.Schema{}, log)
	fatal.If(t, err)
	t.Cleanup(func() { _ = tb.Close() })

	out := &refusing{}
	s := newSession(&source{table: tb, arn: "arn"}, Options{Settings: Settings{Interval: time.Hour}}, log, out)
	s.shared = newShared(&Options{Store: &replicas.Store{}, Logger: log}, "me", "arn", table.Schema{}, time.Hour)
	s.shared.begin(nil)
	s.position = live.Position{"shard": present}
	s.tips["shard"] = time.Time{}
	p := part{Shard: "shard", After: present, Origin: "origin", heads: []head{
		{sequence: "1001", key: keys.Key{PK: "a", SK: "a"}}, {sequence: "1002", key: keys.Key{PK: "a", SK: "a"}},
	}}
	ctx, stop := context.WithCancel(t.Context())
	defer s.readers.Wait()
	defer stop()
	s.followPart(ctx, &entry{from: "other", Scheme: s.shared.publisher.encoder.scheme}, &p, 0)
	if s.position["shard"] != present || s.running["shard"] == nil {
		t.Fatalf("the position is %q, and it reads %v", s.position["shard"], s.running)
	}
	if b := <-s.passed; b.lost != nil || out.losses > 0 {
		t.Errorf("something is lost: %v, %d", b.lost, out.losses)
	}
	if got := <-asked; !strings.Contains(got, "AT_SEQUENCE_NUMBER") || !strings.Contains(got, `"1001"`) {
		t.Errorf("it asks for %s", got)
	}
}
