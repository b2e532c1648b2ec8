package browse_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/table/check"
)

// TestQuestionsWithoutAnswer: what the page does not send is an error with a text for people.
func TestQuestionsWithoutAnswer(t *testing.T) {
	_, b := billing(t)
	for _, test := range []struct{ name, question, want string }{
		{"items", `{"index": "GSI9", "pk": "x"}`, "The schema has no index of this name"},
		{"partitions", `{"index": "gsi1"}`, "The schema has no index of this name"},
		{"items", `{"pk": "x", "filter": "y"}`, "is not the JSON object"},
		{"items", `{"pk": "x"} {"pk": "y"}`, "more than one JSON object"},
		{"items", `{"pk": ""}`, "a partition key has"},
		{"items", `{"pk": "` + strings.Repeat("x", keys.MaxPKBytes+1) + `"}`, "a partition key has"},
		{"items", `{"pk": "x", "from": "` + strings.Repeat("x", keys.MaxSKBytes+1) + `"}`, "sort key"},
		{"find", `{"text": "` + strings.Repeat("x", keys.MaxPKBytes+1) + `"}`, "A partition key has"},
		{"find", `{"text": " "}`, "Enter a partition key"},
		{"drop", `{}`, browse.ErrUnknown.Error()},
	} {
		answer, read, err := b.Answer(t.Context(), test.name, []byte(test.question))
		if err == nil || !strings.Contains(err.Error(), test.want) || answer != nil || read.ReadUnits > 0 {
			t.Errorf("%s %.60s: got %.80s, %v, %v, want the error %q", test.name, test.question, answer, read, err, test.want)
		}
	}
}

// TestLargeValues: a value is cut after 16 KiB, between two characters, and a page ends after 1 MB of them.
func TestLargeValues(t *testing.T) {
	const limit = 16 << 10
	s, b := billing(t)
	long := strings.Repeat("äöü", limit)
	for sk := range 20 {
		var it item.Item
		it = append(it, item.Attribute{Name: "PK", Value: item.StringValue("LARGE")})
		it = append(it, item.Attribute{Name: "SK", Value: item.StringValue(string(rune('a' + sk)))})
		it = append(it, item.Attribute{Name: "text", Value: item.StringValue("x" + long)})
		it = append(it, item.Attribute{Name: "binary", Value: item.Value{Kind: item.Binary, Text: long}})
		s.Engine.Load(t, it)
	}
	first := ask[page](t, b, "items", question{"pk": "LARGE"})
	for _, a := range first.Items[0].Attributes {
		value := a.Value
		if a.Type == "B" {
			decoded, err := base64.StdEncoding.DecodeString(value)
			fatal.If(t, err)
			value = string(decoded)
		}
		isValid := a.Type != "S" || utf8.ValidString(value)
		if a.Cut != !a.Key || len(value) > limit || a.Cut && len(value) < limit-1 || !isValid {
			t.Errorf("%s has %d bytes, cut: %v", a.Name, len(value), a.Cut)
		}
	}
	if n := len(collection(t, b, "", "LARGE", "")); n != 20 || first.Next == "" || len(first.Items) == 20 {
		t.Errorf("%d of %d items are on the first page", len(first.Items), n)
	}
}

// TestEntriesWithoutAllAttributes: what an index does not have is no damage.
func TestEntriesWithoutAllAttributes(t *testing.T) {
	seen := 0
	for _, name := range []string{"billing", "catalogue", "organisation", "shops"} {
		s := exampletest.Open(t, "../../gen/testdata/foreign/"+name).Serve(t)
		b := browser(s)
		for _, index := range s.Schema.Design.IndexNames() {
			for pk := range partitions(t.Context(), t, b, index) {
				for _, it := range collection(t, b, index, pk, "") {
					if it.Partial {
						seen++
					}
					if len(it.Problems) > 0 {
						t.Errorf("%s, %s: %s %s has %v", name, index, it.AtPK, it.AtSK, it.Problems)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no entry lacks attributes")
	}
}

// scanned is a table that records the limit of a Scan.
type scanned struct {
	admin.Scanner
	limit *int
}

func (s scanned) ScanKeys(ctx context.Context, scan admin.KeyScan) (admin.KeyPage, error) {
	*s.limit = scan.Limit
	return s.Scanner.ScanKeys(ctx, scan)
}

// TestScanIsLimited: a list of partitions reads as many items as the page says.
func TestScanIsLimited(t *testing.T) {
	s, _ := billing(t)
	limit := 0
	b := browse.New(scanned{admin.Scanner{Table: s.Engine.Table}, &limit}, check.Options{Design: s.Schema.Design}, nil)
	ask[list](t, b, "partitions", question{})
	if limit != 1000 {
		t.Errorf("a list of partitions reads %d items", limit)
	}
}
