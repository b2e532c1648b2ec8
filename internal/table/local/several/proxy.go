package several

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Proxy is an endpoint in front of the engine.
type Proxy struct {
	engine string
	server *http.Server
	url    string
	client http.Client
	// writing is locked by updates, and by other writes for reading, so that the item that is read before an update is
	// still the same when the update is carried out.
	writing sync.RWMutex
	mu      sync.Mutex
	tables  map[string]*table
}

// table is what a Proxy knows of a table.
type table struct {
	keys    []string
	indexes []index
}

func (t *table) index(name string) (index, bool) {
	for _, ix := range t.indexes {
		if ix.name == name {
			return ix, true
		}
	}
	return index{}, false
}

// Start returns a Proxy on a free port of the loopback interface, in front of the engine with the URL.
func Start(engine string) (*Proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("several: no free port: %w", err)
	}
	// The connections are as many as those to the Proxy.
	transport := &http.Transport{MaxIdleConnsPerHost: math.MaxInt, DisableCompression: true}
	p := &Proxy{
		engine: engine, url: "http://" + l.Addr().String(), client: http.Client{Transport: transport},
		tables: map[string]*table{},
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = p.server.Serve(l) }()
	return p, nil
}

// URL returns the endpoint.
func (p *Proxy) URL() string { return p.url }

// Close ends the Proxy. The caller waits for its requests first.
func (p *Proxy) Close() error {
	p.client.CloseIdleConnections()
	return p.server.Close()
}

// invalid is a ValidationException.
type invalid string

func (e invalid) Error() string { return string(e) }

// rejected is the response of the engine to a request that the Proxy needed before the caller's.
type rejected struct {
	status int
	body   []byte
}

func (e rejected) Error() string {
	return fmt.Sprintf("several: status %d of the engine: %s", e.status, e.body)
}

// ServeHTTP translates a request, sends it to the engine, and translates the response.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	c := &call{Proxy: p, ctx: request.Context(), header: request.Header, operation: operation}
	status, response, err := c.do(body)
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	if err != nil {
		status, response = failure(err)
	}
	w.WriteHeader(status)
	_, _ = w.Write(response)
}

// failure returns the response for an error of the Proxy.
func failure(err error) (status int, response []byte) {
	if e, is := errors.AsType[rejected](err); is {
		return e.status, e.body
	}
	if e, is := errors.AsType[invalid](err); is {
		response, _ = json.Marshal(object{
			"__type": "com.amazon.coral.validate#ValidationException", "message": e.Error(),
		})
		return http.StatusBadRequest, response
	}
	return http.StatusInternalServerError, []byte(`{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}`)
}

// call is one request.
type call struct {
	*Proxy
	ctx       context.Context //nolint:containedctx // it is that of the request
	header    http.Header
	operation string
}

// do translates the request and the response.
func (c *call) do(body []byte) (status int, response []byte, err error) {
	var r object
	if json.Unmarshal(body, &r) != nil || r == nil {
		return c.send(c.operation, body)
	}
	unlock, err := c.translate(r)
	defer unlock()
	if err != nil {
		return 0, nil, err
	}
	if body, err = json.Marshal(r); err != nil {
		return 0, nil, err
	}
	status, response, err = c.send(c.operation, body)
	var out object
	if err != nil || json.Unmarshal(response, &out) != nil {
		return status, response, err
	}
	for _, name := range []string{"Table", "TableDescription"} {
		if d, is := out[name].(object); is {
			fromEngine(d)
		}
	}
	if last, is := out["LastEvaluatedKey"].(object); is {
		if t, err := c.table(text(r["TableName"])); err == nil {
			if ix, is := t.index(text(r["IndexName"])); is {
				expand(ix, last)
			}
		}
	}
	strip(out)
	response, err = json.Marshal(out)
	return status, response, err
}

// send sends a body to the engine.
func (c *call) send(operation string, body []byte) (status int, response []byte, err error) {
	request, err := http.NewRequestWithContext(c.ctx, http.MethodPost, c.engine, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	for _, name := range []string{"Authorization", "Content-Type", "X-Amz-Date", "X-Amz-Security-Token"} {
		request.Header[name] = c.header[name]
	}
	prefix, _, _ := strings.Cut(c.header.Get("X-Amz-Target"), ".")
	request.Header.Set("X-Amz-Target", prefix+"."+operation)
	out, err := c.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer out.Body.Close()
	response, err = io.ReadAll(out.Body)
	return out.StatusCode, response, err
}

// table returns what is known of a table.
func (c *call) table(name string) (*table, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.tables[name]; t != nil {
		return t, nil
	}
	body, err := json.Marshal(object{"TableName": name})
	if err != nil {
		return nil, err
	}
	status, response, err := c.send("DescribeTable", body)
	var out struct{ Table object }
	if err != nil || status != http.StatusOK || json.Unmarshal(response, &out) != nil {
		return &table{}, err // the engine's own response says that there is no such table
	}
	t := &table{}
	for _, e := range objects(out.Table["KeySchema"]) {
		t.keys = append(t.keys, text(e["AttributeName"]))
	}
	t.indexes = fromEngine(out.Table)
	c.tables[name] = t
	return t, nil
}

func (c *call) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.tables, name)
}
