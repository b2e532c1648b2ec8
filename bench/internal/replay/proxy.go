package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Proxy records or replays. Its methods may be called while it serves.
type Proxy struct {
	target    string
	uncounted []byte
	client    *http.Client

	replaying atomic.Bool
	delay     atomic.Int64 // in nanoseconds
	requests  atomic.Int64

	mu sync.RWMutex
	// answers are whole responses, but for BatchGetItem.
	answers map[fingerprint][]byte
	// items are those of keys in a BatchGetItem, nil for an item that does not exist.
	items map[itemKey]*item
	// unknown are the requests that Replay could not answer, up to maxUnknown of them.
	unknown []string
}

// maxUnknown is how many unknown requests are kept: enough to see what they have in common.
const maxUnknown = 10

// itemKey is a key in a BatchGetItem; the request is the fingerprint of everything but its keys.
type itemKey struct{ request, key fingerprint }

// item is an item in a response.
type item struct {
	text  []byte  // of its JSON; nil if there is no such item
	units float64 // read units
}

// New returns a Proxy that records the answers of the endpoint, such as http://127.0.0.1:8000. It answers requests
// whose body contains the text uncounted like all others, but does not count them.
func New(endpoint, uncounted string) *Proxy {
	return &Proxy{
		target:    endpoint,
		uncounted: []byte(uncounted),
		client:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		answers:   map[fingerprint][]byte{},
		items:     map[itemKey]*item{},
	}
}

// Record forwards requests from now on, and keeps their answers.
func (p *Proxy) Record() { p.replaying.Store(false) }

// Replay answers from memory from now on, each request after the delay. Unknown requests are answered with an error.
func (p *Proxy) Replay(delay time.Duration) {
	p.delay.Store(int64(delay))
	p.replaying.Store(true)
}

// Counts are what the Proxy has received since its start.
type Counts struct {
	// Requests is their number.
	Requests int64
	// Unknown are the first requests that were replayed but had not been recorded.
	Unknown []string
}

// Counts returns the counts up to now.
func (p *Proxy) Counts() Counts {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return Counts{Requests: p.requests.Load(), Unknown: append([]string(nil), p.unknown...)}
}

// Serve answers the connections of the listener until the context ends.
func (p *Proxy) Serve(ctx context.Context, listener net.Listener) error {
	defer context.AfterFunc(ctx, func() { _ = listener.Close() })()
	for {
		conn, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		go p.serve(ctx, conn)
	}
}

// serve answers the requests of one connection, one after the other.
func (p *Proxy) serve(ctx context.Context, conn net.Conn) {
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer func() { _ = conn.Close() }()
	c := exchange{Proxy: p, reader: bufio.NewReaderSize(conn, 16<<10)}
	for {
		response, err := c.next(ctx)
		if err != nil {
			return // the client has gone
		}
		if _, err := conn.Write(response); err != nil {
			return
		}
	}
}

// exchange has the buffers of one connection.
type exchange struct {
	*Proxy
	reader  *bufio.Reader
	scanner scanner
	action  []byte
	body    []byte
	// batch and response are what compose returned last.
	batch, response []byte
}

// next reads a request and returns its response, which is valid until the next call.
func (c *exchange) next(ctx context.Context) ([]byte, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	start := time.Now()
	if !bytes.Contains(c.body, c.uncounted) {
		c.requests.Add(1)
	}
	request, keys, err := c.scanner.scan(c.action, c.body)
	if err != nil {
		return nil, err
	}
	replaying := c.replaying.Load()
	if !replaying {
		if err := c.record(ctx, request, keys); err != nil {
			return respond(nil, http.StatusBadGateway, failure(err)), nil
		}
	}
	response, err := c.known(request, keys)
	if err != nil {
		return respond(nil, http.StatusBadRequest, failure(err)), nil
	}
	if delay := time.Duration(c.delay.Load()); replaying && delay > 0 {
		time.Sleep(delay - time.Since(start))
	}
	return response, nil
}

// known returns the recorded response to a request.
func (c *exchange) known(request fingerprint, keys []key) ([]byte, error) {
	c.mu.RLock()
	var response []byte
	var missing bool
	if len(keys) > 0 {
		response, missing = c.compose(request, keys)
	} else {
		response = c.answers[request]
		missing = response == nil
	}
	c.mu.RUnlock()
	if !missing {
		return response, nil
	}
	err := fmt.Errorf("replay: this request was not recorded: %s %s", c.action, c.body)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.unknown) < maxUnknown {
		c.unknown = append(c.unknown, err.Error())
	}
	return nil, err
}

// failure returns an error in DynamoDB's format that its clients do not retry.
func failure(err error) []byte {
	return fmt.Appendf(nil, `{"__type":"com.amazon.coral.validate#ValidationException","message":%q}`, err)
}

var errRequest = errors.New("replay: this is not a request of a DynamoDB client")

// maxBody limits the bytes of a request: BatchGetItem has 100 keys of at most 3 KB.
const maxBody = 1 << 20

// read reads a request. Its clients send a Content-Length and keep their connections.
func (c *exchange) read() error {
	if _, err := c.reader.ReadSlice('\n'); err != nil {
		return err
	}
	c.action = c.action[:0]
	length := -1
	for {
		line, err := c.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		name, value, found := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		if !found {
			break
		}
		value = bytes.TrimSpace(value)
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return err
			}
		case bytes.EqualFold(name, []byte("X-Amz-Target")):
			c.action = append(c.action, value...)
		}
	}
	if length < 0 || length > maxBody || len(c.action) == 0 {
		return errRequest
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	_, err := io.ReadFull(c.reader, c.body)
	return err
}

// respond appends a response with the headers that DynamoDB sends.
func respond(to []byte, status int, body []byte) []byte {
	to = fmt.Appendf(to, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	to = time.Now().UTC().AppendFormat(append(to, "Server: Server\r\nDate: "...), http.TimeFormat)
	to = append(to, "\r\nContent-Type: application/x-amz-json-1.0\r\nConnection: keep-alive\r\n"+
		"x-amzn-RequestId: REPLAYEDREPLAYEDREPLAYEDREPLAYEDREPLAYEDREPLAYEDAAAA\r\nContent-Length: "...)
	to = strconv.AppendInt(to, int64(len(body)), 10)
	to = append(to, "\r\nx-amz-crc32: "...)
	to = strconv.AppendUint(to, uint64(crc32.ChecksumIEEE(body)), 10)
	to = append(to, "\r\n\r\n"...)
	return append(to, body...)
}
