package record

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/attribute"
	"github.com/partita/partita/write"
)

// Attributes of the record besides its key. The texts of schemas and of the history are compressed
// with gzip.
const (
	attributeFormat   = "format"
	attributeRevision = "revision"
	attributeFrom     = "from"
	attributeTo       = "to"
	attributeHistory  = "history"
	attributeState    = "state"
	attributeGoal     = "goal"
	attributeProven   = "proven"
)

// format is the version of a record that says whether there are tenants, and untold that of one that does not. A
// program does not act by a record of a later one.
const (
	untold = 1
	format = 2
)

// maxSDL is the size in bytes of the largest schema that is read from a record.
const maxSDL = 64 << 20

var (
	// ErrChanged is the error of a change of a record that is not any longer as it was read.
	ErrChanged = errors.New("record: another process has changed the record of the table's design")
	// ErrLater is the error of a record that a later version of the program has written.
	ErrLater = errors.New("record: a later version of this program has written the record of the table's design")
)

// Store is the record of a table.
type Store struct {
	table *table.Table
	// packed are the compressed texts of the latest record that was stored: most of them are also in the next one.
	packed map[string][]byte
	mu     sync.Mutex
}

// Open returns the record of a table.
func Open(t *table.Table) *Store { return &Store{table: t} }

func (s *Store) key(k keys.Key) map[string]types.AttributeValue {
	return attribute.FromKey(s.table.Schema().Layout(), k)
}

// Get returns the record. Its Revision is 0 if the table has none. Errors are those of table.Call, and ErrLater.
func (s *Store) Get(ctx context.Context) (migrate.Record, error) {
	it, err := s.get(ctx, s.table.Schema().Layout().RecordKey())
	if err != nil || it == nil {
		return migrate.Record{}, err
	}
	return decode(it)
}

func (s *Store) get(ctx context.Context, k keys.Key) (map[string]types.AttributeValue, error) {
	out, _, err := table.Call(ctx, s.table, s.table.Client().GetItem, &dynamodb.GetItemInput{
		TableName: aws.String(s.table.Name()), Key: s.key(k), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

// Put stores a record in place of the one that was read, which has Revision 0 if there was none. It is ErrChanged if
// another one is stored meanwhile.
func (s *Store) Put(ctx context.Context, before, after migrate.Record) error {
	it, err := s.encode(after)
	if err != nil {
		return err
	}
	layout := s.table.Schema().Layout()
	for name, v := range s.key(layout.RecordKey()) {
		it[name] = v
	}
	put := &types.Put{TableName: aws.String(s.table.Name()), Item: it}
	if before.Revision == 0 {
		put.ConditionExpression = aws.String("attribute_not_exists(#revision)")
	} else {
		put.ConditionExpression = aws.String("#revision = :revision")
		put.ExpressionAttributeValues = map[string]types.AttributeValue{":revision": number(before.Revision)}
	}
	put.ExpressionAttributeNames = map[string]string{"#revision": attributeRevision}
	announce := &types.Update{
		TableName: aws.String(s.table.Name()), Key: s.key(layout.ReplicasKey()),
		UpdateExpression:          aws.String("SET #revision = :next"),
		ExpressionAttributeNames:  map[string]string{"#revision": attributeRevision},
		ExpressionAttributeValues: map[string]types.AttributeValue{":next": number(after.Revision)},
	}
	_, err = retried(ctx, s, s.table.Client().TransactWriteItems, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{{Put: put}, {Update: announce}},
	})
	if hasReason(err, "ConditionalCheckFailed") {
		return ErrChanged
	}
	return err
}

// Unchanged returns the condition of a transaction, in the names of the table, that the record is still that one.
func Unchanged(t *table.Table, r migrate.Record) write.Action {
	return write.Action{Kind: write.ActionCheck, Key: t.Schema().Layout().RecordKey(), If: []write.Precondition{
		write.IfEquals(attributeRevision, item.NumberValue(int(r.Revision))),
	}}
}

// retried sends a write again as long as it conflicts with another one, such as the renewal of a replica.
func retried[In, Out any](
	ctx context.Context, s *Store, call func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error), in *In,
) (*Out, error) {
	for attempt := 1; ; attempt++ {
		out, _, err := table.Call(ctx, s.table, call, in)
		isConflict := hasReason(err, "TransactionConflict") || errors.As(err, new(*types.TransactionConflictException))
		if !isConflict || request.Pause(ctx, attempt) != nil {
			return out, err
		}
	}
}

// hasReason reports whether a transaction was not carried out for a reason of one of its actions.
func hasReason(err error, code string) bool {
	canceled, is := errors.AsType[*types.TransactionCanceledException](err)
	return is && slices.ContainsFunc(canceled.CancellationReasons, func(r types.CancellationReason) bool {
		return aws.ToString(r.Code) == code
	})
}

func (s *Store) encode(r migrate.Record) (map[string]types.AttributeValue, error) {
	version := int64(untold)
	if r.SaysTenancy() {
		version = format
	}
	it := map[string]types.AttributeValue{
		attributeFormat: number(version), attributeRevision: number(r.Revision),
		attributeState: text(r.State.String()), attributeGoal: text(r.Goal.String()),
		attributeProven: &types.AttributeValueMemberBOOL{Value: r.IsProven},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	packed := map[string][]byte{}
	for name, text := range map[string]string{attributeFrom: r.From, attributeTo: r.To, attributeHistory: r.History} {
		if text == "" {
			continue
		}
		if packed[text] = s.packed[text]; packed[text] == nil {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, err := io.WriteString(w, text)
			if err := errors.Join(err, w.Close()); err != nil {
				return nil, err
			}
			packed[text] = b.Bytes()
		}
		it[name] = &types.AttributeValueMemberB{Value: packed[text]}
	}
	s.packed = packed
	return it, nil
}

func decode(it map[string]types.AttributeValue) (migrate.Record, error) {
	if integer(it[attributeFormat]) > format {
		return migrate.Record{}, ErrLater
	}
	r := migrate.Record{Revision: integer(it[attributeRevision])}
	r.IsProven = boolean(it[attributeProven])
	var err error
	if r.State, err = migrate.ParseState(textOf(it[attributeState])); err != nil {
		return migrate.Record{}, err
	}
	if r.Goal, err = migrate.ParseState(textOf(it[attributeGoal])); err != nil {
		return migrate.Record{}, err
	}
	for name, text := range map[string]*string{
		attributeFrom: &r.From, attributeTo: &r.To, attributeHistory: &r.History,
	} {
		v, is := it[name].(*types.AttributeValueMemberB)
		if !is {
			continue
		}
		reader, err := gzip.NewReader(bytes.NewReader(v.Value))
		if err != nil {
			return migrate.Record{}, fmt.Errorf("record: the text %s is damaged: %w", name, err)
		}
		plain, err := io.ReadAll(io.LimitReader(reader, maxSDL))
		if err != nil {
			return migrate.Record{}, fmt.Errorf("record: the text %s is damaged: %w", name, err)
		}
		*text = string(plain)
	}
	return r, nil
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// integer, textOf and boolean return the value of an attribute, the zero value if it is another one.
func integer(v types.AttributeValue) int64 {
	n, is := v.(*types.AttributeValueMemberN)
	if !is {
		return 0
	}
	i, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		return 0
	}
	return i
}

func textOf(v types.AttributeValue) string {
	if s, is := v.(*types.AttributeValueMemberS); is {
		return s.Value
	}
	return ""
}

func boolean(v types.AttributeValue) bool {
	b, is := v.(*types.AttributeValueMemberBOOL)
	return is && b.Value
}
