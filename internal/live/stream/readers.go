package stream

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
)

// readerPrefix is that of the attributes of readers, each with the id of a replica behind it. The value is a number
// that is another one after each renewal, a space, and the label of the stream.
const readerPrefix = "reader "

// readers are the replicas that divide the shards of a stream: one item of the table, which each of them renews. It
// also has how far the stream has been read, in the attributes of a lease. It is not safe for concurrent use.
type readers struct {
	table *table.Table
	// id is that of this replica, stream what it reads, and label the part of that which no other stream of the table has.
	id, stream, label string
	renewals          int64
	expires           time.Duration
	// seen are the other readers, as they were when they were renewed last.
	seen map[string]seenReader
	// at is when the stream had been read up to the position that is stored.
	at time.Time
}

type seenReader struct {
	value string
	since time.Time
}

func newReaders(t *table.Table, id, stream string, expires time.Duration) *readers {
	return &readers{
		table: t, id: id, stream: stream, label: stream[strings.LastIndexByte(stream, '/')+1:], expires: expires,
		seen: map[string]seenReader{},
	}
}

// renew registers this replica and stores a position, unless that is nil or a later one is stored. It returns the ids
// of all replicas that read this stream, and what was stored before others stored something else.
func (m *readers) renew(ctx context.Context, p live.Position, at time.Time) ([]string, leaseState, error) {
	m.renewals++
	set, remove := []string{"#me = :me"}, []string{}
	in := m.update()
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":me": text(strconv.FormatInt(m.renewals, 10) + " " + m.label),
	}
	if p != nil && !at.Before(m.at) {
		if err := m.setPosition(in, p, at); err != nil {
			return nil, leaseState{}, err
		}
		set = append(set, setPosition...)
	}
	for id, one := range m.seen {
		if time.Since(one.since) > 2*m.expires {
			name := "#gone" + strconv.Itoa(len(remove))
			remove = append(remove, name)
			in.ExpressionAttributeNames[name] = readerPrefix + id
			delete(m.seen, id)
		}
	}
	expression := "SET " + strings.Join(set, ", ")
	if len(remove) > 0 {
		expression += " REMOVE " + strings.Join(remove, ", ")
	}
	in.UpdateExpression, in.ReturnValues = &expression, types.ReturnValueAllNew
	out, _, err := table.Call(ctx, m.table, m.table.Client().UpdateItem, in)
	if err != nil {
		return nil, leaseState{}, err
	}
	state := stateOf(out.Attributes)
	m.at = time.Time{}
	if state.stream == m.stream {
		m.at = state.at
	}
	return m.living(out.Attributes), state, nil
}

// living returns the readers of this stream that have been renewed, as far as this replica has seen.
func (m *readers) living(it map[string]types.AttributeValue) []string {
	all, now := []string{m.id}, time.Now()
	for id := range m.seen {
		if _, has := it[readerPrefix+id]; !has {
			delete(m.seen, id)
		}
	}
	for name := range it {
		id, is := strings.CutPrefix(name, readerPrefix)
		if !is || id == m.id {
			continue
		}
		value := attribute.Text(it, name)
		if last, known := m.seen[id]; !known || last.value != value {
			m.seen[id] = seenReader{value, now}
		}
		if _, label, _ := strings.Cut(value, " "); label == m.label && now.Sub(m.seen[id].since) < m.expires {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

// leave removes this replica, and stores a position unless that is nil or a later one is stored.
func (m *readers) leave(ctx context.Context, p live.Position, at time.Time) error {
	in := m.update()
	in.UpdateExpression = aws.String("REMOVE #me")
	if p != nil && !at.Before(m.at) {
		in.ExpressionAttributeValues = map[string]types.AttributeValue{}
		if err := m.setPosition(in, p, at); err != nil {
			return err
		}
		in.UpdateExpression = aws.String("SET " + strings.Join(setPosition, ", ") + " REMOVE #me")
	}
	_, _, err := table.Call(ctx, m.table, m.table.Client().UpdateItem, in)
	return err
}

func (m *readers) update() *dynamodb.UpdateItemInput {
	layout := m.table.Schema().Layout()
	return &dynamodb.UpdateItemInput{
		TableName: aws.String(m.table.Name()), Key: attribute.FromKey(layout, layout.ReadersKey()),
		ExpressionAttributeNames: map[string]string{"#me": readerPrefix + m.id},
	}
}

// setPosition are the parts of an expression whose names and values the method sets.
var setPosition = []string{"#stream = :stream", "#position = :position", "#at = :at"}

func (m *readers) setPosition(in *dynamodb.UpdateItemInput, p live.Position, at time.Time) error {
	position, err := json.Marshal(p)
	if err != nil {
		return err
	}
	names, values := in.ExpressionAttributeNames, in.ExpressionAttributeValues
	names["#stream"], names["#position"], names["#at"] = leaseStream, leasePosition, leaseAt
	values[":stream"], values[":position"] = text(m.stream), text(string(position))
	values[":at"] = number(at.UnixMilli())
	return nil
}
