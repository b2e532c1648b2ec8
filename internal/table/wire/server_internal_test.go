package wire

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"go.uber.org/goleak"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
)

func TestMain(m *testing.M) {
	if scheme := os.Getenv(replayVariable); scheme != "" {
		replay(scheme)
		return
	}
	goleak.VerifyTestMain(m)
}

// aRead is a request, and anItem the body of a response to it.
var (
	aRead  = request.GetItem{Key: keys.Key{PK: "A", SK: "B"}}
	anItem = `{"ConsumedCapacity":{"CapacityUnits":0.5},"Item":{"PK":{"S":"A"},"SK":{"S":"B"}}}`
)

// generous is a timeout that no test waits for.
const generous = time.Minute

// server runs a function for each connection.
type server struct {
	url  string
	tls  *tls.Config // for a client that trusts it
	stop chan struct{}

	mu     sync.Mutex
	opened int
}

// connection is one of the server's, the nth from 1.
type connection struct {
	net.Conn
	n       int
	in      *bufio.Reader
	stopped <-chan struct{}
}

// serve starts a server that ends with the test. A connection is closed when its function returns.
func serve(t *testing.T, secure bool, handle func(*connection)) *server {
	t.Helper()
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	s := &server{url: "http://" + l.Addr().String(), stop: make(chan struct{})}
	certificate := trusted()
	if secure {
		s.url = "https://" + l.Addr().String()
		s.tls = &tls.Config{RootCAs: x509.NewCertPool()}
		s.tls.RootCAs.AddCert(certificate.Leaf)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			n := s.count()
			group.Go(func() {
				if secure {
					c = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{certificate}})
				}
				defer c.Close()
				end := make(chan struct{})
				defer close(end)
				go func() {
					select {
					case <-s.stop:
						c.Close()
					case <-end:
					}
				}()
				handle(&connection{Conn: c, n: n, in: bufio.NewReader(c), stopped: s.stop})
			})
		}
	})
	t.Cleanup(func() {
		close(s.stop)
		l.Close()
		group.Wait()
	})
	return s
}

// trusted returns the certificate of httptest for 127.0.0.1 and example.com.
var trusted = sync.OnceValue(func() tls.Certificate {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	certificate := s.TLS.Certificates[0]
	certificate.Leaf = s.Certificate()
	return certificate
})

func (s *server) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	return s.opened
}

func (s *server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

// receive reads a request. It returns an error if there is none.
func (c *connection) receive() error {
	r, err := http.ReadRequest(c.in)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	return err
}

// send writes a text.
func (c *connection) send(text string) { _, _ = io.WriteString(c, text) }

// ok returns a response with the body.
func ok(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// answer responds to each request in the same way.
func (c *connection) answer(response string) {
	for c.receive() == nil {
		c.send(response)
	}
}

// awaitClose returns once the client has closed the connection.
func (c *connection) awaitClose() { _, _ = io.Copy(io.Discard, c.in) }

// newClient returns a client of the server, with at most so many attempts.
func newClient(t *testing.T, url string, attempts int, change ...func(*Settings)) *Client {
	t.Helper()
	settings := Settings{
		SDK: dynamodb.New(dynamodb.Options{
			Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
			BaseEndpoint: aws.String(url), Retryer: quick(attempts),
		}),
		Streams: dynamodbstreams.New(dynamodbstreams.Options{
			Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
			BaseEndpoint: aws.String(url),
		}),
		Table: aTable, MaxConnections: 8, Timeout: generous, DialTimeout: generous, IdleTimeout: generous,
	}
	for _, f := range change {
		f(&settings)
	}
	c := New(settings)
	t.Cleanup(func() {
		c.Close()
		if n := len(c.pool.slots) + len(c.streams.slots); n > 0 {
			t.Errorf("%d slots are not free", n)
		}
	})
	return c
}

// quick returns a Retryer that does not wait.
func quick(attempts int) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts, o.RateLimiter = attempts, ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})
}

func trusting(s *server) func(*Settings) { return func(o *Settings) { o.TLS = s.tls } }

// bothSchemes runs a test with and without TLS.
func bothSchemes(t *testing.T, test func(t *testing.T, secure bool)) {
	t.Helper()
	for _, secure := range []bool{false, true} {
		t.Run(map[bool]string{false: "http", true: "https"}[secure], func(t *testing.T) {
			t.Parallel()
			test(t, secure)
		})
	}
}

// wantItem checks that a read succeeds after so many retries.
func wantItem(t *testing.T, c *Client, retries int) {
	t.Helper()
	got := must(c.GetItem(t.Context(), aRead))
	if len(got.Items) != 1 || got.Items[0].Text("PK") != "A" || got.ReadUnits != 0.5 || got.Retries != retries {
		t.Errorf("got %+v, want %d retries", got, retries)
	}
}

// wantError checks that a read fails with an error that is want, after so many retries.
func wantError(t *testing.T, c *Client, want error, retries int, words ...string) {
	t.Helper()
	got, err := c.GetItem(t.Context(), aRead)
	if err == nil || want != nil && !errors.Is(err, want) || got.Retries != retries {
		t.Errorf("got %d retries and %v, want %d and %v", got.Retries, err, retries, want)
	}
	for _, word := range words {
		if err != nil && !strings.Contains(err.Error(), word) {
			t.Errorf("no %q in: %v", word, err)
		}
	}
}

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
