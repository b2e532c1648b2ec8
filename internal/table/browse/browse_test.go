package browse_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/table/check"
)

// part, key, link, shown, page and list are what the tests read of answers.
type (
	part struct {
		Text, Field, Value string
		Shard              bool
		Link               *link
	}
	key struct {
		Name, Text string
		Parts      []part
	}
	link struct {
		Kind, Label, Index, PK, SK string
		Exact                      bool
	}
	attribute struct {
		Name, Type, Value, Field, Format, Means string
		Cut, Key                                bool
		Bytes                                   int
		Link                                    *link
	}
	shown struct {
		Type, Role, Label, AtPK, AtSK, ID string
		PK, SK                            key
		Entries                           []struct {
			Index  string
			PK, SK key
		}
		Bytes                     int
		ReadUnits                 float64
		Attributes                []attribute
		Partial, Expired, Deleted bool
		Problems                  []struct {
			Kind    check.Kind
			Problem string
		}
		Links []link
	}
	page struct {
		Parts                      []part
		Items                      []shown
		Next                       string
		Bytes                      int
		ReadUnits, CollectionUnits float64
		Shards                     []string
		Access                     []struct {
			Field, Kind, Condition, SK string
			Types                      []string
		}
	}
	list struct {
		Partitions []struct {
			PK    string
			Parts []part
			Types map[string]int
		}
		Items     int
		ReadUnits float64
		Next      string
		Denied    bool
	}
	question map[string]string
)

// ask returns the answer to a question, which must have one.
func ask[A any](t *testing.T, b *browse.Browser, name string, q question) A {
	t.Helper()
	return askIn[A](t.Context(), t, b, name, q)
}

func askIn[A any](ctx context.Context, t *testing.T, b *browse.Browser, name string, q question) A {
	t.Helper()
	body, err := json.Marshal(q)
	fatal.If(t, err)
	return answerTo[A](ctx, t, b, name, string(body))
}

// askText is ask for a question that is not of texts only.
func askText[A any](t *testing.T, b *browse.Browser, name, body string) A {
	t.Helper()
	return answerTo[A](t.Context(), t, b, name, body)
}

func answerTo[A any](ctx context.Context, t *testing.T, b *browse.Browser, name, body string) (a A) {
	t.Helper()
	text, _, err := b.Answer(ctx, name, []byte(body))
	if err != nil {
		t.Fatalf("%s %s: %v", name, body, err)
	}
	fatal.If(t, json.Unmarshal(text, &a))
	return a
}

// collection returns all items of a collection.
func collection(t *testing.T, b *browse.Browser, index, pk, from string) []shown {
	t.Helper()
	var all []shown
	for after := ""; ; {
		p := ask[page](t, b, "items", question{"index": index, "pk": pk, "from": from, "after": after})
		all = append(all, p.Items...)
		if after = p.Next; after == "" {
			return all
		}
	}
}

// partitions returns the numbers of items of all partitions of an index by type.
func partitions(ctx context.Context, t *testing.T, b *browse.Browser, index string) map[string]map[string]int {
	t.Helper()
	all := map[string]map[string]int{}
	for after := ""; ; {
		l := askIn[list](ctx, t, b, "partitions", question{"index": index, "after": after})
		for _, p := range l.Partitions {
			if joined := textOf(p.Parts); joined != p.PK {
				t.Errorf("the parts of %s are %s", p.PK, joined)
			}
			if all[p.PK] == nil {
				all[p.PK] = map[string]int{}
			}
			for name, n := range p.Types {
				all[p.PK][name] += n
			}
		}
		if after = l.Next; after == "" {
			return all
		}
	}
}

func textOf(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// tables are examples, and tables that other programs have written, with names and formats of their own.
func tables(t *testing.T) []*exampletest.Example {
	t.Helper()
	return append(exampletest.All(t, "../../../examples"), exampletest.All(t, "../../gen/testdata/foreign")...)
}

func browser(s *exampletest.Service) *browse.Browser {
	o := check.Options{Design: s.Schema.Design}
	return browse.New(admin.Scanner{Table: s.Engine.Table}, o, []byte("secret"))
}

// TestTables visits each partition of tables and indexes: all items are there, the parts of their keys are the keys,
// what is wrong with them is what check.Table finds, and links lead to items.
func TestTables(t *testing.T) {
	for _, e := range tables(t) {
		t.Run(filepath.Base(filepath.Dir(e.Dir))+"/"+e.Name, func(t *testing.T) {
			t.Parallel()
			s := e.Serve(t)
			b := browser(s)
			wrong := violations(t, s)
			var found []string
			total := 0
			for _, index := range append([]string{""}, s.Schema.Design.IndexNames()...) {
				for pk, types := range partitions(t.Context(), t, b, index) {
					items := collection(t, b, index, pk, "")
					counts := map[string]int{}
					for _, it := range items {
						counts[it.Type]++
						checkItem(t, b, index, it)
						if index != "" {
							continue
						}
						for _, p := range it.Problems {
							found = append(found, fmt.Sprint(p.Kind, it.PK.Text, it.SK.Text))
						}
					}
					if diff := cmp.Diff(types, counts); diff != "" {
						t.Errorf("%s %s: -partitions +items\n%s", index, pk, diff)
					}
					if index == "" {
						total += len(items)
					}
				}
			}
			if lines := strings.Count(strings.TrimSpace(e.Data(t)), "\n") + 1; total != lines {
				t.Errorf("%d items, want %d", total, lines)
			}
			slices.Sort(found)
			if diff := cmp.Diff(wrong, found); diff != "" {
				t.Errorf("-check +page\n%s", diff)
			}
		})
	}
}

// violations returns what check.Table finds that an item shows by itself.
func violations(t *testing.T, s *exampletest.Service) (found []string) {
	t.Helper()
	report, err := check.Table(t.Context(), admin.Scanner{Table: s.Engine.Table}, check.Options{Design: s.Schema.Design})
	fatal.If(t, err)
	alone := []check.Kind{
		check.ItemUnknown, check.ItemInvalid, check.ItemTooLarge, check.KeyWrong, check.IndexEntryWrong,
	}
	for _, v := range report.Violations {
		if slices.Contains(alone, v.Kind) {
			found = append(found, fmt.Sprint(v.Kind, v.PK, v.SK))
		}
	}
	slices.Sort(found)
	return found
}

// checkItem checks what is shown of an item.
func checkItem(t *testing.T, b *browse.Browser, index string, it shown) {
	t.Helper()
	at := it.PK.Text + " " + it.SK.Text
	for _, k := range append([]key{it.PK, it.SK}, entryKeys(it)...) {
		if joined := textOf(k.Parts); joined != k.Text {
			t.Errorf("%s: the parts of %s are %s", at, k.Text, joined)
		}
		isDecoded := func(p part) bool { return p.Field != "" }
		isObject := it.Problems == nil && (it.Role == "object" || it.Role == "copy")
		if isObject && !slices.ContainsFunc(append(it.PK.Parts, it.SK.Parts...), isDecoded) {
			t.Errorf("%s: no part of the key of a %s is a field", at, it.Label)
		}
	}
	bytes := 0
	for _, a := range it.Attributes {
		bytes += a.Bytes
	}
	if bytes != it.Bytes || it.ReadUnits <= 0 {
		t.Errorf("%s: %d bytes, and %d of its attributes", at, it.Bytes, bytes)
	}
	if it.Problems != nil || it.Deleted || it.Expired || it.Partial {
		return
	}
	for _, l := range it.Links {
		if l.Exact && l.Kind != "field" && !isStored(t, b, l) {
			t.Errorf("%s: nothing is stored at %+v", at, l)
		}
	}
}

func entryKeys(it shown) (all []key) {
	for _, e := range it.Entries {
		all = append(all, e.PK, e.SK)
	}
	return all
}

// isStored reports whether a link with a whole key leads to an item.
func isStored(t *testing.T, b *browse.Browser, l link) bool {
	t.Helper()
	p := ask[page](t, b, "items", question{"index": l.Index, "pk": l.PK, "from": l.SK})
	return len(p.Items) > 0 && p.Items[0].AtSK == l.SK
}
