package importer

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table"
)

// describeExpiry sets the attribute of the time to live. Not all endpoints have one, and not every caller may see it:
// then the report says so.
func (o *Options) describeExpiry(ctx context.Context, t *table.Table) {
	in := &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(ctx, t, t.Client().DescribeTimeToLive, in)
	switch {
	case err != nil:
		o.omitted = append(o.omitted, "@item(expires:), if the table has a time to live: DescribeTimeToLive is not possible")
	case out.TimeToLiveDescription == nil:
	case out.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabled,
		out.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabling:
		o.Expires = aws.ToString(out.TimeToLiveDescription.AttributeName)
	}
}

// expiry returns the type of the values of the attribute of the time to live: a time if they are whole numbers, by
// which DynamoDB deletes items.
func (m *model) expiry(attribute string, values []item.Value) (scalar, bool) {
	isNumber := len(values) > 0 && values[0].Kind == item.Number
	if attribute != m.expires || !isNumber || numberOf(textsOf(values)).typ == "Float" {
		return scalar{}, false
	}
	return scalar{typ: "Time", format: keys.EpochSeconds}, true
}
