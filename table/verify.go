package table

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
)

// Verify checks that the table can be read as the Schema asks: it exists, is
// active, and it and its indexes have the right keys and all attributes. It
// takes no longer than Settings.StartTimeout. Its errors are *exit.Error, or
// wrap context.Canceled.
func (t *Table) Verify(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, t.settings.StartTimeout)
	defer cancel()
	out, _, err := call(limited, t, t.client.DescribeTable, &dynamodb.DescribeTableInput{TableName: t.nameParam()})
	if err != nil {
		return t.exitError(err)
	}
	return t.compare(out.Table)
}

func (t *Table) compare(d *types.TableDescription) error {
	switch d.TableStatus {
	case types.TableStatusActive, types.TableStatusUpdating, types.TableStatusArchiving:
	case types.TableStatusCreating:
		return t.notYet("table %q is still being created", t.name)
	default:
		return t.misfit(fmt.Sprintf("table %q is %s", t.name, d.TableStatus), "create it anew, or set another TABLE_NAME")
	}
	if problem := compareKeys("", d.KeySchema, d.AttributeDefinitions); problem != "" {
		return t.misfit(fmt.Sprintf("table %q has %s", t.name, problem),
			`set TABLE_NAME to a table made by "partita table create"; the keys of a table cannot be changed`)
	}
	for _, index := range t.schema.Indexes {
		i := slices.IndexFunc(d.GlobalSecondaryIndexes, func(g types.GlobalSecondaryIndexDescription) bool {
			return aws.ToString(g.IndexName) == index
		})
		if i < 0 {
			return t.misfit(fmt.Sprintf("table %q has no index %s", t.name, index),
				fmt.Sprintf("add the index with string keys %s, all attributes projected", describeKeys(keySchema(index))))
		}
		g := d.GlobalSecondaryIndexes[i]
		if problem := compareKeys(index, g.KeySchema, d.AttributeDefinitions); problem != "" {
			return t.misfit(fmt.Sprintf("index %s of table %q has %s", index, t.name, problem),
				"delete the index and add it with those keys")
		}
		if g.Projection != nil && g.Projection.ProjectionType != types.ProjectionTypeAll {
			return t.misfit(fmt.Sprintf("index %s of table %q projects %s", index, t.name, g.Projection.ProjectionType),
				"delete the index and add it with all attributes projected")
		}
		if g.IndexStatus == types.IndexStatusCreating || aws.ToBool(g.Backfilling) {
			return t.notYet("index %s of table %q is still being built", index, t.name)
		}
	}
	return nil
}

// compareKeys says what is wrong with the keys of an index, or of the table for
// "", as the rest of "it has ...".
func compareKeys(index string, got []types.KeySchemaElement, attributes []types.AttributeDefinition) string {
	want := keySchema(index)
	if g, w := describeKeys(got), describeKeys(want); g != w {
		return fmt.Sprintf("the keys %s where %s are needed", g, w)
	}
	for _, k := range want {
		for _, a := range attributes {
			if aws.ToString(a.AttributeName) == aws.ToString(k.AttributeName) && a.AttributeType != types.ScalarAttributeTypeS {
				return fmt.Sprintf("a key %s of type %s where S is needed", aws.ToString(a.AttributeName), a.AttributeType)
			}
		}
	}
	return ""
}

// describeKeys is like "PK (HASH), SK (RANGE)".
func describeKeys(schema []types.KeySchemaElement) string {
	parts := make([]string, len(schema))
	for i, k := range schema {
		parts[i] = fmt.Sprintf("%s (%s)", aws.ToString(k.AttributeName), k.KeyType)
	}
	return strings.Join(parts, ", ")
}

func (t *Table) misfit(problem, fix string) error {
	return &exit.Error{Problem: problem, Fix: fix, Code: exit.Config}
}

func (t *Table) notYet(format string, args ...any) error {
	return &exit.Error{Problem: fmt.Sprintf(format, args...), Fix: "start again when it is active", Code: exit.TryAgain}
}
