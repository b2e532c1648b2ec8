package loaders

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
)

// TestRequestsOf compares the requests of waves. A design is a list of the stored items of each type, the first of
// which is the base item:
//
//	TYPE PK SK
//
// A wave is a list of Reads, where Later is a deferred Get, - is an empty prefix and {1..3} repeats the line:
//
//	Get PK SK
//	Later PK SK
//	Range PK PREFIX [index NAME,] [descending,] [from SK,] [to SK,] [after SK,] [skip SK,] [at most N,] limit N
func TestRequestsOf(t *testing.T) {
	var design *design.Design
	datadriven.RunTest(t, "testdata/plan", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "design":
			design = readDesign(t, d)
			return ""
		case "plan":
			r := registered(readReads(t, d))
			return writeRequests(requestsOf(design, r.pending, r.deferred))
		}
		d.Fatalf(t, "no command %s", d.Cmd)
		return ""
	})
}

// TestLargeBatches: a BatchGetItem requests no more than DynamoDB returns at once, 16 MB, if its items may be so large.
func TestLargeBatches(t *testing.T) {
	sized := func(name string, bytes int) *design.Type {
		of := typeAt(name, name+"#{id}", name+"#{id}")
		of.MaxBytes = bytes
		return of
	}
	small, large := sized("Small", 100_000), sized("Large", 400<<10)
	gets := func(name string, n int) []*state {
		all := make([]*state, n)
		for i := range all {
			key := fmt.Sprintf("%s#%d", name, i)
			all[i] = get(keys.PK(key), keys.SK(key))
		}
		return all
	}
	for name, c := range map[string]struct {
		types []*design.Type
		reads []*state
		want  []int
	}{
		"small":              {[]*design.Type{small}, gets("Small", 101), []int{100, 1}},
		"large":              {[]*design.Type{small, large}, gets("Large", 100), []int{39, 39, 22}},
		"small beside large": {[]*design.Type{small, large}, gets("Small", 101), []int{100, 1}},
		"large after small": { // 8 MB, and 19 of 400 KB
			[]*design.Type{small, large}, slices.Concat(gets("Small", 80), gets("Large", 30)), []int{99, 11},
		},
		"of no type": {[]*design.Type{small, large}, gets("Other", 40), []int{39, 1}},
	} {
		var got []int
		for _, r := range wave(design.MustDesign(nil, c.types, nil), c.reads) {
			got = append(got, len(r.gets))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v keys, want %v", name, got, c.want)
		}
	}
}

// wanted is a Read of a wave; later is set if it is a Get that may wait.
type wanted struct {
	plan.Read
	later bool
}

// stateOf returns the state of a Read.
func stateOf(r plan.Read) *state {
	if r.Kind == plan.Get {
		return &state{key: r.Key}
	}
	return &state{ranged: &r}
}

// registered returns a run with the Reads.
func registered(reads []wanted) *run {
	r := &run{op: &Operation{engine: &Engine{options: Options{MaxReads: math.MaxInt}}}}
	for _, w := range reads {
		if w.Kind == plan.Get {
			r.get(w.Key, w.later, false)
		} else {
			r.readRange(w.Read)
		}
	}
	return r
}

func readDesign(t *testing.T, d *datadriven.TestData) *design.Design {
	byName := map[string]*design.Type{}
	var types []*design.Type
	for line := range strings.Lines(d.Input) {
		words := strings.Fields(line)
		shape := keys.Shape{PK: keys.MustTemplate(words[1]), SK: keys.MustTemplate(words[2])}
		if typ := byName[words[0]]; typ != nil {
			typ.Copies = append(typ.Copies, design.Copy{Shape: shape})
			continue
		}
		byName[words[0]] = &design.Type{Name: words[0], Item: shape}
		types = append(types, byName[words[0]])
	}
	design, err := design.NewDesign(nil, types, nil)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return design
}

var repeat = regexp.MustCompile(`\{(\d+)\.\.(\d+)\}`)

func readReads(t *testing.T, d *datadriven.TestData) []wanted {
	var reads []wanted
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

func readRead(t *testing.T, d *datadriven.TestData, line string) wanted {
	kind, rest, _ := strings.Cut(line, " ")
	pk, rest, _ := strings.Cut(rest, " ")
	sk, rest, _ := strings.Cut(rest, " ")
	if kind == "Get" || kind == "Later" {
		key := keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}
		return wanted{plan.Read{Kind: plan.Get, Key: key}, kind == "Later"}
	}
	r := wanted{}
	r.Kind = plan.Range
	r.Query = request.Query{PK: keys.PK(pk), Prefix: keys.SK(strings.TrimPrefix(sk, "-"))}
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

func writeRequests(requests []plannedRequest, later []*state) string {
	var b strings.Builder
	for _, req := range requests {
		if req.ranged != nil {
			writeQuery(&b, *req.query)
			continue
		}
		first, last := req.gets[0].key, req.gets[len(req.gets)-1].key
		switch len(req.gets) {
		case 1:
			fmt.Fprintf(&b, "GetItem %s %s\n", first.PK, first.SK)
		case 2:
			fmt.Fprintf(&b, "BatchGetItem %s %s and %s %s\n", first.PK, first.SK, last.PK, last.SK)
		default:
			fmt.Fprintf(&b, "BatchGetItem of %d, %s %s to %s %s\n", len(req.gets), first.PK, first.SK, last.PK, last.SK)
		}
	}
	for _, get := range later {
		fmt.Fprintf(&b, "later: %s %s\n", get.key.PK, get.key.SK)
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
