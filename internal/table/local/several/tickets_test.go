package several_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/fatal"
)

// ticket is an item of a program that knows nothing of Partita.
type ticket map[string]map[string]string

func (t ticket) text(name string) string { return t[name]["S"] + t[name]["N"] }

func (t ticket) number(name string) int {
	n, _ := strconv.Atoi(t[name]["N"])
	return n
}

func (t ticket) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return t[name] == nil })
}

// tickets returns items with many equal keys, some of which are in no index.
func tickets() []ticket {
	random := rand.New(rand.NewPCG(3, 4))
	oneOf := func(texts ...string) map[string]string { return map[string]string{"S": texts[random.IntN(len(texts))]} }
	var all []ticket
	for i := range 160 {
		t := ticket{
			"_et": oneOf("TKT"), "tenantId": oneOf("acme", "a#b"), "code": {"S": fmt.Sprintf("%03d", i)},
			"created": {"N": strconv.Itoa(1_700_000_000 + 3600*random.IntN(5))}, "title": oneOf("Door", "Roof#1", "Wall", "Ü"),
			"sk": {"S": fmt.Sprintf("TICKET#%03d", i)},
		}
		t["pk"] = map[string]string{"S": "TENANT#x"}
		if t.text("tenantId") == "acme" {
			t["pk"] = map[string]string{"S": "TENANT#acme"}
		}
		t["org"] = map[string]string{"S": strings.TrimPrefix(t.text("pk"), "TENANT#")}
		if random.IntN(10) > 0 {
			t["region"] = oneOf("eu", "eu#west")
		}
		if random.IntN(10) > 0 {
			t["status"] = oneOf("OPEN", "OPEN#2", "OPENED", "DONE")
		}
		if random.IntN(10) > 0 {
			t["score"] = map[string]string{"N": []string{"-10", "-9", "0", "5", "10", "100"}[random.IntN(6)]}
		}
		if random.IntN(5) > 0 && t.has("status") && !strings.Contains(t.text("status"), "#") {
			t["owner"], t["kind"] = oneOf("bob", "eve"), oneOf("TICKET")
			t["gsiStatus"] = map[string]string{"S": "S-" + t.text("status")}
			t["gsiAt"] = map[string]string{"S": t.text("created")}
		}
		all = append(all, t)
	}
	return all
}

// serve serves the folder of tickets with the items.
func serve(t *testing.T, all []ticket) *exampletest.Service {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tickets")
	fatal.If(t, os.CopyFS(dir, os.DirFS("testdata/tickets")))
	var lines []byte
	for _, it := range all {
		line, err := json.Marshal(map[string]ticket{"Item": it})
		fatal.If(t, err)
		lines = append(append(lines, line...), '\n')
	}
	fatal.If(t, os.WriteFile(filepath.Join(dir, "data.jsonl"), lines, 0o600))
	return exampletest.Open(t, dir).Serve(t)
}

// compareBy returns the order of an index over these attributes.
func compareBy(names ...string) func(a, b ticket) int {
	return func(a, b ticket) int {
		for _, name := range names {
			order := cmp.Compare(a.text(name), b.text(name))
			if a[name]["N"] != "" {
				order = cmp.Compare(a.number(name), b.number(name))
			}
			if order != 0 {
				return order
			}
		}
		return 0
	}
}

// TestPages: pages of all sizes in both directions are what the items of the table are, by a computation of their own.
func TestPages(t *testing.T) {
	all := tickets()
	s := serve(t, all)
	at := func(hours int) int { return 1_700_000_000 + 3600*hours }
	clock := func(hours int) string { return time.Unix(int64(at(hours)), 0).UTC().Format(time.RFC3339) }
	place := func(tenant, region string) func(ticket) bool {
		return func(x ticket) bool {
			return x.has("region", "status") && x.text("tenantId") == tenant && x.text("region") == region
		}
	}
	for _, c := range []struct {
		field string
		holds func(ticket) bool
		order []string
	}{
		{`byPlace(tenantId: "a#b", region: "eu#west"`, place("a#b", "eu#west"), []string{"status", "created"}},
		{`byPlace(tenantId: "acme", region: "eu"`, place("acme", "eu"), []string{"status", "created"}},
		{`byPlace(tenantId: "acme", region: "e"`, func(ticket) bool { return false }, nil},
		{`byPlace(tenantId: "acme", region: "eu", status: "OPEN"`, func(x ticket) bool {
			return place("acme", "eu")(x) && x.text("status") == "OPEN"
		}, []string{"created"}},
		{
			`byPlace(tenantId: "acme", region: "eu", status: "OPEN#2", createdAt: {from: "` + clock(1) + `"}`,
			func(x ticket) bool {
				return place("acme", "eu")(x) && x.text("status") == "OPEN#2" && x.number("created") >= at(1)
			},
			[]string{"created"},
		},
		{`byPlace(tenantId: "acme", region: "eu", status: "DONE", createdAt: {to: "` + clock(2) + `"}`, func(x ticket) bool {
			return place("acme", "eu")(x) && x.text("status") == "DONE" && x.number("created") <= at(2)
		}, []string{"created"}},
		{`byPlace(tenantId: "acme", region: "eu", status: "DONE", createdAt: {from: "` + clock(1) + `", to: "` +
			clock(1) + `"}`,
			func(x ticket) bool {
				return place("acme", "eu")(x) && x.text("status") == "DONE" && x.number("created") == at(1)
			}, []string{"created"}},
		{`byScore(tenantId: "a#b"`, func(x ticket) bool { return x.has("score") && x.text("tenantId") == "a#b" },
			[]string{"score", "created"}},
		{`byScore(tenantId: "acme", score: {from: -9, to: 10}`, func(x ticket) bool {
			return x.has("score") && x.text("tenantId") == "acme" && x.number("score") >= -9 && x.number("score") <= 10
		}, []string{"score", "created"}},
		{`byScore(tenantId: "acme", score: {to: -9}`, func(x ticket) bool {
			return x.has("score") && x.text("tenantId") == "acme" && x.number("score") <= -9
		}, []string{"score", "created"}},
		{
			`scored(tenantId: "acme", score: -10, createdAt: {from: "` + clock(1) + `", to: "` + clock(3) + `"}`,
			func(x ticket) bool {
				return x.has("score") && x.text("tenantId") == "acme" && x.number("score") == -10 &&
					x.number("created") >= at(1) && x.number("created") <= at(3)
			},
			[]string{"-created"},
		},
		{`byOwner(owner: "bob", status: "OPEN"`, func(x ticket) bool {
			return x.text("owner") == "bob" && x.text("gsiStatus") == "S-OPEN"
		}, []string{"gsiAt"}},
		{`byOwner(owner: "eve"`, func(x ticket) bool { return x.text("owner") == "eve" }, []string{"gsiStatus", "gsiAt"}},
		{`byTitle(org: "x"`, func(x ticket) bool { return x.text("org") == "x" }, []string{"title"}},
		{`byTitle(org: "x", title: {from: "Roof", to: "Wall"}`, func(x ticket) bool {
			return x.text("org") == "x" && x.text("title") >= "Roof" && x.text("title") <= "Wall"
		}, []string{"title"}},
		{`byPrio(org: "acme", score: {from: -9}`, func(x ticket) bool {
			return x.text("org") == "acme" && x.has("score") && x.number("score") >= -9
		}, []string{"score"}},
	} {
		by := map[string]ticket{}
		for _, x := range all {
			if c.holds(x) {
				by[x.text("code")] = x
			}
		}
		whole := pages(t, s, c.field, "first", 100)
		if got, want := slices.Sorted(slices.Values(whole)), slices.Sorted(maps.Keys(by)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.field, got, want)
			continue
		}
		for i := 1; i < len(whole); i++ {
			a, b := by[whole[i-1]], by[whole[i]]
			if names := strings.Split(strings.Join(c.order, ","), ","); strings.HasPrefix(names[0], "-") {
				if compareBy(names[0][1:])(a, b) < 0 {
					t.Errorf("%s: %s is before %s", c.field, whole[i-1], whole[i])
				}
			} else if compareBy(names...)(a, b) > 0 {
				t.Errorf("%s: %s is before %s", c.field, whole[i-1], whole[i])
			}
		}
		for _, size := range []int{1, 2, 3, 4, 5, 6, 7, 100} {
			for _, direction := range []string{"first", "last"} {
				if got := pages(t, s, c.field, direction, size); !slices.Equal(got, whole) {
					t.Errorf("%s, %s: %d: %v, want %v", c.field, direction, size, got, whole)
				}
			}
		}
	}
}

// pages returns the codes on all pages of a connection, in its order.
func pages(t *testing.T, s *exampletest.Service, field, direction string, size int) []string {
	t.Helper()
	var all []string
	cursor := ""
	for {
		document := fmt.Sprintf("{ c: %s, %s: %d%s) { nodes { code title score } pageInfo "+
			"{ hasNextPage hasPreviousPage startCursor endCursor } } }", field, direction, size, cursor)
		body, _ := s.Send(t, document)
		var r struct {
			Data struct {
				C struct {
					Nodes    []struct{ Code string }
					PageInfo struct {
						HasNextPage, HasPreviousPage bool
						StartCursor, EndCursor       string
					}
				}
			}
			Errors     []any
			Extensions struct {
				Cost struct{ EstimatedReadUnits, ReadUnits float64 }
			}
		}
		if err := json.Unmarshal([]byte(body), &r); err != nil || len(r.Errors) > 0 {
			t.Fatalf("%s: %s", document, body)
		}
		if cost := r.Extensions.Cost; cost.ReadUnits > cost.EstimatedReadUnits {
			t.Errorf("%s: %v units, but at most %v were estimated", document, cost.ReadUnits, cost.EstimatedReadUnits)
		}
		var page []string
		for _, n := range r.Data.C.Nodes {
			page = append(page, n.Code)
		}
		info := r.Data.C.PageInfo
		more := info.HasNextPage
		if direction == "first" {
			all = append(all, page...)
			cursor = fmt.Sprintf(", after: %q", info.EndCursor)
		} else {
			all, more = append(page, all...), info.HasPreviousPage
			cursor = fmt.Sprintf(", before: %q", info.StartCursor)
		}
		if !more {
			return all
		}
	}
}

// TestOperations sends the operations of the folder: answers, requests and units are those in operations.txt, and the
// table is consistent afterwards.
func TestOperations(t *testing.T) {
	s := serve(t, tickets()[:30])
	s.RunIn(t, "testdata/tickets")
	s.Check(t)
}
