package table_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
)

var aKey = keys.Key{PK: "A", SK: "A"}

func TestFaultsAreRetried(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]tabletest.Faults{
		"throttled": {Seed: 1, Throttled: 0.3},
		"failed":    {Seed: 2, Failed: 0.3},
		"reset":     {Seed: 3, Reset: 0.3},
		"all":       {Seed: 4, Throttled: 0.15, Failed: 0.05, Reset: 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, schema)
			for i := range 50 {
				e.Load(t, tabletest.Stored(fmt.Sprintf("U%d", i), "S", "n", fmt.Sprint(i)))
			}
			e.Proxy.Inject(faults)
			var mu sync.Mutex
			retries := 0
			var group errgroup.Group
			for i := range 50 {
				group.Go(func() error {
					pk := keys.PK(fmt.Sprintf("U%d", i))
					one, err := e.Table.GetItem(t.Context(), request.GetItem{Key: keys.Key{PK: pk, SK: "S"}})
					if err != nil {
						return err
					}
					many, err := e.Table.Query(t.Context(), request.Query{PK: pk})
					if err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					retries += one.Retries + many.Retries
					for _, r := range []request.Result{one, many} {
						if len(r.Items) != 1 || r.Items[0].Text("n") != fmt.Sprint(i) {
							return fmt.Errorf("U%d: got %v", i, r.Items)
						}
					}
					return nil
				})
			}
			if err := group.Wait(); err != nil {
				t.Error(err)
			}
			c := e.Proxy.Counts()
			injected := c.Throttled + c.Failed + c.ResetConnections
			if injected == 0 || c.Total() != 100+injected {
				t.Errorf("%d requests, %d of them with faults", c.Total(), injected)
			}
			// net/http itself sends a request again when a kept connection
			// turns out closed before any byte of the answer.
			if retries > injected || (c.ResetConnections == 0 && retries != injected) {
				t.Errorf("%d retries reported, %d requests had faults", retries, injected)
			}
		})
	}
}

func TestUnprocessedKeysAreHandedBack(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	var wanted []keys.Key
	for i := range 100 {
		id := fmt.Sprintf("U%02d", i)
		wanted = append(wanted, keys.Key{PK: keys.PK(id), SK: "S"})
		e.Load(t, tabletest.Stored(id, "S"))
	}
	e.Proxy.Inject(tabletest.Faults{Seed: 5, Unprocessed: 0.3})
	got := must(e.Table.BatchGetItem(t.Context(), request.BatchGetItem{Keys: wanted}))
	if n := len(got.Unprocessed); n < 10 || n > 50 || n != e.Proxy.Counts().Unprocessed {
		t.Errorf("%d keys unprocessed, the proxy counted %d", n, e.Proxy.Counts().Unprocessed)
	}
	if n := len(got.Throttled); n != 1 || len(got.Throttled[0].Partitions) != len(got.Unprocessed) ||
		!got.Throttled[0].IsUnprocessed || got.Throttles != 0 {
		t.Errorf("throttled: %+v", got.Throttled)
	}
	all := primaryKeys(got.Items)
	for _, k := range got.Unprocessed {
		all = append(all, string(k.PK)+" "+string(k.SK))
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) != 100 || all[0] != "U00 S" || all[99] != "U99 S" {
		t.Errorf("items and unprocessed keys together: %q", all)
	}
}

// TestThrottledAtLast checks what throttling that does not end becomes: at the deadline, and after the last attempt.
func TestThrottledAtLast(t *testing.T) {
	t.Parallel()
	for _, deadlinePasses := range []bool{true, false} {
		e := tabletest.Start(t, schema)
		e.Proxy.Inject(tabletest.Faults{Throttled: 1})
		ctx := tabletest.NewDeadline(t.Context())
		if deadlinePasses {
			ctx.PassAtRequest(e.Proxy, "GetItem", 3)
		}
		got, err := e.Table.GetItem(ctx, request.GetItem{Key: aKey})
		if !errors.Is(err, request.ErrThrottled) || errors.Is(err, context.DeadlineExceeded) != deadlinePasses {
			t.Errorf("got %v", err)
		}
		if sent := e.Proxy.Counts().Total(); got.Retries != sent-1 || sent < 3 {
			t.Errorf("%d retries reported of %d requests", got.Retries, sent)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	for code, want := range map[string]error{
		"AccessDeniedException":       request.ErrAccessDenied,
		"UnrecognizedClientException": request.ErrAccessDenied,
		"ExpiredTokenException":       request.ErrAccessDenied,
		"ResourceNotFoundException":   request.ErrNoTable,
		"ValidationException":         nil,
	} {
		e.Proxy.Reset()
		e.Proxy.Inject(tabletest.Faults{ErrorCode: code})
		_, err := e.Table.Query(t.Context(), request.Query{PK: "A"})
		if err == nil || (want != nil && !errors.Is(err, want)) {
			t.Errorf("%s: got %v", code, err)
		}
		if n := e.Proxy.Counts().Total(); n != 1 {
			t.Errorf("%s: sent %d times", code, n)
		}
	}
}

func TestTimeoutAndCancel(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	hold := e.Proxy.Hold(func(r tabletest.Request) bool { return r.Operation == "GetItem" })

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := e.Table.GetItem(ctx, request.GetItem{Key: aKey})
		done <- err
	}()
	<-hold.Arrived()
	cancel()
	err := <-done
	if !errors.Is(err, context.Canceled) || errors.Is(err, request.ErrTimeout) || errors.Is(err, request.ErrUnavailable) {
		t.Errorf("canceled: got %v", err)
	}

	deadline := tabletest.NewDeadline(t.Context())
	go func() {
		<-hold.Arrived()
		deadline.Pass()
	}()
	_, err = e.Table.GetItem(deadline, request.GetItem{Key: aKey})
	if !errors.Is(err, request.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: got %v", err)
	}
}

// TestSlowAttemptIsRetried checks that an attempt that exceeds RequestTimeout is retried.
func TestSlowAttemptIsRetried(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	s := e.Settings
	s.RequestTimeout = 200 * time.Millisecond
	impatient := must(table.Open(t.Context(), s, schema, discard))
	defer impatient.Close()
	hold := e.Proxy.Hold(func(r tabletest.Request) bool { return r.Operation == "GetItem" })
	type outcome struct {
		result request.Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		r, err := impatient.GetItem(t.Context(), request.GetItem{Key: aKey})
		done <- outcome{r, err}
	}()
	<-hold.Arrived()
	<-hold.Arrived() // the second attempt, while the first still hangs
	hold.Release()
	if got := <-done; got.err != nil || got.result.Retries < 1 {
		t.Errorf("got %+v", got)
	}
}

func TestDeadEndpoint(t *testing.T) {
	t.Parallel()
	dead := must(table.Open(t.Context(), table.Settings{Endpoint: tabletest.DeadEndpoint}, schema, discard))
	defer dead.Close()
	if _, err := dead.Query(t.Context(), request.Query{PK: "A"}); !errors.Is(err, request.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

// connections counts what net/http does with its connections.
type connections struct{ failed, kept atomic.Int32 }

func (c *connections) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(w httptrace.WroteRequestInfo) {
			if w.Err != nil {
				c.failed.Add(1)
			}
		},
		PutIdleConn: func(err error) {
			if err != nil {
				c.failed.Add(1)
				return
			}
			c.kept.Add(1)
		},
	})
}

// closed returns how many connections net/http has closed after one of so many requests. It has a goroutine that
// writes: if that has not said within 50 ms after the response that it has written, as on a busy machine, the
// connection is not used again. Package wire has none.
func (c *connections) closed(t *testing.T, requests int) int {
	t.Helper()
	if !tabletest.BySDK {
		return 0
	}
	closed := requests - int(c.kept.Load())
	if c.failed.Load() > 0 || closed > requests/2 {
		t.Errorf("%d connections are not kept, %d because a write or the pool has failed", closed, c.failed.Load())
	}
	return closed
}

// Two bursts of requests at once share one set of connections.
func TestConnectionsAreKept(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	const parallel = 40
	var c connections
	burst := func() {
		hold := e.Proxy.Hold(func(tabletest.Request) bool { return true })
		var group errgroup.Group
		for range parallel {
			group.Go(func() error {
				_, err := e.Table.GetItem(c.traced(t.Context()), request.GetItem{Key: aKey})
				return err
			})
		}
		for range parallel {
			<-hold.Arrived()
		}
		hold.Release()
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	}
	burst()
	first := e.Proxy.Counts().Connections
	if first < parallel {
		t.Fatalf("%d connections for %d requests at once", first, parallel)
	}
	closed := c.closed(t, parallel)
	burst()
	if n := e.Proxy.Counts().Connections; n > first+closed {
		t.Errorf("the second burst opened %d connections more, after %d were closed", n-first, closed)
	}
}

// TestConnectionsAreBounded sends thousands of requests over a few connections, none of which is
// closed: see httpClient.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	s := e.Settings
	s.MaxConnections = 3
	narrow := must(table.Open(t.Context(), s, schema, discard))
	defer narrow.Close()
	const callers, requests = 10, 200
	var c connections
	var group errgroup.Group
	for range callers {
		group.Go(func() error {
			for range requests {
				if _, err := narrow.GetItem(c.traced(t.Context()), request.GetItem{Key: aKey}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	if n, closed := e.Proxy.Counts().Connections, c.closed(t, callers*requests); n < 1 || n > 3+closed {
		t.Errorf("%d connections, %d of which were closed", n, closed)
	}
}
