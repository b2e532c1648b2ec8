package replay

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
)

// endpoint answers a Query with the number of requests so far, and a GetItem with its key, unless that is "missing".
func endpoint(t *testing.T) *httptest.Server {
	t.Helper()
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count++
		var in struct {
			Key                    map[string]map[string]string
			ReturnConsumedCapacity string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		answer := map[string]any{"Count": count}
		if r.Header.Get("X-Amz-Target") == actionPrefix+"GetItem" {
			answer = map[string]any{}
			if in.Key["PK"]["S"] != "missing" {
				answer["Item"] = in.Key
			}
			if in.ReturnConsumedCapacity != "" {
				answer["ConsumedCapacity"] = map[string]any{"CapacityUnits": 0.5}
			}
		}
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// serve returns a proxy of the endpoint, and a function that sends a request to it.
func serve(t *testing.T) (p *Proxy, send func(action, body string) (int, string)) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	p = New(endpoint(t).URL, "#DESIGN")
	go func() {
		if err := p.Serve(t.Context(), listener); err != nil {
			t.Error(err)
		}
	}()
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	return p, func(action, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+listener.Addr().String(),
			strings.NewReader(body))
		fatal.If(t, err)
		r.Header.Set("X-Amz-Target", actionPrefix+action)
		response, err := client.Do(r)
		fatal.If(t, err)
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		fatal.If(t, err)
		return response.StatusCode, strings.TrimSpace(string(text))
	}
}

func TestReplay(t *testing.T) {
	p, send := serve(t)
	const query = `{"TableName": "shop", "Limit": 2, "ExpressionAttributeValues": {":a": {"S": "x"}, ":b": {"S": "y"}}}`
	const design = `{"TableName": "shop", "Key": {"PK": {"S": "TABLE#DESIGN"}}}` // is answered, and not counted
	_, recorded := send("Query", query)
	_, record := send("GetItem", design)
	p.Replay(0)
	if status, got := send("GetItem", design); status != http.StatusOK || got != record {
		t.Errorf("the answer is %d %s, want %s", status, got, record)
	}
	const reordered = `{"Limit":2,"ExpressionAttributeValues":{":b":{"S":"y"},":a":{"S":"x"}},"TableName":"shop"}`
	for _, body := range []string{query, reordered} {
		if status, got := send("Query", body); status != http.StatusOK || got != recorded {
			t.Errorf("%s: the answer is %d %s, want %s", body, status, got, recorded)
		}
	}
	for name, request := range map[string]struct{ action, body string }{
		"another action": {"Scan", query},
		"another limit":  {"Query", strings.Replace(query, "2", "3", 1)},
		"swapped values": {"Query", strings.NewReplacer("x", "y", "y", "x").Replace(query)},
		"no member":      {"Query", `{}`},
	} {
		if status, got := send(request.action, request.body); status != http.StatusBadRequest {
			t.Errorf("%s: the answer is %d %s, want an error", name, status, got)
		}
	}
	if counts := p.Counts(); counts.Requests != 7 || len(counts.Unknown) != 4 {
		t.Errorf("the counts are %+v, want 7 requests with 4 unknown ones", counts)
	}
}

// TestReplayOfWrites: a write is known by its keys and the names of what it writes.
func TestReplayOfWrites(t *testing.T) {
	p, send := serve(t)
	update := func(key, name, value string) string {
		return `{"Key":{"PK":{"S":"` + key + `"}},"ExpressionAttributeValues":{"` + name + `":{"N":"` + value + `"}}}`
	}
	_, recorded := send("UpdateItem", update("a", ":n", "1"))
	p.Replay(0)
	if status, got := send("UpdateItem", update("a", ":n", "2")); status != http.StatusOK || got != recorded {
		t.Errorf("the answer for another value is %d %s, want %s", status, got, recorded)
	}
	for name, body := range map[string]string{
		"another key": update("b", ":n", "1"), "another name": update("a", ":m", "1"),
	} {
		if status, got := send("UpdateItem", body); status != http.StatusBadRequest {
			t.Errorf("%s: the answer is %d %s, want an error", name, status, got)
		}
	}
}

func TestReplayOfBatches(t *testing.T) {
	p, send := serve(t)
	batch := func(pks ...string) string {
		var all []string
		for _, pk := range pks {
			all = append(all, `{"PK":{"S":"`+pk+`"}}`)
		}
		return `{"RequestItems":{"shop":{"Keys":[` + strings.Join(all, ",") + `]}},"ReturnConsumedCapacity":"TOTAL"}`
	}
	send("BatchGetItem", batch("a", "b", "missing", "c"))
	p.Replay(0)
	const want = `{"Responses":{"shop":[{"PK":{"S":"c"}},{"PK":{"S":"a"}}]},"UnprocessedKeys":{},` +
		`"ConsumedCapacity":[{"TableName":"shop","CapacityUnits":1.5}]}`
	if status, got := send("BatchGetItem", batch("c", "missing", "a")); status != http.StatusOK || got != want {
		t.Errorf("the answer is %d %s, want %s", status, got, want)
	}
	if status, got := send("BatchGetItem", batch("a", "d")); status != http.StatusBadRequest {
		t.Errorf("the answer with an unknown key is %d %s, want an error", status, got)
	}
	consistent := strings.Replace(batch("a"), `{"Keys"`, `{"ConsistentRead":true,"Keys"`, 1)
	if status, got := send("BatchGetItem", consistent); status != http.StatusBadRequest {
		t.Errorf("the answer with another consistency is %d %s, want an error", status, got)
	}
}

// FuzzScan: the scanner ends on any text, and accepts all JSON.
func FuzzScan(f *testing.F) {
	for _, text := range []string{`{"a":[1,"\"",{}],"Keys":[{"b":null}]}`, `[`, `{"a`, `{"Keys":[1`, "1 2", `{]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s scanner
		if _, _, err := s.scan(nil, text); err != nil && json.Valid(text) {
			t.Errorf("%q is JSON", text)
		}
	})
}
