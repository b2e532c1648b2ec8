package table

import (
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// A table that the local engine imports expires items like one that CreateTable
// makes.
func TestSeededTableExpires(t *testing.T) {
	s := Settings{DataDir: t.TempDir(), Engine: os.Getenv("DYNOXIDE"), TableName: "partita", StartTimeout: 30 * time.Second}
	s.Seed = slices.Values([]item.Item{{
		{Name: keys.AttributePK, Value: item.StringValue("A")},
		{Name: keys.AttributeSK, Value: item.StringValue("A")},
	}})
	for range 2 { // as well when it has been on
		opened, err := Open(t.Context(), s, Schema{Indexes: []string{"GSI1"}}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		got, err := opened.client.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: opened.nameParam()})
		if err != nil {
			t.Error(err)
		} else if d := got.TimeToLiveDescription; d.TimeToLiveStatus != types.TimeToLiveStatusEnabled || aws.ToString(d.AttributeName) != keys.AttributeExpiry {
			t.Errorf("time to live is %s on %q", d.TimeToLiveStatus, aws.ToString(d.AttributeName))
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}
