package record

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
)

// Attributes of the item of a migration besides its key.
const (
	migrationHolder   = "holder"
	migrationName     = "name"
	migrationRenewals = "renewals"
	migrationProgress = "progress"
	migrationRate     = "unitsPerSecond"
)

// ErrLost is the error of a migrator whose lock another one has taken.
var ErrLost = errors.New("record: another process carries out the migration now")

// HeldError is the error of a lock that another process has.
type HeldError struct{ Name string }

// Error names the process.
func (e *HeldError) Error() string {
	return fmt.Sprintf("record: %s carries out the migration", e.Name)
}

// Migration is what is known of the process that carries out a migration.
type Migration struct {
	// Holder is the id of the process, "" if none is at work, and Name a text for people, such as its host.
	Holder, Name string
	Renewals     int64
	// Progress is what the last process has stored with Lock.Save, "" at the beginning.
	Progress string
	// UnitsPerSecond is the rate that was set while it runs: 0 for a pause. It is negative if none was set.
	UnitsPerSecond float64
}

// Migration returns what is known of the process that carries out the migration.
func (s *Store) Migration(ctx context.Context) (Migration, error) {
	it, err := s.get(ctx, s.table.Schema().Layout().MigrationKey())
	if err != nil {
		return Migration{}, err
	}
	m := Migration{
		Holder: textOf(it[migrationHolder]), Name: textOf(it[migrationName]), Renewals: integer(it[migrationRenewals]),
		Progress: textOf(it[migrationProgress]), UnitsPerSecond: -1,
	}
	if v, is := it[migrationRate].(*types.AttributeValueMemberN); is {
		if rate, err := strconv.ParseFloat(v.Value, 64); err == nil && !math.IsNaN(rate) {
			m.UnitsPerSecond = rate
		}
	}
	return m, nil
}

// SetRate sets how many units a second the process uses at most, also while it runs: 0 lets it pause, a negative number
// leaves the choice to the process.
func (s *Store) SetRate(ctx context.Context, unitsPerSecond float64) error {
	in := s.updateMigration("SET #rate = :rate", "")
	in.ExpressionAttributeNames = map[string]string{"#rate": migrationRate}
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":rate": &types.AttributeValueMemberN{Value: strconv.FormatFloat(unitsPerSecond, 'f', -1, 64)},
	}
	_, err := s.send(ctx, in)
	return err
}

// Lock is the right to carry out the migration of a table. It is not safe for concurrent use.
type Lock struct {
	store    *Store
	holder   string
	renewals int64
}

// Lock takes the right to carry out the migration, once nobody has it or who has it has not renewed it for the lease; 0
// for the constant. name is for people. The error is a *HeldError if another process has it.
func (s *Store) Lock(ctx context.Context, name string, lease time.Duration) (*Lock, Migration, error) {
	if lease == 0 {
		lease = Lease
	}
	seen, err := s.Migration(ctx)
	if err != nil {
		return nil, seen, err
	}
	for end := time.Now().Add(lease + lease/2); seen.Holder != "" && time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return nil, seen, ctx.Err()
		case <-time.After(lease / 20):
		}
		now, err := s.Migration(ctx)
		switch {
		case err != nil:
			return nil, seen, err
		case now.Holder == "":
			seen = now
		case now.Holder != seen.Holder || now.Renewals != seen.Renewals:
			return nil, now, &HeldError{now.Name}
		}
	}
	l := &Lock{store: s, holder: uuid.NewString(), renewals: seen.Renewals + 1}
	in := s.updateMigration("SET #holder = :holder, #name = :name, #renewals = :renewals", "")
	in.ExpressionAttributeNames = map[string]string{
		"#holder": migrationHolder, "#name": migrationName, "#renewals": migrationRenewals,
	}
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":holder": text(l.holder), ":name": text(name), ":renewals": number(l.renewals),
	}
	// The holder is this one if an attempt was carried out whose answer was lost.
	in.ConditionExpression = aws.String("attribute_not_exists(#renewals) OR #holder = :holder")
	if seen.Renewals > 0 {
		in.ConditionExpression = aws.String("#renewals = :seen OR #holder = :holder")
		in.ExpressionAttributeValues[":seen"] = number(seen.Renewals)
	}
	taken, err := s.send(ctx, in)
	if err == nil && !taken {
		err = &HeldError{"another process"}
	}
	return l, seen, err
}

// Save renews the right and stores how far the migration is. The error is ErrLost if another process has it.
func (l *Lock) Save(ctx context.Context, progress string) error {
	return l.update(ctx, l.holder, progress)
}

// Release gives the right up, with how far the migration is.
func (l *Lock) Release(ctx context.Context, progress string) error {
	return l.update(ctx, "", progress)
}

func (l *Lock) update(ctx context.Context, holder, progress string) error {
	l.renewals++
	// It has been given up already if the answer to an attempt at that was lost.
	in := l.store.updateMigration("SET #holder = :next, #progress = :progress, #renewals = :renewals",
		"#holder = :holder OR #holder = :next AND #renewals = :renewals")
	in.ExpressionAttributeNames = map[string]string{
		"#holder": migrationHolder, "#progress": migrationProgress, "#renewals": migrationRenewals,
	}
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":holder": text(l.holder), ":next": text(holder), ":progress": text(progress), ":renewals": number(l.renewals),
	}
	is, err := l.store.send(ctx, in)
	if err == nil && !is {
		return ErrLost
	}
	return err
}

func (s *Store) updateMigration(update, condition string) *dynamodb.UpdateItemInput {
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String(s.table.Name()), Key: s.key(s.table.Schema().Layout().MigrationKey()),
		UpdateExpression: aws.String(update),
	}
	if condition != "" {
		in.ConditionExpression = aws.String(condition)
	}
	return in
}

// send reports whether the condition was true.
func (s *Store) send(ctx context.Context, in *dynamodb.UpdateItemInput) (bool, error) {
	_, err := retried(ctx, s, s.table.Client().UpdateItem, in)
	if errors.As(err, new(*types.ConditionalCheckFailedException)) {
		return false, nil
	}
	return err == nil, err
}
