package tabletest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var schema = table.Schema{Indexes: []string{"GSI1"}}

func numbered(n int) item.Item {
	return item.Item{
		{Name: keys.AttributePK, Value: item.StringValue("P")},
		{Name: keys.AttributeSK, Value: item.StringValue(fmt.Sprintf("S%02d", n))},
	}
}

func start(t *testing.T) *tabletest.Engine {
	t.Helper()
	e := tabletest.Start(t, schema)
	for i := range 10 {
		e.Load(t, numbered(i))
	}
	if n := e.Proxy.Counts().Total(); n != 0 {
		t.Fatalf("the preparation counted %d requests", n)
	}
	return e
}

func TestPageSizeCutsQueries(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.Proxy.Inject(tabletest.Faults{PageSize: 3})
	for limit, want := range map[int]int{0: 3, 2: 2, 3: 3, 9: 3} {
		got, err := e.Table.Query(t.Context(), request.Query{PK: "P", Limit: limit})
		fatal.If(t, err)
		if len(got.Items) != want || got.Last.IsZero() || string(got.Last.SK) != fmt.Sprintf("S%02d", want-1) {
			t.Errorf("limit %d: %d items, last %v", limit, len(got.Items), got.Last)
		}
	}
}

func TestFaultsFollowTheSeed(t *testing.T) {
	t.Parallel()
	e := start(t)
	log := func(seed uint64) []string {
		e.Proxy.Inject(tabletest.Faults{Seed: seed, Throttled: 0.3, Unprocessed: 0.3})
		e.Proxy.Reset()
		for i := range 10 {
			wanted := []keys.Key{{PK: "P", SK: keys.SK(fmt.Sprintf("S%02d", i))}, {PK: "Q", SK: "S"}}
			if _, err := e.Table.BatchGetItem(t.Context(), request.BatchGetItem{Keys: wanted}); err != nil {
				t.Fatal(err)
			}
		}
		return e.Proxy.Log()
	}
	first := log(1)
	if again := log(1); !slices.Equal(first, again) {
		t.Errorf("the same seed gave\n%q\nand\n%q", first, again)
	}
	if other := log(2); slices.Equal(first, other) {
		t.Error("another seed gave the same faults")
	}
}

func TestLogNamesFaults(t *testing.T) {
	t.Parallel()
	e := start(t)
	for fault, faults := range map[string]tabletest.Faults{
		"reset": {Reset: 1}, "throttled": {Throttled: 1}, "failed": {Failed: 1}, "MyException": {ErrorCode: "MyException"},
	} {
		e.Proxy.Inject(faults)
		e.Proxy.Reset()
		ctx, cancel := context.WithCancel(t.Context())
		hold := e.Proxy.Hold(func(tabletest.Request) bool { return true })
		done := make(chan error, 1)
		go func() {
			_, err := e.Table.GetItem(ctx, request.GetItem{Key: keys.Key{PK: "P", SK: "S00"}})
			done <- err
		}()
		if r := <-hold.Arrived(); r != (tabletest.Request{Operation: "GetItem", Text: "GetItem P S00"}) {
			t.Errorf("held %+v", r)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", fault, err)
		}
		hold.Release()
		if log := e.Proxy.Log(); len(log) != 1 || log[0] != "GetItem P S00 -> "+fault {
			t.Errorf("log %q", log)
		}
	}
}

// TestAllUnprocessedIsThrottled checks that a request is throttled if all of its keys would be
// unprocessed.
func TestAllUnprocessedIsThrottled(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.Proxy.Inject(tabletest.Faults{Unprocessed: 1})
	hold := e.Proxy.Hold(func(tabletest.Request) bool { return e.Proxy.Counts().Throttled > 1 })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := e.Table.BatchGetItem(ctx, request.BatchGetItem{Keys: []keys.Key{{PK: "P", SK: "S00"}}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}()
	<-hold.Arrived()
	cancel()
	<-done
	if c := e.Proxy.Counts(); c.Throttled != 2 || c.Unprocessed != 0 {
		t.Errorf("got %+v", c)
	}
}

// A transaction conflicts with another one on its items until that has a response.
func TestContendedTransactions(t *testing.T) {
	t.Parallel()
	e := start(t)
	e.Proxy.Inject(tabletest.Faults{Contended: true})
	put := func(places ...int) error {
		var w write.Transaction
		for _, n := range places {
			w.Actions = append(w.Actions, write.PutItem(numbered(n)))
		}
		_, err := e.Table.TransactWriteItems(t.Context(), w)
		return err
	}
	held := e.Proxy.Hold(func(r tabletest.Request) bool { return r.Text == "TransactWriteItems Put P S01, Put P S02" })
	again := e.Proxy.Hold(func(tabletest.Request) bool { return e.Proxy.Counts().Conflicts == 2 })
	answers := make(chan error, 2)
	go func() { answers <- put(1, 2) }()
	<-held.Arrived()
	if err := put(3, 4); err != nil || e.Proxy.Counts().Conflicts != 0 {
		t.Errorf("on other items: %v, %+v", err, e.Proxy.Counts())
	}
	go func() { answers <- put(2, 3) }()
	<-again.Arrived()
	again.Release()
	held.Release()
	for range 2 {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
}
