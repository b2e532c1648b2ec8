package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/internal/gateway/subscriber"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// liveWriter changes the versions of orders in the table, as another program would: the gateway only reads the stream.
type liveWriter struct {
	client *dynamodb.Client
	orders []string // their stored ids

	mu   sync.Mutex
	sent map[liveVersion]time.Time
	last map[string]int // the version of each order
}

type liveVersion struct {
	order   string // global id
	version int
}

func newLiveWriter(endpoint string) *liveWriter {
	w := &liveWriter{
		client: dynamodb.New(dynamodb.Options{
			BaseEndpoint: aws.String(endpoint), Region: "us-east-1",
			Credentials: credentials.NewStaticCredentialsProvider("bench", "bench", ""),
		}),
		sent: map[liveVersion]time.Time{}, last: map[string]int{},
	}
	for it := range demo.Items() {
		if id := it.Text("id"); it.Type() == "Order" && it.Text("PK") == "ORDER#"+id {
			w.orders = append(w.orders, id)
		}
	}
	return w
}

// enableStream turns the stream of the table on, which the engine's import leaves off.
func (w *liveWriter) enableStream(ctx context.Context) error {
	_, err := w.client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: aws.String(tableName),
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
	})
	return err
}

// order returns the global id of an order.
func (w *liveWriter) order(i int) string {
	return keys.NewID("Order", w.orders[i%len(w.orders)]).Encode()
}

// maxWrites is how many writes are in flight at most. If the engine is too slow for the rate, there are fewer changes.
const maxWrites = 256

// change changes n of the objects in turn, spread over a time, whether or not earlier writes have ended.
func (w *liveWriter) change(ctx context.Context, first, objects, n int, d time.Duration) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxWrites)
	ticker := time.NewTicker(max(1, d/time.Duration(n)))
	defer ticker.Stop()
	for i := range n {
		group.Go(func() error { return w.put(ctx, first+i%objects) })
		<-ticker.C
	}
	return group.Wait()
}

func (w *liveWriter) put(ctx context.Context, i int) error {
	raw, order := w.orders[i%len(w.orders)], w.order(i)
	w.mu.Lock()
	w.last[order] = max(1, w.last[order]) + 1 // the demo data have version 1
	version := w.last[order]
	w.sent[liveVersion{order, version}] = time.Now()
	w.mu.Unlock()
	key := &types.AttributeValueMemberS{Value: "ORDER#" + raw}
	_, err := w.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String(tableName), Key: map[string]types.AttributeValue{"PK": key, "SK": key},
		UpdateExpression:         aws.String("SET #version = :version"),
		ExpressionAttributeNames: map[string]string{"#version": "version"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":version": &types.AttributeValueMemberN{Value: strconv.Itoa(version)},
		},
	})
	return err
}

// liveAudience are the subscribers.
type liveAudience struct {
	writer      *liveWriter
	connections []subscriber.Connection
	cancel      context.CancelFunc
	group       *errgroup.Group

	mu       sync.Mutex
	received int
	took     []time.Duration
	changed  chan struct{} // has a value after something was received
	err      error
}

// newLiveAudience opens the connections.
func newLiveAudience(ctx context.Context, p *process, w *liveWriter, connections int) (*liveAudience, error) {
	if err := awaitStream(ctx, p, w.order(0)); err != nil {
		return nil, p.failed(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	a := &liveAudience{writer: w, cancel: cancel, changed: make(chan struct{}, 1), group: &errgroup.Group{}}
	for i := range connections {
		authorization, err := staff(i)
		if err != nil {
			return nil, err
		}
		conn, err := subscriber.Dial(ctx, p.endpoint(), authorization)
		if err != nil {
			a.close()
			return nil, err
		}
		a.connections = append(a.connections, conn)
		a.group.Go(func() error { return a.receive(ctx, conn) })
	}
	return a, nil
}

func (p *process) endpoint() string { return "http://" + p.addr + "/graphql" }

// staff returns the authorization of one of several callers who may read all orders.
func staff(i int) (string, error) {
	token, err := tokenOf(viewer.Viewer{ID: fmt.Sprint("staff", i), Roles: []string{"ADMIN"}})
	return "Bearer " + token, err
}

// awaitStream waits until the process reads the stream of the table.
func awaitStream(ctx context.Context, p *process, order string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	authorization, err := staff(0)
	if err != nil {
		return err
	}
	for {
		probe := subscriber.Events(http.DefaultClient, p.endpoint(), authorization)
		if err := probe.Subscribe(ctx, "", orderRequest(order)); err != nil {
			return err
		}
		m, err := probe.Receive(ctx)
		probe.Cut()
		if err != nil || m.Code() != "UNAVAILABLE" {
			return err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("the stream is not read: %w", err)
		}
	}
}

func orderRequest(order string) subscriber.Request {
	return subscriber.Request{
		Query:     `subscription($id: ID!) { order(id: $id) { id status version } }`,
		Variables: map[string]any{"id": order},
	}
}

func (a *liveAudience) close() {
	a.cancel()
	for _, c := range a.connections {
		c.Cut()
	}
	_ = a.group.Wait() // the errors are those of connections that were cut
}

func (a *liveAudience) subscribe(ctx context.Context, i int, order string) error {
	return a.connections[i%len(a.connections)].Subscribe(ctx, strconv.Itoa(i), orderRequest(order))
}

func (a *liveAudience) receive(ctx context.Context, conn subscriber.Connection) error {
	for {
		m, err := conn.Receive(ctx)
		if err == nil && (m.Ended || len(m.Errors) > 0) {
			err = fmt.Errorf("a subscription ended with %v", m.Errors)
		}
		if err == nil {
			err = a.add(m)
		}
		if err != nil {
			a.fail(err)
			return err
		}
	}
}

// add counts a first state or an event, and how long an event has taken.
func (a *liveAudience) add(m subscriber.Message) error {
	now := time.Now()
	var data struct {
		Order struct {
			ID      string
			Version int
		}
	}
	if err := json.Unmarshal(m.Data, &data); err != nil {
		return err
	}
	a.writer.mu.Lock()
	sent, is := a.writer.sent[liveVersion{data.Order.ID, data.Order.Version}]
	a.writer.mu.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.received++; is {
		a.took = append(a.took, now.Sub(sent))
	}
	a.notify()
	return nil
}

func (a *liveAudience) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
	a.notify()
}

func (a *liveAudience) notify() {
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// await waits until n messages have been received since the last reset.
func (a *liveAudience) await(ctx context.Context, n int) error {
	for {
		a.mu.Lock()
		received, err := a.received, a.err
		a.mu.Unlock()
		if err != nil || received >= n {
			return err
		}
		select {
		case <-a.changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(startTimeout):
			return fmt.Errorf("%d of %d messages have been received", received, n)
		}
	}
}

// reset forgets what has been received and returns how long the events have taken.
func (a *liveAudience) reset() []time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	took := a.took
	a.received, a.took = 0, nil
	return took
}
