package stack_test

import (
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/stack"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// TestAllKindsOfKeys: the template has the keys of the table with their types, and allows the leases of the stream.
func TestAllKindsOfKeys(t *testing.T) {
	for i, want := range []string{`
      AttributeDefinitions:
        - AttributeName: Id
          AttributeType: N
        - AttributeName: brandKey
          AttributeType: S
      KeySchema:
        - AttributeName: Id
          KeyType: HASH
      GlobalSecondaryIndexes:
...
              "ForAllValues:StringLike":
                dynamodb:LeadingKeys: "-9999999999999999999999999999999999999?"
`, `
      AttributeDefinitions:
        - AttributeName: id
          AttributeType: S
      KeySchema:
        - AttributeName: id
          KeyType: HASH
      StreamSpecification:
...
              "ForAllValues:StringLike":
                dynamodb:LeadingKeys: "PARTITA#LIVE#?"
`, `
      AttributeDefinitions:
        - AttributeName: year
          AttributeType: N
        - AttributeName: title
          AttributeType: S
        - AttributeName: genre
          AttributeType: S
      KeySchema:
        - AttributeName: year
          KeyType: HASH
        - AttributeName: title
          KeyType: RANGE
      GlobalSecondaryIndexes:
...
              "ForAllValues:StringEquals":
                dynamodb:LeadingKeys: "-99999999999999999999999999999999999999"
`, `
      AttributeDefinitions:
        - AttributeName: device
          AttributeType: S
        - AttributeName: at
          AttributeType: N
      KeySchema:
        - AttributeName: device
          KeyType: HASH
        - AttributeName: at
          KeyType: RANGE
      StreamSpecification:
...
              "ForAllValues:StringEquals":
                dynamodb:LeadingKeys: "PARTITA#LIVE"
`} {
		k := tabletest.KeyTables()[i]
		schema := table.SchemaOf(k.Design)
		schema.Stream = true
		text, err := stack.Template{Schema: schema}.CloudFormation()
		fatal.If(t, err)
		for part := range strings.SplitSeq(want, "...\n") {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s: no %s in\n%s", k.Name, part, text)
			}
		}
	}
}
