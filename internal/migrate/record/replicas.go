package record

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Replica is a process that serves the table, as it is registered.
type Replica struct {
	// ID is one that no other process has.
	ID string
	// Renewals is another number after each renewal.
	Renewals int64
	// Revision is that of the last record that the replica acts by. It does not act by an earlier one any longer.
	Revision int64
	// Program is the version of the program.
	Program string
}

// Attributes of a replica, which is a Map in the item of all replicas under replicaPrefix and its ID.
const (
	replicaPrefix   = "replica "
	replicaRenewals = "renewals"
	replicaRevision = attributeRevision
	replicaProgram  = "program"
)

// Replicas returns the registered replicas, sorted by ID.
func (s *Store) Replicas(ctx context.Context) ([]Replica, error) {
	it, err := s.get(ctx, s.table.Schema().Layout().ReplicasKey())
	if err != nil {
		return nil, err
	}
	var all []Replica
	for name, v := range it {
		id, is := strings.CutPrefix(name, replicaPrefix)
		m, isMap := v.(*types.AttributeValueMemberM)
		if !is || !isMap {
			continue
		}
		all = append(all, Replica{
			ID: id, Renewals: integer(m.Value[replicaRenewals]), Revision: integer(m.Value[replicaRevision]),
			Program: textOf(m.Value[replicaProgram]),
		})
	}
	slices.SortFunc(all, func(a, b Replica) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// Register registers a replica. It returns the revision of the table's record.
func (s *Store) Register(ctx context.Context, r Replica) (int64, error) {
	revision, _, err := s.renew(ctx, r, "")
	return revision, err
}

// Renew is Register for a replica that is registered. It reports whether it still was.
func (s *Store) Renew(ctx context.Context, r Replica) (revision int64, registered bool, err error) {
	return s.renew(ctx, r, "attribute_exists(#replica)")
}

func (s *Store) renew(ctx context.Context, r Replica, condition string) (revision int64, registered bool, err error) {
	in := s.updateReplica(r.ID)
	in.UpdateExpression = aws.String("SET #replica = :replica")
	if condition != "" {
		in.ConditionExpression = aws.String(condition)
	}
	in.ExpressionAttributeValues = map[string]types.AttributeValue{
		":replica": &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{
			replicaRenewals: number(r.Renewals), replicaRevision: number(r.Revision), replicaProgram: text(r.Program),
		}},
	}
	in.ReturnValues = types.ReturnValueAllNew
	out, err := retried(ctx, s, s.table.Client().UpdateItem, in)
	if errors.As(err, new(*types.ConditionalCheckFailedException)) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	return integer(out.Attributes[attributeRevision]), true, nil
}

// Remove removes a replica that has stopped, or has expired: if it has not been renewed since it was read. Its own last
// renewal may not have arrived. It reports whether it was there.
func (s *Store) Remove(ctx context.Context, r Replica) (bool, error) {
	in := s.updateReplica(r.ID)
	in.UpdateExpression = aws.String("REMOVE #replica")
	in.ConditionExpression = aws.String("#replica.#renewals <= :renewals")
	in.ExpressionAttributeNames["#renewals"] = replicaRenewals
	in.ExpressionAttributeValues = map[string]types.AttributeValue{":renewals": number(r.Renewals)}
	return s.send(ctx, in)
}

func (s *Store) updateReplica(id string) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{
		TableName: aws.String(s.table.Name()), Key: s.key(s.table.Schema().Layout().ReplicasKey()),
		ExpressionAttributeNames: map[string]string{"#replica": replicaPrefix + id},
	}
}
