package stream_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// fakeStream is a stream with several shards, which the local engine does not have. All other requests are those of the
// engine.
type fakeStream struct {
	engine   http.Handler
	settings table.Settings
	log      *slog.Logger

	mu     sync.Mutex
	shards []*fakeShard
	last   int // sequence number
	// arn is the stream of the last request for its shards. off is one that was turned off, which has other shards.
	arn, off  string
	offShards []*fakeShard
	// pages is how many shards a page of DescribeStream has.
	pages int
}

type fakeShard struct {
	id, parent string
	closed     bool
	records    []fakeRecord
	trimmed    int // how many records are gone
}

type fakeRecord struct {
	sequence int
	pk       string
	n        int
}

// startFake returns a table whose stream is a fake one.
func startFake(t *testing.T) (*fakeStream, *table.Table) {
	t.Helper()
	e := tabletest.Start(t, streamed)
	engine := must(url.Parse(e.Proxy.URL()))
	f := &fakeStream{
		engine: httputil.NewSingleHostReverseProxy(engine), settings: e.Settings, log: e.Table.Logger(),
		last: 100, pages: 1,
	}
	return f, f.open(t, f)
}

// open returns the table for a replica whose requests a handler gets, which passes them on.
func (f *fakeStream) open(t *testing.T, way http.Handler) *table.Table {
	t.Helper()
	server := httptest.NewServer(way)
	t.Cleanup(server.Close)
	settings := f.settings
	settings.Endpoint = server.URL
	opened := must(table.Open(t.Context(), settings, streamed, f.log))
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}

// add adds a shard.
func (f *fakeStream) add(id, parent string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shards = append(f.shards, &fakeShard{id: id, parent: parent})
}

// write adds a record of an item of its own to a shard.
func (f *fakeStream) write(id string, n int) { f.writeItem(id, id, n) }

// writeItem adds a record of an item to a shard.
func (f *fakeStream) writeItem(id, pk string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	s := f.shard(id)
	s.records = append(s.records, fakeRecord{f.last, pk, n})
}

// split closes a shard and opens its children.
func (f *fakeStream) split(id string, children ...string) {
	f.mu.Lock()
	f.shard(id).closed = true
	f.mu.Unlock()
	for _, child := range children {
		f.add(child, id)
	}
}

// trim removes the records of a shard.
func (f *fakeStream) trim(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shard(id).trimmed = len(f.shard(id).records)
}

// forget removes a shard, as 24 hours after its end.
func (f *fakeStream) forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shards = slices.DeleteFunc(f.shards, func(s *fakeShard) bool { return s.id == id })
}

// replace gives the table another stream. The shards of the one that it had are closed, and can still be read.
func (f *fakeStream) replace(t *testing.T, tb *table.Table) {
	t.Helper()
	f.mu.Lock()
	f.off, f.offShards, f.shards = f.arn, f.shards, nil
	for _, s := range f.offShards {
		s.closed = true
	}
	f.mu.Unlock()
	turn(t, tb, &types.StreamSpecification{StreamEnabled: aws.Bool(false)})
	turn(t, tb, &types.StreamSpecification{
		StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
	})
}

func (f *fakeStream) shard(id string) *fakeShard {
	all := slices.Concat(f.offShards, f.shards)
	i := slices.IndexFunc(all, func(s *fakeShard) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return all[i]
}

func (f *fakeStream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation, isStreams := strings.CutPrefix(r.Header.Get("X-Amz-Target"), "DynamoDBStreams_20120810.")
	if !isStreams {
		f.engine.ServeHTTP(w, r)
		return
	}
	var in struct {
		Stream         string `json:"StreamArn"`
		After          string `json:"ExclusiveStartShardId"`
		ID             string `json:"ShardId"`
		Kind           string `json:"ShardIteratorType"`
		SequenceNumber string
		ShardIterator  string
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return // the client has gone
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var answer any
	code := ""
	switch operation {
	case "DescribeStream":
		f.arn = in.Stream
		answer = f.describe(in.After)
	case "GetShardIterator":
		answer, code = f.iterator(in.ID, in.Kind, in.SequenceNumber)
	case "GetRecords":
		answer, code = f.records(in.ShardIterator)
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if code != "" {
		w.WriteHeader(http.StatusBadRequest)
		answer = map[string]string{"__type": "com.amazonaws.dynamodb.v20120810#" + code, "message": "made by the test"}
	}
	_ = json.NewEncoder(w).Encode(answer) // fails only when the client has gone
}

func (f *fakeStream) describe(after string) any {
	from, all, status := 0, f.shards, "ENABLED"
	if f.arn == f.off {
		all, status = f.offShards, "DISABLED"
	}
	if after != "" {
		from = 1 + slices.IndexFunc(all, func(s *fakeShard) bool { return s.id == after })
	}
	to := min(from+f.pages, len(all))
	var shards []map[string]any
	for _, s := range all[from:to] {
		one := map[string]any{
			"ShardId": s.id, "SequenceNumberRange": map[string]string{"StartingSequenceNumber": "100"},
		}
		if s.parent != "" {
			one["ParentShardId"] = s.parent
		}
		shards = append(shards, one)
	}
	description := map[string]any{"Shards": shards, "StreamStatus": status}
	if to < len(all) {
		description["LastEvaluatedShardId"] = all[to-1].id
	}
	return map[string]any{"StreamDescription": description}
}

func (f *fakeStream) iterator(id, kind, sequence string) (any, string) {
	s, at := f.shard(id), 0
	if s == nil {
		return nil, "ResourceNotFoundException"
	}
	switch kind {
	case "TRIM_HORIZON":
		at = s.trimmed
	case "LATEST":
		at = len(s.records)
	case "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER":
		at = slices.IndexFunc(s.records, func(r fakeRecord) bool { return strconv.Itoa(r.sequence) == sequence })
		if kind == "AFTER_SEQUENCE_NUMBER" {
			at++
		}
	}
	return map[string]string{"ShardIterator": fmt.Sprintf("%s %d", id, at)}, ""
}

func (f *fakeStream) records(iterator string) (any, string) {
	var id string
	var at int
	if _, err := fmt.Sscanf(iterator, "%s %d", &id, &at); err != nil {
		return nil, "ValidationException"
	}
	s := f.shard(id)
	if s == nil {
		return nil, "ResourceNotFoundException"
	}
	if at < s.trimmed {
		return nil, "TrimmedDataAccessException"
	}
	records := []any{}
	for _, r := range s.records[at:] {
		text := func(s string) map[string]string { return map[string]string{"S": s} }
		image := map[string]any{"PK": text(r.pk), "SK": text("A"), "n": text(strconv.Itoa(r.n))}
		records = append(records, map[string]any{"dynamodb": map[string]any{
			"SequenceNumber": strconv.Itoa(r.sequence), "NewImage": image, "ApproximateCreationDateTime": 1.7e9,
		}})
	}
	answer := map[string]any{"Records": records}
	if !s.closed {
		answer["NextShardIterator"] = fmt.Sprintf("%s %d", id, len(s.records))
	}
	return answer, ""
}
