package admin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/table"
)

// Verify checks that the table fits its Schema: it exists, is active, and it and
// its indexes have the right keys and all attributes. It returns within
// Settings.StartTimeout. Its errors are *exit.Error, or
// wrap context.Canceled.
func Verify(ctx context.Context, t *table.Table) error {
	_, err := Identify(ctx, t)
	return err
}

// Identify is Verify that also returns the id of the table. DynamoDB gives each table
// a random one, which is shown only to those who may describe the table. If an
// endpoint has no ids, it is the table's name.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
func Identify(ctx context.Context, t *table.Table) (id string, err error) {
	limited, cancel := context.WithTimeout(ctx, t.Settings().StartTimeout)
	defer cancel()
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(limited, t, t.Client().DescribeTable, in)
	if err != nil {
		return "", t.ExitError(err)
	}
	return cmp.Or(aws.ToString(out.Table.TableId), t.Name()), compare(t.Name(), t.Schema(), out.Table)
}

func compare(name string, schema table.Schema, d *types.TableDescription) error {
	switch d.TableStatus {
	case types.TableStatusActive, types.TableStatusUpdating, types.TableStatusArchiving:
	case types.TableStatusCreating:
		return notYet("table %q is still being created", name)
	default:
		return misfit(fmt.Sprintf("table %q is %s", name, d.TableStatus), "create it anew, or set another TABLE_NAME")
	}
	if problem := compareKeys("", d.KeySchema, d.AttributeDefinitions); problem != "" {
		return misfit(fmt.Sprintf("table %q has %s", name, problem),
			`set TABLE_NAME to a table made by "partita table create"; the keys of a table cannot be changed`)
	}
	for _, index := range schema.Indexes {
		i := slices.IndexFunc(d.GlobalSecondaryIndexes, func(g types.GlobalSecondaryIndexDescription) bool {
			return aws.ToString(g.IndexName) == index
		})
		if i < 0 {
			return misfit(fmt.Sprintf("table %q has no index %s", name, index),
				"add the index with string keys "+describeKeys(keySchema(index))+", all attributes projected")
		}
		g := d.GlobalSecondaryIndexes[i]
		if problem := compareKeys(index, g.KeySchema, d.AttributeDefinitions); problem != "" {
			return misfit(fmt.Sprintf("index %s of table %q has %s", index, name, problem),
				"delete the index and add it with those keys")
		}
		if g.Projection != nil && g.Projection.ProjectionType != types.ProjectionTypeAll {
			return misfit(fmt.Sprintf("index %s of table %q projects %s", index, name, g.Projection.ProjectionType),
				"delete the index and add it with all attributes projected")
		}
		if g.IndexStatus == types.IndexStatusCreating || aws.ToBool(g.Backfilling) {
			return notYet("index %s of table %q is still being built", index, name)
		}
	}
	return nil
}

// compareKeys describes what is wrong with the keys of an index, or of the table
// for "", as the end of a sentence "it has ...".
func compareKeys(index string, got []types.KeySchemaElement, attributes []types.AttributeDefinition) string {
	want := keySchema(index)
	if g, w := describeKeys(got), describeKeys(want); g != w {
		return fmt.Sprintf("the keys %s where %s are needed", g, w)
	}
	for _, k := range want {
		for _, a := range attributes {
			name := aws.ToString(k.AttributeName)
			if aws.ToString(a.AttributeName) == name && a.AttributeType != types.ScalarAttributeTypeS {
				return fmt.Sprintf("a key %s of type %s where S is needed", name, a.AttributeType)
			}
		}
	}
	return ""
}

// describeKeys returns a text such as "PK (HASH), SK (RANGE)".
func describeKeys(schema []types.KeySchemaElement) string {
	parts := make([]string, len(schema))
	for i, k := range schema {
		parts[i] = fmt.Sprintf("%s (%s)", aws.ToString(k.AttributeName), k.KeyType)
	}
	return strings.Join(parts, ", ")
}

func misfit(problem, fix string) error {
	return &exit.Error{Problem: problem, Fix: fix, Code: exit.Config}
}

func notYet(format string, args ...any) error {
	return &exit.Error{Problem: fmt.Sprintf(format, args...), Fix: "start again when it is active", Code: exit.TryAgain}
}
