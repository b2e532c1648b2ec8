package loaders

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders/request"
)

// TestPlan compares the requests of waves. A design is a list of the stored items of each type, the first of
// which is the base item:
//
//	TYPE PK SK
//
// A wave is a list of Reads, where - is an empty prefix and {1..3} repeats the line:
//
//	Get PK SK
//	Range PK PREFIX [index NAME,] [descending,] [from SK,] [to SK,] [after SK,] [skip SK,] [at most N,] limit N
func TestPlan(t *testing.T) {
	var design *keys.Design
	datadriven.RunTest(t, "testdata/plan", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "design":
			design = readDesign(t, d)
			return ""
		case "plan":
			return writePlan(Plan(design, readReads(t, d)))
		}
		d.Fatalf(t, "no command %s", d.Cmd)
		return ""
	})
}

func readDesign(t *testing.T, d *datadriven.TestData) *keys.Design {
	byName := map[string]*keys.Type{}
	var types []*keys.Type
	for line := range strings.Lines(d.Input) {
		words := strings.Fields(line)
		shape := keys.Shape{PK: keys.MustTemplate(words[1]), SK: keys.MustTemplate(words[2])}
		if typ := byName[words[0]]; typ != nil {
			typ.Copies = append(typ.Copies, shape)
			continue
		}
		byName[words[0]] = &keys.Type{Name: words[0], Item: shape}
		types = append(types, byName[words[0]])
	}
	design, err := keys.NewDesign(types, nil)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return design
}

var repeat = regexp.MustCompile(`\{(\d+)\.\.(\d+)\}`)

func readReads(t *testing.T, d *datadriven.TestData) []Read {
	var reads []Read
	for line := range strings.Lines(d.Input) {
		line = strings.TrimSpace(line)
		bounds := repeat.FindStringSubmatch(line)
		if bounds == nil {
			reads = append(reads, readRead(t, d, line))
			continue
		}
		first, _ := strconv.Atoi(bounds[1])
		last, _ := strconv.Atoi(bounds[2])
		for i := first; i <= last; i++ {
			reads = append(reads, readRead(t, d, repeat.ReplaceAllString(line, strconv.Itoa(i))))
		}
	}
	return reads
}

func readRead(t *testing.T, d *datadriven.TestData, line string) Read {
	kind, rest, _ := strings.Cut(line, " ")
	pk, rest, _ := strings.Cut(rest, " ")
	sk, rest, _ := strings.Cut(rest, " ")
	if kind == "Get" {
		return Read{Kind: Get, Key: keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}}
	}
	r := Read{Kind: Range, Query: request.Query{PK: keys.PK(pk), Prefix: keys.SK(strings.TrimPrefix(sk, "-"))}}
	for option := range strings.SplitSeq(rest, ", ") {
		i := strings.LastIndex(option, " ")
		value := option[i+1:]
		n, _ := strconv.Atoi(value)
		switch option[:max(i, 0)] {
		case "":
			r.Descending = value == "descending"
		case "index":
			r.Index = value
		case "from":
			r.From = keys.SK(value)
		case "to":
			r.To = keys.SK(value)
		case "after":
			r.Start = keys.Position{SK: keys.SK(value)}
		case "skip":
			r.Skip = keys.SK(value)
		case "at most":
			r.AtMost = n
		case "limit":
			r.Limit = n
		default:
			d.Fatalf(t, "no option %q", option)
		}
	}
	return r
}

func writePlan(plan []Request) string {
	var b strings.Builder
	for _, req := range plan {
		if req.Range != nil {
			writeQuery(&b, req.Query)
			continue
		}
		first, last := req.Gets[0].Key, req.Gets[len(req.Gets)-1].Key
		switch len(req.Gets) {
		case 1:
			fmt.Fprintf(&b, "GetItem %s %s\n", first.PK, first.SK)
		case 2:
			fmt.Fprintf(&b, "BatchGetItem %s %s and %s %s\n", first.PK, first.SK, last.PK, last.SK)
		default:
			fmt.Fprintf(&b, "BatchGetItem of %d, %s %s to %s %s\n", len(req.Gets), first.PK, first.SK, last.PK, last.SK)
		}
	}
	return b.String()
}

func writeQuery(b *strings.Builder, q request.Query) {
	b.WriteString("Query ")
	if q.Index != "" {
		fmt.Fprintf(b, "%s: ", q.Index)
	}
	fmt.Fprintf(b, "PK = %s", q.PK)
	switch {
	case q.From != "":
		fmt.Fprintf(b, ", SK BETWEEN %s AND %s", q.From, q.To)
	case q.Prefix != "":
		fmt.Fprintf(b, ", SK begins with %s", q.Prefix)
	}
	if !q.Start.IsZero() {
		fmt.Fprintf(b, ", after %s", q.Start.SK)
	}
	if q.Descending {
		b.WriteString(", descending")
	}
	fmt.Fprintf(b, ", limit %d\n", q.Limit)
}

// TestPlanServesEachReadOnce draws random waves.
func TestPlanServesEachReadOnce(t *testing.T) {
	design := keys.MustDesign([]*keys.Type{
		stored("User", "USER#{id}", "USER#{id}"),
		stored("Order", "USER#{userId}", "ORDER#{at}#{id}"),
		stored("Follow", "USER#{id}", "FOLLOWS#{other}"),
		stored("Version", "DOC#{doc}", "v{n:03}"),
		stored("Latest", "DOC#{doc}", "LATEST"),
	}, nil)
	gets := rapid.SampledFrom([]keys.Key{
		{PK: "USER#%d", SK: "USER#%d"}, {PK: "DOC#%d", SK: "LATEST"}, {PK: "USER#%d", SK: "FOLLOWS#1"},
	})
	get := rapid.Custom(func(t *rapid.T) Read {
		n := strconv.Itoa(rapid.IntRange(1, 120).Draw(t, "n"))
		key := gets.Draw(t, "key")
		pk, sk := strings.ReplaceAll(string(key.PK), "%d", n), strings.ReplaceAll(string(key.SK), "%d", n)
		return Read{Kind: Get, Key: keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}}
	})
	collections := rapid.SampledFrom([]keys.Key{
		{PK: "USER#", SK: "ORDER#"}, {PK: "USER#", SK: "FOLLOWS#"}, {PK: "DOC#", SK: "v"}, {PK: "DOC#", SK: ""},
	})
	ranged := rapid.Custom(func(t *rapid.T) Read {
		n := rapid.IntRange(1, 3).Draw(t, "n")
		of := collections.Draw(t, "of")
		q := request.Query{
			PK: of.PK + keys.PK(strconv.Itoa(n)), Prefix: of.SK,
			Descending: rapid.Bool().Draw(t, "descending"),
			Limit:      rapid.SampledFrom([]int{1, 11, 101}).Draw(t, "limit"),
			Index:      rapid.SampledFrom([]string{"", "", "GSI1"}).Draw(t, "index"),
		}
		r := Read{Kind: Range, Query: q, AtMost: rapid.SampledFrom([]int{0, 10, 96}).Draw(t, "at most")}
		if rapid.Bool().Draw(t, "bounded") {
			r.From = r.Prefix + keys.SK(rapid.SampledFrom([]string{"", "1"}).Draw(t, "from"))
			r.To = rapid.SampledFrom([]keys.SK{keys.EndOf(r.Prefix), r.Prefix + "8"}).Draw(t, "to")
		}
		if rapid.Bool().Draw(t, "goes on") {
			r.Start = keys.Position{SK: r.Prefix + "5"}
		}
		return r
	})
	rapid.Check(t, func(t *rapid.T) {
		reads := append(rapid.SliceOf(ranged).Draw(t, "ranges"), rapid.SliceOfN(get, 0, 300).Draw(t, "gets")...)
		reads = rapid.Permutation(reads).Draw(t, "order")
		served := map[Read]int{}
		plan := Plan(design, reads)
		small := 0
		for _, req := range plan {
			for _, g := range req.Gets {
				served[g]++
			}
			switch {
			case req.Range == nil:
				if len(req.Gets) == 0 || len(req.Gets) > request.MaxBatchKeys {
					t.Fatalf("a request for %d keys", len(req.Gets))
				}
				if len(req.Gets) < request.MaxBatchKeys {
					small++
				}
			default:
				served[*req.Range]++
				checkQuery(t, req)
			}
		}
		if small > 1 {
			t.Fatalf("%d batches that are not full", small)
		}
		expected := map[Read]bool{}
		for _, r := range reads {
			expected[r] = true
			if served[r] != 1 {
				t.Fatalf("%d requests serve %+v", served[r], r)
			}
		}
		if len(served) > len(expected) {
			t.Fatalf("there are requests for other Reads: %v", served)
		}
		if again := Plan(design, reads); writePlan(again) != writePlan(plan) {
			t.Fatalf("the same Reads make another plan: %s", writePlan(again))
		}
	})
}

func stored(name, pk, sk string) *keys.Type {
	return &keys.Type{Name: name, Item: keys.Shape{PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk)}}
}

// checkQuery fails unless a Query reads the items of its Range and of the Get that joined it, and no others.
func checkQuery(t *rapid.T, req Request) {
	r, q := *req.Range, req.Query
	if q.PK != r.PK || q.Index != r.Index || q.Descending != r.Descending ||
		q.Prefix != r.Prefix || q.Start != r.Start {
		t.Fatalf("the Query for %+v is %+v", r, q)
	}
	if q.Limit != r.Limit+len(req.Gets) || len(req.Gets) > 1 {
		t.Fatalf("%d items and %d of Gets in a Query of %d", r.Limit, len(req.Gets), q.Limit)
	}
	if len(req.Gets) == 0 {
		if q.From != r.From || q.To != r.To {
			t.Fatalf("the Query for %+v is %+v", r, q)
		}
		return
	}
	g := req.Gets[0]
	from, to := cmp.Or(r.From, r.Prefix), cmp.Or(r.To, keys.EndOf(r.Prefix))
	if g.Key.SK > to {
		to = g.Key.SK
	} else {
		from = g.Key.SK
	}
	if g.Key.PK != r.PK || q.Index != "" || q.From != from || q.To != to {
		t.Fatalf("%+v and %+v make %+v", g, r, q)
	}
}
