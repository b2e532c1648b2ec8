package importer_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// TestDescription: the description of a table has indexes with several attributes as one key, and local ones.
func TestDescription(t *testing.T) {
	options, err := importer.ReadDescription(strings.NewReader(`{"Table": {
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
	"GlobalSecondaryIndexes": [{"IndexName": "byPlace", "KeySchema": [
		{"AttributeName": "tenant", "KeyType": "HASH"}, {"AttributeName": "region", "KeyType": "HASH"},
		{"AttributeName": "status", "KeyType": "RANGE"}, {"AttributeName": "at", "KeyType": "RANGE"}
	], "Projection": {"ProjectionType": "KEYS_ONLY"}}],
	"LocalSecondaryIndexes": [{"IndexName": "byTitle", "KeySchema": [
		{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "title", "KeyType": "RANGE"}
	], "Projection": {"ProjectionType": "ALL"}}]
	}}`))
	want := []stored.IndexLayout{
		{
			Name: "byPlace", PK: keys.Named("tenant", "region"), SK: keys.Named("status", "at"),
			Projection: stored.KeysOnly,
		},
		{Name: "byTitle", PK: keys.Named("pk"), SK: keys.Named("title"), Local: true},
	}
	if err != nil || !reflect.DeepEqual(options.Indexes, want) {
		t.Errorf("%+v, %v, want %+v", options.Indexes, err, want)
	}
}

// TestDescriptionOfKeys: a table may have a partition key alone, and Numbers as keys. A Binary as a key is an error in
// the table, and leaves an index out.
func TestDescriptionOfKeys(t *testing.T) {
	const numbers = `{"Table": {"TableName": "Products", "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
	"AttributeDefinitions": [
		{"AttributeName": "Id", "AttributeType": "N"}, {"AttributeName": "h", "AttributeType": "B"}
	],
	"GlobalSecondaryIndexes": [{"IndexName": "byHash", "KeySchema": [{"AttributeName": "h", "KeyType": "HASH"}]}]}}`
	options, err := importer.ReadDescription(strings.NewReader(numbers))
	if err != nil || options.PK != "Id" || options.SK != "" || len(options.Indexes) != 0 {
		t.Fatalf("%+v, %v", options, err)
	}
	result, err := importer.Import(all([]item.Item{
		{{Name: "Id", Value: item.IntValue(7)}, {Name: "title", Value: item.StringValue("a")}},
		{{Name: "Id", Value: item.IntValue(8)}, {Name: "title", Value: item.StringValue("a")}},
	}), options)
	fatal.If(t, err)
	if !strings.Contains(result.Schema, "type Product implements Node\n  @item(pk: \"{productId}\")") ||
		!slices.Contains(result.Report.Omitted, "index byHash: a key of it is Binary") {
		t.Errorf("%s\n%s", result.Schema, result.Report)
	}
	_, err = importer.ReadDescription(strings.NewReader(strings.Replace(numbers, `"N"`, `"B"`, 1)))
	if err == nil || !strings.Contains(err.Error(), "the key attribute Id is a Binary") {
		t.Error(err)
	}
}
