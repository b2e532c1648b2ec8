package admin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/exit"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table"
)

// Verify checks that the table fits its Schema: it exists, is active, and it and
// its indexes have the right keys and all attributes. It returns within
// Settings.StartTimeout. Its errors are *exit.Error, or
// wrap context.Canceled.
func Verify(ctx context.Context, t *table.Table) error {
	_, err := Describe(ctx, t)
	return err
}

// Describe is Verify that also returns what else DynamoDB says of the table.
func Describe(ctx context.Context, t *table.Table) (Facts, error) {
	if err := t.Schema().Check(); err != nil {
		return Facts{}, err
	}
	limited, cancel := context.WithTimeout(ctx, t.Settings().StartTimeout)
	defer cancel()
	in := &dynamodb.DescribeTableInput{TableName: aws.String(t.Name())}
	out, _, err := table.Call(limited, t, t.Client().DescribeTable, in)
	if err != nil {
		return Facts{}, t.ExitError(err)
	}
	facts := factsOf(out.Table)
	facts.ID = cmp.Or(facts.ID, t.Name())
	return facts, compare(t.Name(), t.Schema(), out.Table)
}

func compare(name string, schema table.Schema, d *types.TableDescription) error {
	switch d.TableStatus {
	case types.TableStatusActive, types.TableStatusUpdating, types.TableStatusArchiving:
	case types.TableStatusCreating:
		return notYet("table %q is still being created", name)
	default:
		return misfit(fmt.Sprintf("table %q is %s", name, d.TableStatus), "create it anew, or set another TABLE_NAME")
	}
	if err := compareTable(name, schema, d); err != nil {
		return err
	}
	attributes := schema.KeyAttributes()
	for _, index := range schema.Indexes {
		ix := schema.Layout().Index(index)
		g, isLocal := findIndex(d, index)
		switch {
		case g == nil && ix.Local:
			return misfit(fmt.Sprintf("table %q has no index %s", name, index),
				"a local index is created with its table only: write another index in @table(indexes:)")
		case g == nil:
			return misfit(fmt.Sprintf("table %q has no index %s", name, index),
				fmt.Sprintf("add the index with the keys %s and the projection %s",
					describeTypes(keySchema(ix), attributes), ix.Projection)+roomForIndexes(schema, d))
		case isLocal && !ix.Local:
			return misfit(fmt.Sprintf("index %s of table %q is a local index", index, name),
				"write local: true for it in @table(indexes:)")
		case !isLocal && ix.Local:
			return misfit(fmt.Sprintf("index %s of table %q is no local index", index, name),
				"remove local: true of it in @table(indexes:)")
		}
		if problem := compareKeys(ix, d, g.KeySchema, attributes); problem != "" {
			return misfit(fmt.Sprintf("index %s of table %q has %s", index, name, problem),
				"write its keys in @table(indexes:), or delete the index and add it with the other keys")
		}
		if problem := compareProjection(ix, g.Projection); problem != "" {
			return misfit(fmt.Sprintf("index %s of table %q projects %s", index, name, problem),
				"write that in @table(indexes:), or delete the index and add it with the other projection")
		}
		if g.IndexStatus == types.IndexStatusCreating || aws.ToBool(g.Backfilling) {
			return notYet("index %s of table %q is still being built", index, name)
		}
	}
	return nil
}

// compareTable compares the keys of the table itself, which nothing can change.
func compareTable(name string, schema table.Schema, d *types.TableDescription) error {
	const other = "set TABLE_NAME to another table; the keys of a table cannot be changed"
	own := schema.Layout().Index("")
	if got, want := describeKeys(d.KeySchema), describeKeys(keySchema(own)); got != want {
		return misfit(fmt.Sprintf("table %q has the keys %s where %s are needed", name, got, want),
			fmt.Sprintf("write %s in @table, or %s", namesOf(d.KeySchema), other))
	}
	for _, a := range slices.Concat(own.PK, own.SK) {
		want := types.ScalarAttributeTypeS
		if a.Number {
			want = types.ScalarAttributeTypeN
		}
		switch got := typeOf(d.AttributeDefinitions, a.Name); got {
		case "", want:
		case types.ScalarAttributeTypeB:
			return misfit(fmt.Sprintf("the key %s of table %q is Binary; such keys are not served", a.Name, name), other)
		case types.ScalarAttributeTypeN:
			return misfit(fmt.Sprintf("table %q has a key %s of type N where S is needed", name, a.Name),
				fmt.Sprintf("declare a field with the attribute %s, Int or with @stored(as: NUMBER), that is this key alone, or %s",
					a.Name, other))
		default:
			return misfit(fmt.Sprintf("table %q has a key %s of type S where N is needed", name, a.Name),
				fmt.Sprintf("declare the field with the attribute %s as String, or with @stored(as: NUMBER_TEXT), or %s",
					a.Name, other))
		}
	}
	return nil
}

// namesOf returns the arguments of @table for the keys of a table.
func namesOf(schema []types.KeySchemaElement) string {
	names := [2]string{"", "null"}
	for _, k := range schema {
		i := slices.Index([]types.KeyType{types.KeyTypeHash, types.KeyTypeRange}, k.KeyType)
		names[max(i, 0)] = strconv.Quote(aws.ToString(k.AttributeName))
	}
	return fmt.Sprintf("pk: %s, sk: %s", names[0], names[1])
}

// findIndex returns the description of an index, nil if the table does not have it, and whether it is local. A local
// index is complete as soon as there is the table.
func findIndex(d *types.TableDescription, name string) (g *types.GlobalSecondaryIndexDescription, isLocal bool) {
	for _, g := range d.GlobalSecondaryIndexes {
		if aws.ToString(g.IndexName) == name {
			return &g, false
		}
	}
	for _, l := range d.LocalSecondaryIndexes {
		if aws.ToString(l.IndexName) == name {
			return &types.GlobalSecondaryIndexDescription{KeySchema: l.KeySchema, Projection: l.Projection}, true
		}
	}
	return nil, false
}

// compareKeys describes what is wrong with the keys of an index, as the end of a sentence "it has ...".
func compareKeys(
	ix stored.IndexLayout, d *types.TableDescription, got []types.KeySchemaElement, want []types.AttributeDefinition,
) string {
	needed := keySchema(ix)
	if g, w := describeKeys(got), describeKeys(needed); g != w {
		return fmt.Sprintf("the keys %s where %s are needed", g, w)
	}
	for _, k := range needed {
		name := aws.ToString(k.AttributeName)
		if g, w := typeOf(d.AttributeDefinitions, name), typeOf(want, name); g != "" && g != w {
			return fmt.Sprintf("a key %s of type %s where %s is needed", name, g, w)
		}
	}
	return ""
}

// typeOf returns the type of a key attribute, "" if it is unknown.
func typeOf(attributes []types.AttributeDefinition, name string) types.ScalarAttributeType {
	for _, a := range attributes {
		if aws.ToString(a.AttributeName) == name {
			return a.AttributeType
		}
	}
	return ""
}

// compareProjection describes a projection with fewer attributes than the index needs, "" for none.
func compareProjection(ix stored.IndexLayout, p *types.Projection) string {
	if p == nil || p.ProjectionType == types.ProjectionTypeAll || ix.Projection == stored.KeysOnly {
		return ""
	}
	if ix.Projection == stored.Include && p.ProjectionType == types.ProjectionTypeInclude {
		missing := slices.DeleteFunc(slices.Clone(ix.Include), func(name string) bool {
			return slices.Contains(p.NonKeyAttributes, name)
		})
		if len(missing) == 0 {
			return ""
		}
		return fmt.Sprintf("%s without %s", p.ProjectionType, strings.Join(missing, ", "))
	}
	return fmt.Sprintf("%s where %s is needed", p.ProjectionType, ix.Projection)
}

// describeTypes returns a text such as "PK (HASH, S), SK (RANGE, N)".
func describeTypes(schema []types.KeySchemaElement, attributes []types.AttributeDefinition) string {
	parts := make([]string, len(schema))
	for i, k := range schema {
		name := aws.ToString(k.AttributeName)
		parts[i] = fmt.Sprintf("%s (%s, %s)", name, k.KeyType, typeOf(attributes, name))
	}
	return strings.Join(parts, ", ")
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
