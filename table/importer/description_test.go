package importer_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/importer"
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
	want := []keys.IndexLayout{
		{Name: "byPlace", PK: keys.Named("tenant", "region"), SK: keys.Named("status", "at"), Projection: keys.KeysOnly},
		{Name: "byTitle", PK: keys.Named("pk"), SK: keys.Named("title"), Local: true},
	}
	if err != nil || !reflect.DeepEqual(options.Indexes, want) {
		t.Errorf("%+v, %v, want %+v", options.Indexes, err, want)
	}
}
