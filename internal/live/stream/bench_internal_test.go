//go:build unix

package stream

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
)

// BenchmarkChangeForNobody reads pages of records with both images of an order, and passes them to a hub with 1,000
// subscribers of other orders: the CPU of a change that concerns nobody, with that of a server that always writes the
// same bytes. The pages are those of 100 and of 1,000 changes a second, read every 250 ms.
func BenchmarkChangeForNobody(b *testing.B) {
	for _, records := range []int{25, 250} {
		b.Run(strconv.Itoa(records), func(b *testing.B) { benchmarkNobody(b, records) })
	}
}

func benchmarkNobody(b *testing.B, records int) {
	n, hub := newNobody(b, records), newBenchHub(b)
	iterator := "iterator"
	n.measure(b, func() {
		p, err := n.source.read(b.Context(), "shard", &iterator)
		fatal.If(b, err)
		n.reader.deliver(hub, p.records)
	})
}

// BenchmarkFollowedForNobody passes the same records as what another replica has published: the CPU of decoding them
// and of finding nobody, without that of the store.
func BenchmarkFollowedForNobody(b *testing.B) {
	const records = 25
	n, hub := newNobody(b, records), newBenchHub(b)
	iterator := "iterator"
	p, err := n.source.read(b.Context(), "shard", &iterator)
	fatal.If(b, err)
	published := publish(n.source.table.Schema(), p.records)
	text, err := published.encode()
	fatal.If(b, err)
	n.measure(b, func() {
		e, err := decodeEntry(text, "another replica")
		fatal.If(b, err)
		n.reader.deliver(hub, recordsOf(e))
	})
	b.ReportMetric(float64(len(text))/records, "head-B/change")
	b.ReportMetric(float64(len(published.items))/records, "items-B/change")
}

// nobody is a stream of which each page has so many records.
type nobody struct {
	source  *source
	reader  *Reader
	records int
}

func newNobody(b *testing.B, records int) nobody {
	schema := table.Schema{Stream: true, Design: orders, Indexes: orders.IndexNames()}
	settings := table.Settings{Endpoint: "http://" + serve(b, pageOf(b, records)), Region: "us-east-1"}
	tb, err := table.Open(b.Context(), settings, schema, slog.New(slog.DiscardHandler))
	fatal.If(b, err)
	b.Cleanup(func() { _ = tb.Close() })
	return nobody{&source{table: tb, arn: "arn"}, New(tb, Options{}), records}
}

// newBenchHub returns a hub with 1,000 subscribers of orders that do not change.
func newBenchHub(b *testing.B) *live.Hub {
	hub := live.NewHub(orders, live.Options{})
	b.Cleanup(hub.Close)
	hub.Current(time.Now())
	for i := range 1000 {
		condition, err := orders.MustField("Query", "order").Bind(func(string) keys.Value {
			return keys.StringValue("other" + strconv.Itoa(i))
		}).Condition()
		fatal.If(b, err)
		feed, err := hub.Subscribe(&condition, "")
		fatal.If(b, err)
		feed.Begin(live.State{})
	}
	return hub
}

// measure calls a function that delivers a page.
func (n nobody) measure(b *testing.B, deliver func()) {
	b.ReportAllocs()
	before := cpu(b)
	for b.Loop() {
		deliver()
	}
	if want := int64(b.N * n.records); n.reader.Records() != want {
		b.Fatalf("%d changes, want %d", n.reader.Records(), want)
	}
	b.ReportMetric(float64((cpu(b)-before).Nanoseconds())/float64(b.N*n.records)/1e3, "cpu-µs/change")
}

// cpu returns the CPU time of the process.
func cpu(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	fatal.If(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

var orders = design.MustDesign(nil,
	[]*design.Type{{
		Name: "Order", Identity: []string{"id"}, Attributes: []design.Attribute{{Name: "status"}},
		Item: keys.Shape{PK: keys.MustTemplate("ORDER#{id}"), SK: keys.MustTemplate("ORDER#{id}")},
		Indexes: []design.Index{{Name: "GSI1", Shards: 4, Shape: keys.Shape{
			PK: keys.MustTemplate("STATUS#{status}"), SK: keys.MustTemplate("{id}"),
		}}},
	}},
	[]*design.Field{{
		Parent: "Query", Name: "order", Kind: design.Get,
		PK: keys.MustTemplate("ORDER#{id}"), SK: keys.MustTemplate("ORDER#{id}"),
		Arguments: []keys.Argument{{Name: "id", Kind: keys.String}},
	}})

// serve answers each request with the same body, and returns its address.
func serve(tb testing.TB, body []byte) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(tb, err)
	var serving sync.WaitGroup
	tb.Cleanup(func() {
		_ = l.Close()
		serving.Wait()
	})
	response := append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(body)), body...)
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer func() { _ = c.Close() }()
				for in := bufio.NewReader(c); ; {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					if _, err = io.Copy(io.Discard, r.Body); err == nil {
						_, err = c.Write(response)
					}
					if err != nil {
						return
					}
				}
			})
		}
	})
	return l.Addr().String()
}

func pageOf(tb testing.TB, records int) []byte {
	tb.Helper()
	text := func(s string) map[string]string { return map[string]string{"S": s} }
	page := []any{}
	for n := range records {
		id := uuid.NewString()
		image := map[string]any{
			"PK": text("ORDER#" + id), "SK": text("ORDER#" + id), "entityType": text("Order"),
			"GSI1PK": text("STATUS#PENDING#3"), "GSI1SK": text("2026-01-02T03:04:05.000Z#1"), "id": text(id),
			"userId": text(uuid.NewString()), "status": text("PENDING"), "createdAt": text("2026-01-02T03:04:05.000Z"),
			"currency": text("EUR"), "totalMinor": map[string]string{"N": "1999"}, "version": map[string]string{"N": "3"},
		}
		page = append(page, map[string]any{
			"eventID": strconv.Itoa(n), "eventName": "MODIFY", "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
			"dynamodb": map[string]any{
				"Keys": map[string]any{"PK": image["PK"], "SK": image["SK"]}, "OldImage": image, "NewImage": image,
				"SequenceNumber": strconv.Itoa(700_000_000_012_345_000 + 977*n), "SizeBytes": 600,
				"StreamViewType":              "NEW_AND_OLD_IMAGES",
				"ApproximateCreationDateTime": 1.7e9,
			},
		})
	}
	answer, err := json.Marshal(map[string]any{"Records": page, "NextShardIterator": "iterator"})
	fatal.If(tb, err)
	return answer
}
