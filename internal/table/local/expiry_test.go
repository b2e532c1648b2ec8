package local_test

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// A table that the local engine imports expires items like one that admin.Create
// creates.
func TestSeededTableExpires(t *testing.T) {
	s := settings(t.TempDir())
	s.Seed = slices.Values([]item.Item{{
		{Name: keys.AttributePK, Value: item.StringValue("A")},
		{Name: keys.AttributeSK, Value: item.StringValue("A")},
	}})
	for range 2 { // the second time, it is on already
		opened := must(local.Open(t.Context(), s, schema, discard))
		in := &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(opened.Name())}
		got := must(opened.Client().DescribeTimeToLive(t.Context(), in))
		d := got.TimeToLiveDescription
		if name := aws.ToString(d.AttributeName); d.TimeToLiveStatus != types.TimeToLiveStatusEnabled ||
			name != keys.AttributeExpiry {
			t.Errorf("time to live is %s on %q", d.TimeToLiveStatus, name)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}
