package tabletest

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"

	"github.com/partita/partita/internal/tabletest/amazon"
	"github.com/partita/partita/keys/stored"
)

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
	// ThrottledUnits are the write units of requests that were throttled because of Limits.
	ThrottledUnits float64
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
	layout    *stored.Layout
	transport *http.Transport

	mu     sync.Mutex
	target string
	faults Faults
	dice   dice
	counts Counts
	log    []*logged
	holds  []*Hold
	// busy are the items of transactions under way, with Contended.
	busy    map[string]bool
	limiter *amazon.Limiter
}

// Limits are what Amazon DynamoDB has and the local engine does not. They hold whatever faults are injected.
type Limits = amazon.Limits

// Limit makes these the limits from now on, as of a table that has not been used; Limits{} ends them.
func (p *Proxy) Limit(l Limits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limiter = amazon.NewLimiter(l)
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
	p.Limit(amazon.Environment())
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

// direct makes an endpoint the one to which requests are forwarded.
func (p *Proxy) direct(endpoint string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = endpoint
}

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
func (p *Proxy) Reset() { p.Drain() }

// Drain is Reset, and returns the counts up to then.
func (p *Proxy) Drain() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.counts
	p.counts = Counts{Requests: map[string]int{}}
	p.log = nil
	return c
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
	texts := make([]string, len(p.log))
	for i := range p.log {
		texts[i] = p.log[i].describe(p.layout)
	}
	return texts
}
