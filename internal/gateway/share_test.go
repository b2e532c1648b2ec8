package gateway_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/internal/testschema"
	"github.com/partita/partita/internal/gatewaytest"
	turns "github.com/partita/partita/internal/share"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// shared is a gateway in a synctest bubble, with several callers.
type shared struct {
	t        *testing.T
	resolver *testschema.Resolver
	listener *pipes
	requests sync.WaitGroup
}

// share runs a test with a gateway that each request of which names its viewer.
func share(t *testing.T, configure func(*gateway.Config), test func(*shared)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &shared{
			t:        t,
			resolver: &testschema.Resolver{Waiting: make(chan struct{}, 100), Release: make(chan struct{})},
			listener: newPipes(),
		}
		c, _ := config(t)
		c.Schema, c.Callers.Authenticate = schema(s.resolver), gatewaytest.Authenticate
		configure(&c)
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error)
		settings := httpserver.Settings{Grace: time.Minute}
		go func() { served <- httpserver.Serve(ctx, s.listener, gateway.New(c), settings) }()
		test(s)
		s.requests.Wait()
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// request is an operation of a caller: a viewer, or "" for an anonymous one.
func (s *shared) request(caller, query string, header ...string) string {
	by := gatewaytest.Authorization(viewer.Viewer{ID: caller})
	return rawRequest("POST", "/graphql", fmt.Sprintf(`{"query":%q}`, query), append(header,
		"Content-Type", "application/json", "Authorization", by)...)
}

// wants sends an operation and compares its answer, and after how long it comes.
func (s *shared) wants(caller, query string, status int, text string, after time.Duration) {
	s.t.Helper()
	begun := time.Now()
	got, body, err := exchange(s.listener.dial(), s.request(caller, query))
	if took := time.Since(begun); err != nil || got != status || !strings.Contains(body, text) || took != after {
		s.t.Errorf("%q got %d %.300s, %v after %v; want %d %q after %v", caller, got, body, err, took, status, text, after)
	}
}

// wantsLater is wants for an operation that others do not wait for.
func (s *shared) wantsLater(caller, query string, status int, text string, after time.Duration) {
	s.requests.Go(func() { s.wants(caller, query, status, text, after) })
	synctest.Wait()
}

// TestShareOfOperations: a caller who has as many operations in flight as it may waits for itself, not others for it.
func TestShareOfOperations(t *testing.T) {
	const timeout = 10 * time.Second
	limits := func(c *gateway.Config) { c.MaxOperations, c.MaxOperationsPerCaller, c.OperationTimeout = 5, 2, timeout }
	for _, hostile := range []string{"eve", ""} {
		share(t, limits, func(s *shared) {
			for range 2 {
				s.wantsLater(hostile, "{wait}", http.StatusOK, `"wait"`, time.Second)
			}
			for range 2 { // these wait for those
				s.wantsLater(hostile, "{wait}", http.StatusOK, `"wait"`, time.Second)
			}
			if n := len(s.resolver.Waiting); n != 2 {
				t.Errorf("%d operations of a caller are executed, want 2", n)
			}
			s.wants(hostile, "{__typename}", http.StatusTooManyRequests, "2 operations of yours", 0)
			s.wants("ada", "{__typename}", http.StatusOK, "Query", 0)
			time.Sleep(time.Second)
			close(s.resolver.Release)
			s.requests.Wait()
			s.wants(hostile, "{__typename}", http.StatusOK, "Query", 0)
		})
	}
}

// TestTurnOfHandWrittenGo: resolvers that wait have no turn on the CPUs, so that any number of them can.
func TestTurnOfHandWrittenGo(t *testing.T) {
	share(t, func(c *gateway.Config) { c.MaxOperationsPerCaller = 1000 }, func(s *shared) {
		for range 8 * runtime.GOMAXPROCS(0) { // more than turns
			s.wantsLater("eve", "{wait}", http.StatusOK, `"wait"`, 0)
		}
		s.wants("eve", "{__typename}", http.StatusOK, "Query", 0)
		close(s.resolver.Release)
	})
}

// TestTurnOfIntrospection: introspection waits for nothing, and has a turn on the CPUs while it computes.
func TestTurnOfIntrospection(t *testing.T) {
	for query, want := range map[string]bool{
		`{__schema{types{name}}}`:                       true,
		`{__type(name:"Query"){fields{name}}}`:          true,
		`{echo(text:"")}`:                               false,
		`{echo(text:"") __schema{types{name}}}`:         false,
		`{__schema{types{name}} things(count:1){name}}`: false,
	} {
		for _, always := range []bool{false, true} {
			c, _ := config(t)
			c.AlwaysGqlgen = always
			var hasTurn atomic.Bool
			withEngine(&c).cost = func(ctx context.Context) loaders.Cost {
				hasTurn.Store(turns.TurnOf(ctx).End())
				return loaders.Cost{}
			}
			if a := post(t, serve(t, c), query, nil); a.status != http.StatusOK || hasTurn.Load() != want {
				t.Errorf("%s got %d, with a turn: %v, want %v", query, a.status, hasTurn.Load(), want)
			}
		}
	}
}

// TestOverload: operations beyond MaxOperations wait for the others until their time is over.
func TestOverload(t *testing.T) {
	configure := func(c *gateway.Config) {
		c.MaxOperations, c.MaxOperationsPerCaller, c.OperationTimeout = 2, 2, 10*time.Second
	}
	share(t, configure, func(s *shared) {
		s.wantsLater("a", "{wait}", http.StatusOK, `"wait"`, 9*time.Second)
		s.wantsLater("b", "{wait}", http.StatusOK, `"wait"`, 9*time.Second)
		s.wantsLater("c", "{wait}", http.StatusOK, `"wait"`, 9*time.Second)
		time.Sleep(9 * time.Second)
		close(s.resolver.Release)
	})
}

// unread sends an operation and reads only the first line of its answer.
func (s *shared) unread(caller, query string, header ...string) (conn net.Conn, line string) {
	conn = s.listener.dial()
	go func() { _, _ = io.WriteString(conn, s.request(caller, query, header...)) }()
	line, err := bufio.NewReaderSize(conn, 16).ReadString('\n')
	if err != nil {
		s.t.Error(err)
	}
	synctest.Wait()
	return conn, strings.TrimSpace(line)
}

// large is a query of 6 KB with an answer of 6 KB, also if it is compressed. net/http does not have that in a buffer.
var large = func() string {
	random := make([]byte, 4500)
	_, _ = rand.NewChaCha8([32]byte{}).Read(random) // it returns no error
	return `{echo(text:"` + base64.RawStdEncoding.EncodeToString(random) + `")}`
}()

// TestSlowReaders: a caller who does not read its answers has nothing but its share of places and bytes, until
// WriteTimeout ends that. Others are served.
func TestSlowReaders(t *testing.T) {
	const ok = "HTTP/1.1 200 OK"
	for name, header := range map[string][]string{"identity": nil, "gzip": {"Accept-Encoding", "gzip"}} {
		t.Run(name, func(t *testing.T) {
			share(t, func(c *gateway.Config) {
				c.MaxBufferedBytes, c.MaxBufferedBytesPerCaller = 40_000, 20_000
			}, func(s *shared) {
				var conns []net.Conn
				for _, caller := range []string{"", "eve"} {
					conn, line := s.unread(caller, large, header...)
					defer conn.Close()
					if line != ok {
						t.Errorf("%q got %s", caller, line)
					}
					conns = append(conns, conn)
					s.wants(caller, large, http.StatusTooManyRequests, "more than 20000 bytes. Read the answers", 0)
					synctest.Wait() // until its bytes are returned, which is after its answer
					s.wants(caller, "{__typename}", http.StatusOK, "Query", 0)
				}
				s.wants("ada", large, http.StatusOK, `"echo"`, 0)
				synctest.Wait()
				conn, line := s.unread("mallory", large, header...)
				defer conn.Close()
				if line != ok {
					t.Errorf("mallory got %s", line)
				}
				conns = append(conns, conn)
				s.wants("ada", large, http.StatusServiceUnavailable, "The gateway is busy: too much", 0)
				synctest.Wait()
				s.wants("ada", "{__typename}", http.StatusOK, "Query", 0)
				time.Sleep(writeTimeout) // in the bubble
				for _, conn := range conns {
					if _, err := io.ReadAll(conn); err != nil {
						t.Errorf("a connection that is not read is still open: %v", err)
					}
				}
				synctest.Wait() // until the bytes of the closed connections are returned
				s.wants("ada", large, http.StatusOK, `"echo"`, 0)
				s.wants("eve", large, http.StatusOK, `"echo"`, 0)
			})
		})
	}
	t.Run("places", func(t *testing.T) {
		share(t, func(c *gateway.Config) {
			c.MaxOperationsPerCaller, c.OperationTimeout = 2, time.Second
		}, func(s *shared) {
			for range 2 {
				conn, _ := s.unread("eve", large)
				defer conn.Close()
			}
			s.wants("eve", large, http.StatusTooManyRequests, "2 operations of yours", time.Second)
			s.wants("ada", large, http.StatusOK, `"echo"`, 0)
			time.Sleep(writeTimeout)
			synctest.Wait() // until the places of the closed connections are returned
			s.wants("eve", large, http.StatusOK, `"echo"`, 0)
		})
	})
}

// writeTimeout is the default of WriteTimeout.
const writeTimeout = time.Minute

// TestLargeBodies: the bodies that a caller has begun to send count, too, whatever length they announce.
func TestLargeBodies(t *testing.T) {
	share(t, func(c *gateway.Config) { c.MaxBufferedBytesPerCaller = 5000 }, func(s *shared) {
		request := s.request("eve", strings.Repeat(" ", 4000)+"{__typename}")
		conn := s.listener.dial()
		defer conn.Close()
		if _, err := io.WriteString(conn, request[:len(request)-1]); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.wants("eve", strings.Repeat(" ", 4000)+"{__typename}", http.StatusTooManyRequests, "5000 bytes", 0)
		s.wants("ada", strings.Repeat(" ", 4000)+"{__typename}", http.StatusOK, "Query", 0)
		if status, body, err := exchange(conn, request[len(request)-1:]); err != nil || status != http.StatusOK {
			t.Errorf("the first got %d %s, %v", status, body, err)
		}
		s.wants("eve", strings.Repeat(" ", 4000)+"{__typename}", http.StatusOK, "Query", 0)
	})
}

// TestLargestAnswer: an answer that is too large is replaced by an error as a whole, by both executors, and as soon as
// it is too large.
func TestLargestAnswer(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(c *gateway.Config, _ *loaders.Options) { c.MaxAnswerBytes = 200 })
	s.EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		a := s.Ask(t, `{ reader(id: "Reader:r001") { loans(first: 20) { nodes { id } } } }`, nil)
		if a.Status != http.StatusUnprocessableEntity || a.Data != nil || len(a.Errors) != 1 ||
			a.Errors[0].Extensions.Code != "OPERATION_TOO_LARGE" || !strings.Contains(a.Errors[0].Message, "200 bytes") {
			t.Errorf("got %d %v, %+v", a.Status, a.Data, a.Errors)
		}
		if a := s.Ask(t, `{ reader(id: "Reader:r001") { name } }`, nil); a.Status != http.StatusOK {
			t.Errorf("a small answer: %d %+v", a.Status, a.Errors)
		}
		mutation := `mutation { countVisit(input: {branchId: "Branch:c1", door: "A"}) { ` +
			repeat("a#:__typename ", 12) + `} }`
		if a := s.Ask(t, mutation, nil); a.Data != nil || len(a.Errors) != 1 ||
			!strings.HasSuffix(a.Errors[0].Message, "The mutation has been carried out.") {
			t.Errorf("a mutation: %d %v, %+v", a.Status, a.Data, a.Errors)
		}
	})
}

// TestTurnWhileTableIsAwaited: an operation that waits for the table does not compute, and others have its turn.
func TestTurnWhileTableIsAwaited(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	hold := s.Proxy.Hold(func(r tabletest.Request) bool { return strings.Contains(r.Text, "held") })
	var waiting sync.WaitGroup
	for i := range 8 * runtime.GOMAXPROCS(0) { // more than turns
		query := fmt.Sprintf(`{ reader(id: "Reader:held%d") { name } }`, i) // equal Reads would be sent once
		waiting.Go(func() { s.As(testservice.Other).Ask(t, query, nil) })
		<-hold.Arrived()
	}
	if a := s.Ask(t, `{ reader(id: "Reader:r001") { name } }`, nil); a.Status != http.StatusOK {
		t.Errorf("got %d, %+v", a.Status, a.Errors)
	}
	hold.Release()
	waiting.Wait()
}
