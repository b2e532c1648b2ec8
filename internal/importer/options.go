package importer

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// Options are what is known of the table besides its items.
type Options struct {
	// PK and SK are the attributes of the primary key; those that are "" are recognised. A table with Described and
	// without SK has no sort key.
	PK, SK string
	// Table is the name of the table, after which objects are named whose keys and attributes have no better name.
	Table string
	// Indexes are the table's indexes. They are recognised by the names of their attributes unless Described is set.
	Indexes []stored.IndexLayout
	// Described is set if Indexes are all indexes of the table.
	Described bool
	// Expires is the attribute of the table's time to live, "" for none.
	Expires string
	// Partial reports, after the items were read, whether the table has more items than these; nil for an export.
	Partial func() bool
	// omitted are the parts of the table's description that cannot be imported.
	omitted []string
}

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

func problem(what, fix string) error {
	return &exit.Error{Problem: what, Fix: fix, Code: exit.DataError}
}

// binaryKey returns the error for a key attribute that is a Binary.
func binaryKey(name string) error {
	return problem("the key attribute "+name+" is a Binary, which a field cannot have",
		"import a table whose keys are Strings or Numbers, or copy the items to one")
}
