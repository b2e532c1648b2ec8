package stream_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/live/stream"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table/attribute"
)

// TestUnregistered: a replica that renews a lease as earlier versions did is noticed, one that registers or has ended
// is not.
func TestUnregistered(t *testing.T) {
	e := tabletest.Start(t, streamed)
	settings := stream.Settings{Lease: lease}
	r := read(t, e.Table, stream.Options{})
	if err := stream.CheckRegistered(t.Context(), e.Table, settings); err != nil {
		t.Error(err)
	}
	r.stop()
	renew := func(n int) {
		_, err := e.Table.Client().PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: aws.String(e.Table.Name()),
			Item: attribute.FromItem(tabletest.Stored("PARTITA#LIVE", "LEASE#1", "holder", "old", "renewals",
				strconv.Itoa(n))),
		})
		fatal.If(t, err)
	}
	renew(1)
	if err := stream.CheckRegistered(t.Context(), e.Table, settings); err != nil {
		t.Error("one that has ended:", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- stream.CheckRegistered(t.Context(), e.Table, stream.Settings{Lease: 100 * lease}) }()
	for n := 2; ; n++ {
		select {
		case err := <-ended:
			if of, is := errors.AsType[*stream.Unregistered](err); !is || of.ID != "old" {
				t.Error(err)
			}
			return
		default:
			renew(n)
		}
	}
}
