package importer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
)

// constants are items with constant keys, also beside a collection, and named like what each schema has.
const constants = `
{"Item": {"PK": {"S": "CONFIG"}, "SK": {"S": "CONFIG"}, "value": {"S": "on"}, "limit": {"N": "5"}}}
{"Item": {"PK": {"S": "CONFIG"}, "SK": {"S": "CONFIG#1"}, "value": {"S": "off"}, "n": {"N": "1"}}}
{"Item": {"PK": {"S": "CONFIG"}, "SK": {"S": "CONFIG#2"}, "value": {"S": "half"}, "n": {"N": "2"}}}
{"Item": {"PK": {"S": "APP"}, "SK": {"S": "NODES"}, "value": {"S": "a"}, "nodes": {"N": "1"}}}
{"Item": {"PK": {"S": "APP"}, "SK": {"S": "STORED_FORMAT"}, "value": {"S": "b"}, "format": {"S": "x"}}}
{"Item": {"PK": {"S": "APP"}, "SK": {"S": "STRING_RANGE"}, "value": {"S": "c"}, "lowest": {"S": "x"}}}
{"Item": {"PK": {"S": "APP"}, "SK": {"S": "LIVE_CHANGE"}, "value": {"S": "d"}, "since": {"S": "x"}}}
`

// TestConstantKeys: each of these items is an object with an id by which it is found, and no other attribute is taken
// for the type.
func TestConstantKeys(t *testing.T) {
	t.Parallel()
	var items []item.Item
	for it, err := range admin.Items(strings.NewReader(constants)) {
		fatal.If(t, err)
		items = append(items, it)
	}
	result, err := importer.Import(all(items), importer.Options{})
	fatal.If(t, err)
	s := serve(t, items, result.Schema)
	if s.Layout.Type != "" {
		t.Errorf("the type attribute is %s", s.Layout.Type)
	}
	s.checkCollections(t)
	if n := s.checkObjects(t); n != len(items) {
		t.Errorf("%d of %d items have a type", n, len(items))
	}
	for _, field := range []string{"config", "appNodes", "appStoredFormat", "appStringRange", "appLiveChange"} {
		var first, again struct {
			O     struct{ ID string }
			Nodes []struct{ ID string }
		}
		fatal.If(t, json.Unmarshal(s.ask(t, "{ o: "+field+" { id } }"), &first))
		query := fmt.Sprintf("{ o: node(id: %q) { id } nodes(ids: [%[1]q]) { id } }", first.O.ID)
		fatal.If(t, json.Unmarshal(s.ask(t, query), &again))
		if first.O.ID == "" || again.O != first.O || len(again.Nodes) != 1 || again.Nodes[0].ID != first.O.ID {
			t.Errorf("%s: %v, by its id %v", field, first.O, again)
		}
	}
}
