package stream

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/partita/partita/table"
)

// BenchmarkChanges reads pages of 100 records with both images of an order, and converts them: the CPU of a change that
// concerns nobody, without what the hub does. The server is in the same process, and answers with the same bytes.
func BenchmarkChanges(b *testing.B) {
	const records = 100
	answer := pageOf(b, records)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = w.Write(answer) // fails only when the client has gone
	}))
	defer server.Close()
	schema := table.Schema{Stream: true}
	settings := table.Settings{Endpoint: server.URL, Region: "us-east-1"}
	tb, err := table.Open(b.Context(), settings, schema, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tb.Close() }()
	s, iterator := &source{table: tb, arn: "arn"}, "iterator"
	b.ReportAllocs()
	for b.Loop() {
		p, err := s.read(b.Context(), "shard", &iterator)
		if err != nil {
			b.Fatal(err)
		}
		if changes := changesOf(schema, p.records); len(changes) != records {
			b.Fatalf("%d changes", len(changes))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*records), "µs/change")
}

func pageOf(tb testing.TB, records int) []byte {
	tb.Helper()
	text := func(s string) map[string]string { return map[string]string{"S": s} }
	page := []any{}
	for n := range records {
		image := map[string]any{
			"PK": text(fmt.Sprintf("ORDER#%d", n)), "SK": text(fmt.Sprintf("ORDER#%d", n)), "entityType": text("Order"),
			"GSI1PK": text("STATUS#PENDING#3"), "GSI1SK": text("2026-01-02T03:04:05.000Z#1"), "id": text(strconv.Itoa(n)),
			"userId": text("0190a"), "status": text("PENDING"), "createdAt": text("2026-01-02T03:04:05.000Z"),
			"currency": text("EUR"), "totalMinor": map[string]string{"N": "1999"}, "version": map[string]string{"N": "3"},
		}
		page = append(page, map[string]any{
			"eventID": strconv.Itoa(n), "eventName": "MODIFY", "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
			"dynamodb": map[string]any{
				"Keys": map[string]any{"PK": image["PK"], "SK": image["SK"]}, "OldImage": image, "NewImage": image,
				"SequenceNumber": strconv.Itoa(1000 + n), "SizeBytes": 600, "StreamViewType": "NEW_AND_OLD_IMAGES",
				"ApproximateCreationDateTime": 1.7e9,
			},
		})
	}
	answer, err := json.Marshal(map[string]any{"Records": page, "NextShardIterator": "iterator"})
	if err != nil {
		tb.Fatal(err)
	}
	return answer
}
