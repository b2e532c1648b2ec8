package stream_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// TestSplitWhileTheStoreStops: shards split while the store does not have what the publisher reads. Whether the
// publisher goes on, with or without what the store had, or another replica goes on from there, the records of a shard
// are passed before those of its children, and each once.
func TestSplitWhileTheStoreStops(t *testing.T) {
	t.Parallel()
	for name, goOn := range map[string]func(*testing.T, *fakeStream, *storetest.Server, *reading){
		"with data":    func(*testing.T, *fakeStream, *storetest.Server, *reading) {},
		"without data": func(t *testing.T, _ *fakeStream, s *storetest.Server, _ *reading) { s.Do(t, "FLUSHALL") },
		"another replica": func(t *testing.T, f *fakeStream, s *storetest.Server, holder *reading) {
			holder.stop()
			read(t, f.open(t, f), withLateStore(t, s.Address))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, tb := startFake(t)
			store := storetest.Start(t)
			way := storetest.NewForwarder(t, store.Address)
			f.add("a", "")
			late := func(address string) stream.Options {
				return stream.Options{Store: storetest.Open(t, address, impatient)}
			}
			holder := read(t, f.open(t, f), late(way.Address))
			f.write("a", 0)
			holder.awaitCurrent(t)
			follower := follow(t, holder, tb, late(store.Address))
			way.Forward("")
			f.write("a", 1)
			holder.awaitCurrent(t) // a part waits while the shards are still one
			f.write("a", 2)
			f.split("a", "a1")
			f.write("a1", 3)
			f.split("a1", "a11")
			f.write("a11", 4)
			holder.await(t, "the grandchild is read", func() bool { return len(holder.changes) == 5 })
			goOn(t, f, store, holder)
			way.Forward(store.Address)
			f.write("a11", 5)
			follower.await(t, "the last one is read", func() bool { return follower.last() == "5" })
			follower.awaitCurrent(t)
			wantValues(t, afterFirst(follower.values()), numbers(1, 5))
			follower.wantLost(t, 0)
		})
	}
}

// TestPublisherIsBehindASplit: a replica that does not know yet that another one has its lease still passes the records
// of a shard, of which the other one has passed the children. A third one has each record once, in their order.
func TestPublisherIsBehindASplit(t *testing.T) {
	f, tb := startFake(t)
	store, slow := storetest.Start(t), &gate{next: f}
	f.add("a", "")
	first := read(t, f.open(t, slow), withStore(t, store))
	f.write("a", 0)
	first.awaitCurrent(t)
	third := read(t, tb, steady(withStore(t, store)))
	slow.deny("UpdateItem") // it cannot renew its lease
	second := read(t, f.open(t, f), withStore(t, store))
	for !second.Holds() && t.Context().Err() == nil {
		second.awaitCurrent(t)
	}
	slow.hold("GetRecords")
	f.write("a", 1)
	f.write("a", 2)
	f.split("a", "a1")
	f.write("a1", 3)
	third.await(t, "the child is read", func() bool { return third.last() == "3" })
	third.awaitCurrent(t)
	slow.open()
	first.await(t, "the child is read", func() bool { return first.last() == "3" })
	first.awaitCurrent(t)
	f.write("a1", 4)
	third.await(t, "the last one is read", func() bool { return third.last() == "4" })
	third.awaitCurrent(t)
	wantValues(t, afterFirst(third.values()), numbers(1, 4))
	third.wantLost(t, 0)
}

// last returns the value of the last change, "" before the first. The caller has the lock of the sink.
func (s *sink) last() string {
	if len(s.changes) == 0 {
		return ""
	}
	return valuesOf(s.changes[len(s.changes)-1:])[0]
}

// gate is a replica's way to the table, which can be closed for the requests of an operation.
type gate struct {
	next http.Handler

	mu           sync.Mutex
	denied, held string
	opened       chan struct{} // closed when none is held any longer
}

// deny answers requests of an operation with an error.
func (g *gate) deny(operation string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.denied = operation
}

// hold lets the requests of an operation wait until the gate is opened for them.
func (g *gate) hold(operation string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held, g.opened = operation, make(chan struct{})
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = ""
	close(g.opened)
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	g.mu.Lock()
	isDenied, isHeld, opened := operation == g.denied, operation == g.held, g.opened
	g.mu.Unlock()
	if isDenied {
		http.Error(w, `{"__type":"AccessDeniedException","message":"made by the test"}`, http.StatusBadRequest)
		return
	}
	if isHeld {
		select {
		case <-opened:
		case <-r.Context().Done():
			return
		}
	}
	g.next.ServeHTTP(w, r)
}

// TestPositionWithParent: an earlier version may have stored a position with a shard and its children.
func TestPositionWithParent(t *testing.T) {
	t.Parallel()
	f, tb := startFake(t)
	f.add("a", "")
	f.write("a", 0)
	first := read(t, f.open(t, f), stream.Options{})
	f.write("a", 1)
	first.awaitCurrent(t)
	first.stop()
	layout := tb.Schema().Layout()
	_, _, err := table.Call(t.Context(), tb, tb.Client().UpdateItem, &dynamodb.UpdateItemInput{
		TableName: aws.String(tb.Name()), Key: attribute.FromKey(layout, layout.LeaseKey(0)),
		UpdateExpression:         aws.String("SET #position = :position"),
		ExpressionAttributeNames: map[string]string{"#position": "position"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":position": &types.AttributeValueMemberS{Value: `{"a": "102", "a1": ""}`},
		},
	})
	fatal.If(t, err)
	f.split("a", "a1")
	f.write("a1", 2)
	second := read(t, tb, stream.Options{})
	wantValues(t, second.values(), numbers(2, 2))
	second.wantLost(t, 0)
}
