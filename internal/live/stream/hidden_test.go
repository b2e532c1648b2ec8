package stream_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/importer"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/stored"
)

// TestLeasesAreNoData: nothing that reads the whole table returns the lease, which is one of its items.
func TestLeasesAreNoData(t *testing.T) {
	e := tabletest.Start(t, streamed)
	r := read(t, e.Table, alone)
	put(t, e, "a", 0)
	r.awaitCurrent(t)
	r.stop()
	if !slices.ContainsFunc(e.Proxy.Log(), func(request string) bool {
		return strings.Contains(request, "UpdateItem "+stored.LeasePK+" LEASE#0")
	}) {
		t.Fatalf("there is no lease: %q", e.Proxy.Log())
	}
	scanner := admin.Scanner{Table: e.Table}
	page, err := scanner.Scan(t.Context(), admin.Scan{})
	if err != nil || len(page.Items) != 1 {
		t.Errorf("a scan returns %v, %v", page.Items, err)
	}
	keyPage, err := scanner.ScanKeys(t.Context(), admin.KeyScan{Limit: 10})
	if err != nil || len(keyPage.Items) != 1 {
		t.Errorf("a scan of the keys returns %v, %v", keyPage.Items, err)
	}
	var exported bytes.Buffer
	if n, err := admin.Export(t.Context(), e.Table, &exported); err != nil || n != 1 {
		t.Errorf("an export has %d items, %v: %s", n, err, &exported)
	}
	// What Amazon exports to S3 has the leases too.
	items := func(yield func(item.Item, error) bool) {
		lease := tabletest.Stored(stored.LeasePK, "LEASE#0", "holder", "x", "renewals", "1")
		for n := range 20 {
			user := tabletest.Stored("USER#"+string(rune('a'+n)), "PROFILE", "entityType", "User", "name", stored.LeasePK)
			if !yield(user, nil) || !yield(lease, nil) {
				return
			}
		}
	}
	proposal := must(importer.Import(items, importer.Options{}))
	if !strings.Contains(proposal.Schema, "type User") {
		t.Errorf("users whose name is the key of leases are not in the schema that is proposed:\n%s", proposal.Schema)
	}
	if strings.Contains(proposal.Schema, "lease") || strings.Contains(proposal.Schema, "PARTITA") {
		t.Errorf("the lease is in the schema that is proposed:\n%s", proposal.Schema)
	}
}
