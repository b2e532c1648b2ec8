package stream

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// Attributes of a lease besides its key.
const (
	// leaseHolder is the id of the replica that reads the stream; "" after it has stopped.
	leaseHolder = "holder"
	// leaseRenewals is another number after each renewal. A lease whose number does not change any longer has expired.
	leaseRenewals = "renewals"
	// leaseStream and leasePosition are the ARN of the stream and how far it has been read, as JSON.
	leaseStream, leasePosition = "stream", "position"
	// leaseAt is when it had been read up to the position, in milliseconds since 1970 by the holder's clock.
	leaseAt = "readAt"
	// leaseRegistered is the holder again, if it registers as a replica. Earlier versions leave it as it is.
	leaseRegistered = "registered"
)

// expiry is after how many missed renewals a lease has expired.
const expiry = 4

// lease is the right to read the stream, an item of the table. It is not safe for concurrent use.
type lease struct {
	table *table.Table
	// holder is the id of this replica.
	holder string
	key    keys.Key
	// seen is what the item was when it last changed, and since when it is that.
	seen  leaseState
	since time.Time
	// number is that of the last renewal by this replica.
	number int64
}

// leaseState is what the item of a lease has. What is damaged of it is missing: the replica that takes the lease
// replaces it.
type leaseState struct {
	holder string
	// renewals is nil if there is none.
	renewals types.AttributeValue
	// registered is the last holder that registers as a replica.
	registered string
	stream     string
	position   live.Position
	at         time.Time
}

func newLease(t *table.Table, holder string, slot int) *lease {
	return &lease{
		table: t, holder: holder, key: t.Schema().Layout().LeaseKey(slot),
	}
}

// try takes the lease if it is free, or has not been renewed for a time. It reports whether this replica has it. If
// another one has taken it at the same time, that is no error.
func (l *lease) try(ctx context.Context, expiresAfter time.Duration) (bool, error) {
	state, err := l.get(ctx)
	if err != nil {
		return false, err
	}
	if l.since.IsZero() || state.holder != l.seen.holder || !reflect.DeepEqual(state.renewals, l.seen.renewals) {
		l.seen, l.since = state, time.Now()
	}
	if state.holder != "" && state.holder != l.holder && time.Since(l.since) < expiresAfter {
		return false, nil
	}
	in := l.update()
	in.UpdateExpression = aws.String("SET #holder = :holder, #renewals = :number, #registered = :holder")
	in.ExpressionAttributeNames = map[string]string{
		"#holder": leaseHolder, "#renewals": leaseRenewals, "#registered": leaseRegistered,
	}
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":holder": text(l.holder), ":number": number(l.following(state.renewals)),
	}
	if state.renewals == nil {
		in.ConditionExpression = aws.String("attribute_not_exists(#renewals)")
	} else {
		in.ConditionExpression = aws.String("#renewals = :seen OR #holder = :holder")
		in.ExpressionAttributeValues[":seen"] = state.renewals
	}
	return l.send(ctx, in)
}

// following returns the number of the next renewal, which is not the one that the item has.
func (l *lease) following(renewals types.AttributeValue) int64 {
	if n, is := renewals.(*types.AttributeValueMemberN); is {
		if last, err := strconv.ParseInt(n.Value, 10, 64); err == nil && last < math.MaxInt64 {
			l.number = max(l.number, last)
		}
	}
	l.number++
	return l.number
}

// renew stores the position. It reports whether this replica still has the lease.
func (l *lease) renew(ctx context.Context, stream string, p live.Position, at time.Time) (bool, error) {
	return l.store(ctx, l.holder, stream, p, at)
}

// release stores the position and lets another replica take the lease at once.
func (l *lease) release(ctx context.Context, stream string, p live.Position, at time.Time) error {
	_, err := l.store(ctx, "", stream, p, at)
	return err
}

func (l *lease) store(ctx context.Context, holder, stream string, p live.Position, at time.Time) (bool, error) {
	position, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	in := l.update()
	in.UpdateExpression = aws.String(
		"SET #holder = :next, #stream = :stream, #position = :position, #at = :at, #renewals = :number")
	in.ConditionExpression = aws.String("#holder = :holder")
	in.ExpressionAttributeNames = map[string]string{
		"#holder": leaseHolder, "#renewals": leaseRenewals, "#stream": leaseStream, "#position": leasePosition,
		"#at": leaseAt,
	}
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":holder": text(l.holder), ":next": text(holder), ":number": number(l.following(nil)), ":stream": text(stream),
		":position": text(string(position)), ":at": number(at.UnixMilli()),
	}
	return l.send(ctx, in)
}

func (l *lease) update() *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{
		TableName: aws.String(l.table.Name()), Key: attribute.FromKey(l.table.Schema().Layout(), l.key),
	}
}

// send reports whether the condition was true.
func (l *lease) send(ctx context.Context, in *dynamodb.UpdateItemInput) (bool, error) {
	_, _, err := table.Call(ctx, l.table, l.table.Client().UpdateItem, in)
	if errors.As(err, new(*types.ConditionalCheckFailedException)) {
		return false, nil
	}
	return err == nil, err
}

func (l *lease) get(ctx context.Context) (leaseState, error) {
	out, _, err := table.Call(ctx, l.table, l.table.Client().GetItem, &dynamodb.GetItemInput{
		TableName: aws.String(l.table.Name()), Key: attribute.FromKey(l.table.Schema().Layout(), l.key),
		ConsistentRead: aws.Bool(true),
	})
	if err != nil || out.Item == nil {
		return leaseState{}, err
	}
	return stateOf(out.Item), nil
}

func stateOf(it map[string]types.AttributeValue) leaseState {
	stored := attribute.ToItems([]map[string]types.AttributeValue{it})[0]
	state := leaseState{
		holder: stored.Text(leaseHolder), renewals: it[leaseRenewals], stream: stored.Text(leaseStream),
		registered: stored.Text(leaseRegistered),
	}
	if ms, err := strconv.ParseInt(stored.Text(leaseAt), 10, 64); err == nil {
		state.at = time.UnixMilli(ms)
	}
	if json.Unmarshal([]byte(stored.Text(leasePosition)), &state.position) != nil {
		state.position = nil
	}
	return state
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}
