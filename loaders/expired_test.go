package loaders_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// expiring returns the items with an expiry, in seconds from now.
func expiring(seconds int64, items ...item.Item) []item.Item {
	at := item.IntValue(time.Now().Unix() + seconds)
	var all []item.Item
	for _, it := range items {
		all = append(all, append(slices.Clone(it), item.Attribute{Name: keys.AttributeExpiry, Value: at}))
	}
	return all
}

// TestExpiredObjects: an object that has expired reads as if it did not exist, although DynamoDB has not deleted it: it
// is null, and pages are filled up without it.
func TestExpiredObjects(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true // the estimate counts no expired items
	s.Load(t, expiring(-60, stored("BRANCH#c1", "POST#NOTICE#0001")...)...)
	s.Load(t, expiring(-1, stored("BRANCH#c1", "POST#NOTICE#0003")...)...)
	s.Load(t, expiring(3600, stored("BRANCH#c1", "POST#NOTICE#0002")...)...)
	s.Run(t, "testdata/deleted/expired")
}

// TestMutationOfExpiredObject: an object can be created in place of one that has expired, and lasts.
func TestMutationOfExpiredObject(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.Load(t, expiring(-60, stored("BRANCH#c1", "POST#NOTICE#0001")...)...)
	s.Load(t, expiring(3600, stored("BRANCH#c1", "POST#NOTICE#0002")...)...)
	for number, want := range map[int]string{
		1: "map[notice:map[text:<nil> title:New] userErrors:[]]",
		2: "map[notice:<nil> userErrors:[map[code:ALREADY]]]",
	} {
		a := s.Must(t, fmt.Sprintf(`mutation {
			x: postNotice(input: {branchId: "Branch:c1", number: %d, title: "New"}) { notice { title text } userErrors { code } }
		}`, number), nil)
		if got := fmt.Sprint(a.Data["x"]); got != want {
			t.Errorf("notice %d: %s", number, got)
		}
	}
	const ask = `{ node(id: "Notice:c1/1") { ... on Notice { title } } }`
	if got := fmt.Sprint(s.Must(t, ask, nil).Data["node"]); got != "map[title:New]" {
		t.Errorf("the new notice is %s", got)
	}
}
