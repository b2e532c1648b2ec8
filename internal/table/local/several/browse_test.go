package several_test

import (
	"encoding/json"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/table/check"
)

// TestPartitionsOfPage: the page of the table has all partitions of each index, and by their keys the items in them.
func TestPartitionsOfPage(t *testing.T) {
	all := tickets()
	s := serve(t, all)
	b := browse.New(admin.Scanner{Table: s.Engine.Table}, check.Options{Design: s.Schema.Design}, []byte("secret"))
	ask := func(name string, q map[string]string, to any) {
		body, err := json.Marshal(q)
		fatal.If(t, err)
		text, _, err := b.Answer(t.Context(), name, body)
		if err == nil {
			err = json.Unmarshal(text, to)
		}
		if err != nil {
			t.Fatalf("%s %s: %v", name, body, err)
		}
	}
	for index, names := range map[string][]string{
		"byPlace": {"region", "status"}, "byScore": {"score"}, "byOwner": {"gsiStatus"}, "byTitle": {"title"},
		"byPrio": {"score"},
	} {
		want, got := 0, 0
		for _, it := range all {
			if it.has(names...) {
				want++
			}
		}
		var list struct {
			Partitions []struct {
				PK    string
				Types map[string]int
			}
		}
		ask("partitions", map[string]string{"index": index}, &list)
		for _, p := range list.Partitions {
			found := 0
			for q := (map[string]string{"index": index, "pk": p.PK}); ; {
				var page struct {
					Items []struct{ AtPK, Type string }
					Next  string
				}
				ask("items", q, &page)
				for _, it := range page.Items {
					if it.AtPK == p.PK && it.Type == "Ticket" {
						found++
					}
				}
				if q["after"] = page.Next; page.Next == "" {
					break
				}
			}
			if found != p.Types["Ticket"] {
				t.Errorf("%s %s: %d items, not %d", index, p.PK, found, p.Types["Ticket"])
			}
			got += found
		}
		if got != want {
			t.Errorf("%s: %d items, not %d", index, got, want)
		}
	}
}
