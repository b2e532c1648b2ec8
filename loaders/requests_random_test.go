package loaders

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// TestEachReadIsServedOnce draws random waves.
func TestEachReadIsServedOnce(t *testing.T) {
	design := design.MustDesign(nil, []*design.Type{
		typeAt("User", "USER#{id}", "USER#{id}"),
		typeAt("Order", "USER#{userId}", "ORDER#{at}#{id}"),
		typeAt("Follow", "USER#{id}", "FOLLOWS#{other}"),
		typeAt("Version", "DOC#{doc}", "v{n:03}"),
		typeAt("Latest", "DOC#{doc}", "LATEST"),
		typeAt("Part", "DOC#{doc}", "v{n:03}#PART#{part}"),
		typeAt("Comment", "USER#{userId}", "FOLLOWS#{other}#COMMENT#{at}"),
	}, nil)
	gets := rapid.SampledFrom([]keys.Key{
		{PK: "USER#%d", SK: "USER#%d"}, {PK: "DOC#%d", SK: "LATEST"}, {PK: "USER#%d", SK: "FOLLOWS#1"},
	})
	get := rapid.Custom(func(t *rapid.T) wanted {
		n := strconv.Itoa(rapid.IntRange(1, 120).Draw(t, "n"))
		key := gets.Draw(t, "key")
		pk, sk := strings.ReplaceAll(string(key.PK), "%d", n), strings.ReplaceAll(string(key.SK), "%d", n)
		read := plan.Read{Kind: plan.Get, Key: keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}}
		return wanted{read, rapid.Bool().Draw(t, "later")}
	})
	collections := rapid.SampledFrom([]keys.Key{
		{PK: "USER#", SK: "ORDER#"}, {PK: "USER#", SK: "FOLLOWS#"}, {PK: "DOC#", SK: "v"}, {PK: "DOC#", SK: ""},
		{PK: "USER#", SK: ""}, {PK: "USER#", SK: "FOLLOWS#1"},
	})
	ranged := rapid.Custom(func(t *rapid.T) wanted {
		n := rapid.IntRange(1, 3).Draw(t, "n")
		of := collections.Draw(t, "of")
		q := request.Query{
			PK: of.PK + keys.PK(strconv.Itoa(n)), Prefix: of.SK,
			Descending: rapid.Bool().Draw(t, "descending"),
			Limit:      rapid.SampledFrom([]int{1, 11, 101}).Draw(t, "limit"),
			Index:      rapid.SampledFrom([]string{"", "", "GSI1"}).Draw(t, "index"),
		}
		r := plan.Read{Kind: plan.Range, Query: q, AtMost: rapid.SampledFrom([]int{0, 10, 96}).Draw(t, "at most")}
		if r.Prefix == "FOLLOWS#1" {
			r.Children = r.Prefix + "#"
			r.From, r.To = r.Prefix, keys.EndOf(r.Children)
		} else if rapid.Bool().Draw(t, "bounded") {
			r.From = r.Prefix + keys.SK(rapid.SampledFrom([]string{"", "1"}).Draw(t, "from"))
			r.To = rapid.SampledFrom([]keys.SK{keys.EndOf(r.Prefix), r.Prefix + "8"}).Draw(t, "to")
		}
		if rapid.Bool().Draw(t, "goes on") {
			r.Start = keys.Position{SK: r.Prefix + "5"}
		}
		return wanted{Read: r}
	})
	rapid.Check(t, func(t *rapid.T) {
		reads := append(rapid.SliceOf(ranged).Draw(t, "ranges"), rapid.SliceOfN(get, 0, 300).Draw(t, "gets")...)
		reads = rapid.Permutation(reads).Draw(t, "order")
		r := registered(reads)
		requests, later := requestsOf(design, r.pending, r.deferred)
		served := map[plan.Read]int{}
		for _, req := range requests {
			for _, g := range req.gets {
				served[readOf(g)]++
			}
			if req.ranged != nil {
				served[readOf(req.ranged)]++
				checkQuery(t, req)
			}
		}
		checkBatches(t, requests, later)
		for _, g := range later {
			served[readOf(g)]++
		}
		expected := map[plan.Read]bool{}
		for _, r := range reads {
			expected[r.Read] = true
			if served[r.Read] != 1 {
				t.Fatalf("%d requests serve %+v", served[r.Read], r)
			}
		}
		if len(served) > len(expected) {
			t.Fatalf("there are requests for other Reads: %v", served)
		}
		again := registered(reads)
		text := writeRequests(requestsOf(design, again.pending, again.deferred))
		if text != writeRequests(requests, later) {
			t.Fatalf("the same Reads have other requests: %s", text)
		}
	})
}

// readOf is the reverse of stateOf.
func readOf(s *state) plan.Read {
	if s.ranged == nil {
		return plan.Read{Kind: plan.Get, Key: s.key}
	}
	return *s.ranged
}

// checkBatches fails if the Gets that no Query serves are in more requests than necessary. Deferred Gets wait only if
// there is no such request, and a deferred Get that another field needs now does not wait.
func checkBatches(t *rapid.T, requests []plannedRequest, later []*state) {
	sent, small := 0, 0
	for _, req := range requests {
		if req.ranged != nil {
			continue
		}
		if len(req.gets) == 0 || len(req.gets) > request.MaxBatchKeys {
			t.Fatalf("a request for %d keys", len(req.gets))
		}
		sent++
		if len(req.gets) < request.MaxBatchKeys {
			small++
		}
		if slices.ContainsFunc(req.gets, func(s *state) bool { return s.deferred }) {
			t.Fatal("a deferred Get is sent")
		}
	}
	if small > 1 {
		t.Fatalf("%d batches that are not full", small)
	}
	if sent > 0 && len(later) > 0 {
		t.Fatalf("%d Gets wait although there are %d requests for Gets", len(later), sent)
	}
	if slices.ContainsFunc(later, func(s *state) bool { return !s.deferred }) {
		t.Fatal("a Get waits without being deferred")
	}
}

func typeAt(name, pk, sk string) *design.Type {
	return &design.Type{Name: name, Item: keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}}
}

// checkQuery fails unless a Query reads the items of its Range and of the Get that joined it, and no others.
func checkQuery(t *rapid.T, req plannedRequest) {
	r, q := *req.ranged.ranged, *req.query
	if q.PK != r.PK || q.Index != r.Index || q.Descending != r.Descending ||
		q.Prefix != r.Prefix || q.Start != r.Start {
		t.Fatalf("the Query for %+v is %+v", r, q)
	}
	if req.inside {
		from, to := r.Bounds()
		sk := req.gets[0].key.SK
		if len(req.gets) != 1 || q != r.Query || req.gets[0].key.PK != r.PK || q.Index != "" ||
			from != "" && (sk < from || sk > to) || !r.Start.IsZero() && (sk < r.Start.SK) != r.Descending {
			t.Fatalf("%+v inside of %+v makes %+v", req.gets[0].key, r, q)
		}
		return
	}
	if q.Limit != r.Limit+len(req.gets) || len(req.gets) > 1 {
		t.Fatalf("%d items and %d of Gets in a Query of %d", r.Limit, len(req.gets), q.Limit)
	}
	if len(req.gets) == 0 {
		if q.From != r.From || q.To != r.To {
			t.Fatalf("the Query for %+v is %+v", r, q)
		}
		return
	}
	g := req.gets[0]
	from, to := cmp.Or(r.From, r.Prefix), cmp.Or(r.To, keys.EndOf(r.Prefix))
	if g.key.SK > to {
		to = g.key.SK
	} else {
		from = g.key.SK
	}
	if g.key.PK != r.PK || q.Index != "" || q.From != from || q.To != to {
		t.Fatalf("%+v and %+v make %+v", g.key, r, q)
	}
}

// BenchmarkRequestsOf plans the wave of a page of 100 nodes that each have a Range.
func BenchmarkRequestsOf(b *testing.B) {
	design := design.MustDesign(nil, nil, nil)
	var reads []*state
	for i := range 100 {
		pk := keys.PK("T#" + string(rune('a'+i%26)) + string(rune('a'+i/26)))
		reads = append(reads, get(pk, keys.SK(pk)),
			stateOf(plan.Read{Kind: plan.Range, Query: request.Query{PK: pk, Prefix: "R#", Limit: 11}}))
	}
	b.ReportAllocs()
	for b.Loop() {
		requestsOf(design, reads, nil)
	}
}
