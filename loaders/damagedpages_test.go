package loaders_test

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

// damages are kinds of damage that an item of any type can have.
var damages = []func(*design.Type, item.Item) item.Item{
	func(_ *design.Type, it item.Item) item.Item {
		return with(it, item.EntityType, item.StringValue("Newer"))
	},
	func(_ *design.Type, it item.Item) item.Item { return with(it, item.EntityType, item.Value{}) },
}

// deviations are kinds in which an item of any type can deviate without being damaged: its identity is that of its key.
var deviations = []func(*design.Type, item.Item) item.Item{
	func(t *design.Type, it item.Item) item.Item {
		return with(it, t.Identity[0], item.StringValue("another"))
	},
	func(t *design.Type, it item.Item) item.Item { return with(it, t.Identity[0], item.Value{}) },
	func(t *design.Type, it item.Item) item.Item {
		for _, a := range t.Attributes {
			it = with(it, a.Name, item.BoolValue(true))
		}
		return it
	},
}

// with returns an item with another value of an attribute.
func with(it item.Item, name string, value item.Value) item.Item {
	it = slices.DeleteFunc(slices.Clone(it), func(a item.Attribute) bool { return a.Name == name })
	return append(it, item.Attribute{Name: name, Value: value})
}

// damageOf returns a Memory's Alter that changes one in some items of the connection, but none above or below it.
func damageOf(
	c connection, one uint32, damages []func(*design.Type, item.Item) item.Item,
) func(item.Item) item.Item {
	roots := []string{"READER#r001", "BOOK#b001", "LOAN#l004", "BRANCH#c1"}
	return func(it item.Item) item.Item {
		key := keys.KeyOf(it)
		isRoot := string(key.PK) == string(key.SK) && slices.Contains(roots, string(key.PK))
		isNode := strings.Contains(c.name, "edges") && (it.Type() == "Book" || it.Type() == "Reader")
		h := fnv.New32a()
		_, _ = h.Write([]byte(key.PK + " " + keys.PK(key.SK)))
		if n := h.Sum32(); !isRoot && !isNode && n%one == 0 {
			return damages[n/one%uint32(len(damages))](testservice.Design().Type(it.Type()), it)
		}
		return it
	}
}

// walk are the pages of a connection.
type walk struct {
	// cursors are those of the edges, ends those after which the next pages begin.
	cursors, ends []string
	omitted       int
}

// walkBoth pages through a connection with both executors, which must agree.
func walkBoth(t *testing.T, both *executors.Comparison, c connection, size int, backward bool) walk {
	t.Helper()
	count, cursor, more, end := "first", "after", "hasNextPage", "endCursor"
	if backward {
		count, cursor, more, end = "last", "before", "hasPreviousPage", "startCursor"
	}
	header := http.Header{}
	gatewaytest.SetViewer(header, testservice.Librarian)
	args := fmt.Sprintf("%s: %d", count, size)
	for w := (walk{}); ; {
		document := testservice.Encoded(fmt.Sprintf(c.query, args))
		r, err := both.Both(header, executors.Operation{Document: document}, nil)
		fatal.If(t, err)
		for _, code := range r.Codes() {
			if code != loaders.CodeDamaged {
				t.Fatalf("%s: %s", document, r.Body)
			}
		}
		page := gatewaytest.At(t, r.Data(), c.path...)
		edges, _ := gatewaytest.At(t, page, "edges").([]any)
		for _, e := range edges {
			w.cursors = append(w.cursors, fmt.Sprint(gatewaytest.At(t, e, "cursor")))
		}
		w.omitted += len(r.Codes())
		if gatewaytest.At(t, page, "pageInfo", more) != true {
			return w
		}
		if len(edges)+len(r.Codes()) != size {
			t.Fatalf("a page has %d items and %d errors, want %d together: %s", len(edges), len(r.Codes()), size, r.Body)
		}
		w.ends = append(w.ends, fmt.Sprint(gatewaytest.At(t, page, "pageInfo", end)))
		args = fmt.Sprintf("%s: %d, %s: %q", count, size, cursor, w.ends[len(w.ends)-1])
	}
}

// TestPagesOmitDamagedItems: whatever is damaged, pages begin and end where they would without damage, and each item
// that is not damaged is on one of them, also if it deviates.
func TestPagesOmitDamagedItems(t *testing.T) {
	t.Parallel()
	both := testservice.Schema().Compare(loaders.Options{})
	for _, c := range connections() {
		for _, backward := range []bool{false, true} {
			both.Memory.Alter = nil
			whole := walkBoth(t, both, c, 1, backward)
			for _, one := range []uint32{1, 2, 5} {
				both.Memory.Alter = damageOf(c, one, deviations)
				if got := walkBoth(t, both, c, 3, backward); got.omitted > 0 || len(got.cursors) != len(whole.cursors) {
					t.Fatalf("%s: with deviations %+v, without %+v", c.name, got, whole)
				}
				both.Memory.Alter = damageOf(c, one, damages)
				single := walkBoth(t, both, c, 1, backward)
				if !slices.Equal(single.ends, whole.ends) || len(single.cursors)+single.omitted != len(whole.cursors) {
					t.Fatalf("%s: with damage %+v, without %+v", c.name, single, whole)
				}
				if one == 1 && c.name != "union" && len(single.cursors) > 0 {
					t.Errorf("%s: %d damaged items are shown", c.name, len(single.cursors))
				}
				for _, size := range []int{2, 3, 7} {
					got := walkBoth(t, both, c, size, backward)
					slices.Sort(got.cursors)
					if want := slices.Sorted(slices.Values(single.cursors)); !slices.Equal(got.cursors, want) ||
						got.omitted != single.omitted {
						t.Fatalf("%s by %d: %+v, want %v", c.name, size, got, want)
					}
					for i, end := range got.ends {
						if want := whole.ends[(i+1)*size-1]; end != want {
							t.Fatalf("%s: page %d by %d ends at %s, want %s", c.name, i, size, end, want)
						}
					}
				}
			}
		}
	}
}
