package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// description is the part of a table's description that Options need.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
type description struct {
	TableName                                     string
	AttributeDefinitions                          []types.AttributeDefinition
	KeySchema                                     []types.KeySchemaElement
	GlobalSecondaryIndexes, LocalSecondaryIndexes []indexDescription
}

type indexDescription struct {
	IndexName  string
	KeySchema  []types.KeySchemaElement
	Projection *types.Projection
}

// ReadDescription returns the Options from the output of `aws dynamodb describe-table`. Its errors are *exit.Error.
func ReadDescription(r io.Reader) (Options, error) {
	var d struct{ Table description }
	if err := json.NewDecoder(r).Decode(&d); err != nil || len(d.Table.KeySchema) == 0 {
		return Options{}, problem("the description of the table has no KeySchema",
			"give the output of: aws dynamodb describe-table --table-name NAME")
	}
	return d.Table.options()
}

// describe reads a description as ReadDescription does.
func describe(table *types.TableDescription) (Options, error) {
	text, err := json.Marshal(map[string]any{"Table": table})
	if err != nil {
		return Options{}, err
	}
	return ReadDescription(bytes.NewReader(text))
}

func (d description) options() (Options, error) {
	o := Options{Described: true, Table: d.TableName}
	pk, sk := keyNames(d.KeySchema)
	for _, name := range slices.Concat(pk, sk) {
		if d.isBinary(name) {
			return o, binaryKey(name)
		}
	}
	o.PK, o.SK = strings.Join(pk, ""), strings.Join(sk, "") // At most one of each.
	for i, ix := range slices.Concat(d.GlobalSecondaryIndexes, d.LocalSecondaryIndexes) {
		pk, sk := keyNames(ix.KeySchema)
		if slices.ContainsFunc(slices.Concat(pk, sk), d.isBinary) {
			o.omitted = append(o.omitted, fmt.Sprintf("index %s: a key of it is Binary", ix.IndexName))
			continue
		}
		layout := stored.IndexLayout{
			Name: ix.IndexName, PK: keys.Named(pk...), SK: keys.Named(sk...), Local: i >= len(d.GlobalSecondaryIndexes),
		}
		if p := ix.Projection; p != nil {
			switch p.ProjectionType {
			case types.ProjectionTypeKeysOnly:
				layout.Projection = stored.KeysOnly
			case types.ProjectionTypeInclude:
				layout.Projection, layout.Include = stored.Include, p.NonKeyAttributes
			}
		}
		o.Indexes = append(o.Indexes, layout)
	}
	return o, nil
}

// isBinary reports whether a key attribute is a Binary.
func (d description) isBinary(name string) bool {
	return slices.ContainsFunc(d.AttributeDefinitions, func(a types.AttributeDefinition) bool {
		return aws.ToString(a.AttributeName) == name && a.AttributeType == types.ScalarAttributeTypeB
	})
}

// keyNames returns the attributes of the partition key and of the sort key.
func keyNames(schema []types.KeySchemaElement) (pk, sk []string) {
	for _, k := range schema {
		if k.KeyType == types.KeyTypeHash {
			pk = append(pk, aws.ToString(k.AttributeName))
		} else {
			sk = append(sk, aws.ToString(k.AttributeName))
		}
	}
	return pk, sk
}
