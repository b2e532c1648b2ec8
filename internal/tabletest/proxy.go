package tabletest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/partita/partita/keys/stored"
)

// Request is one HTTP request that the Proxy received.
type Request struct {
	// Operation is DynamoDB's name of it, such as Query.
	Operation string
	// Text is the request in one line, such as
	// "Query PK = USER#7, SK BETWEEN ORDER# AND USER#7, descending, limit 12".
	Text string
}

// IsWrite reports whether the request is a transaction or a single write.
func (r Request) IsWrite() bool { return isWrite(r.Operation) }

// Counts are sums since the start or the latest Reset.
type Counts struct {
	// Requests by operation, retries included.
	Requests map[string]int
	// ReadUnits and WriteUnits are the consumed capacity that the engine
	// reported.
	ReadUnits, WriteUnits float64
	// Writes is how many transactions and single writes the engine carried out.
	Writes int
	// Connections is how many were opened.
	Connections int
	// Throttled, Failed, Conflicts and ResetConnections are requests with that
	// fault; Unprocessed is keys and puts.
	Throttled, Failed, Conflicts, ResetConnections, Unprocessed int
}

// WriteRequests returns the number of transactions and single writes, retries included.
func (c Counts) WriteRequests() int {
	n := 0
	for operation, count := range c.Requests {
		if isWrite(operation) {
			n += count
		}
	}
	return n
}

// Total returns the number of requests of all operations.
func (c Counts) Total() int {
	n := 0
	for _, count := range c.Requests {
		n += count
	}
	return n
}

// Proxy forwards DynamoDB requests to an endpoint. Its methods may be called
// while it serves.
type Proxy struct {
	server    *httptest.Server
	target    string
	layout    *stored.Layout
	transport *http.Transport

	mu     sync.Mutex
	faults Faults
	dice   dice
	counts Counts
	log    []string
	holds  []*Hold
	// busy are the items of transactions under way, with Faults.Contended.
	busy map[string]bool
}

// NewProxy serves in front of the endpoint until Close. The layout has the names of the table's attributes.
func NewProxy(endpoint string, layout *stored.Layout) (*Proxy, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, fmt.Errorf("tabletest: %w", err)
	}
	p := &Proxy{
		target:    u.String(),
		layout:    layout,
		transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true},
		busy:      map[string]bool{},
	}
	p.Inject(Faults{})
	p.Reset()
	p.server = httptest.NewUnstartedServer(p)
	p.server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.counts.Connections++
		}
	}
	p.server.Start()
	return p, nil
}

// URL is where the Proxy serves.
func (p *Proxy) URL() string { return p.server.URL }

// Close ends the Proxy, with all requests that it holds.
func (p *Proxy) Close() {
	p.mu.Lock()
	holds := slices.Clone(p.holds)
	p.mu.Unlock()
	for _, h := range holds {
		h.Release()
	}
	p.server.CloseClientConnections()
	p.server.Close()
	p.transport.CloseIdleConnections()
}

// Inject makes these the faults from now on; Faults{} ends them.
func (p *Proxy) Inject(f Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = f
	p.dice = dice{seed: f.Seed, seen: map[string]uint64{}}
}

// Reset sets the counts to zero and empties the log.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts = Counts{Requests: map[string]int{}}
	p.log = nil
}

// Counts returns the counts up to now.
func (p *Proxy) Counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.counts
	c.Requests = maps.Clone(c.Requests)
	return c
}

// Log returns the text of each request, in the order of arrival; a request
// with a fault ends with "-> " and the fault.
func (p *Proxy) Log() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log)
}

// ServeHTTP forwards one request, or lets it fail.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	request := Request{Operation: operation, Text: describe(p.layout, operation, text)}
	x := p.arrive(request, text)
	defer p.vacate(x)
	p.await(r, request)
	switch x.fault {
	case faultReset:
		hangUp(w, true)
		return
	case faultThrottled:
		respondError(w, http.StatusBadRequest, "ProvisionedThroughputExceededException")
		return
	case faultFailed:
		respondError(w, http.StatusInternalServerError, "InternalServerError")
		return
	case faultErrorCode:
		respondError(w, http.StatusBadRequest, x.code)
		return
	case faultConflict:
		cancel(w, operation, text)
		return
	}
	response, answer, err := p.forward(r, x.forward)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	answer = x.restore(answer)
	p.consumed(operation, answer)
	if isWrite(operation) && response.StatusCode == http.StatusOK {
		p.carriedOut()
	}
	if x.fault == faultLost {
		hangUp(w, true)
		return
	}
	maps.Copy(w.Header(), response.Header)
	w.Header().Del("X-Amz-Crc32") // of the answer before restore
	w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
	w.WriteHeader(response.StatusCode)
	if x.fault == faultCut {
		_, _ = w.Write(answer[:len(answer)/2])
		hangUp(w, false)
		return
	}
	_, _ = w.Write(answer) // fails only when the client has gone
}

func (p *Proxy) forward(r *http.Request, text []byte) (*http.Response, []byte, error) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, p.target, bytes.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	out.Header = r.Header.Clone()
	out.Header.Del("Content-Length")
	response, err := p.transport.RoundTrip(out)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response, answer, err
}

// consumed adds up the ConsumedCapacity of an answer, which is one object or a
// list of them.
func (p *Proxy) consumed(operation string, answer []byte) {
	type capacity struct{ CapacityUnits float64 }
	var document struct{ ConsumedCapacity json.RawMessage }
	if json.Unmarshal(answer, &document) != nil || document.ConsumedCapacity == nil {
		return
	}
	var list []capacity
	if json.Unmarshal(document.ConsumedCapacity, &list) != nil {
		var one capacity
		if json.Unmarshal(document.ConsumedCapacity, &one) != nil {
			return
		}
		list = []capacity{one}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range list {
		switch operation {
		case "GetItem", "BatchGetItem", "Query", "Scan":
			p.counts.ReadUnits += c.CapacityUnits
		default:
			p.counts.WriteUnits += c.CapacityUnits
		}
	}
}

func (p *Proxy) carriedOut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.Writes++
}

// respondError writes an error in DynamoDB's format.
func respondError(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"made by the test"}`, code)
}

// cancel writes the error of a transaction that conflicts with others on its items.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
func cancel(w http.ResponseWriter, operation string, text []byte) {
	if operation != "TransactWriteItems" {
		respondError(w, http.StatusBadRequest, "TransactionConflictException")
		return
	}
	var b body
	_ = json.Unmarshal(text, &b) // the engine returns the error
	reasons := make([]map[string]string, len(b.TransactItems))
	for i := range reasons {
		reasons[i] = map[string]string{"Code": "TransactionConflict", "Message": "made by the test"}
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(marshal(map[string]any{
		"__type":              "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
		"Message":             "made by the test",
		"CancellationReasons": reasons,
	}))
}

// hangUp closes the connection, with RST or with FIN.
func hangUp(w http.ResponseWriter, reset bool) {
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	_ = buffered.Flush()
	if tcp, ok := connection.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}
