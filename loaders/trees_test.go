package loaders

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// organisation returns a design in which the sort key of a department begins those of its people.
func organisation(delimiter string) *design.Design {
	template := func(text string) keys.Template {
		return keys.MustDelimited(delimiter, strings.ReplaceAll(text, "#", delimiter))
	}
	read := func(name, sk string, descending bool) *design.Field {
		return &design.Field{
			Parent: "Query", Name: name, Kind: design.Query, Result: design.Connection,
			PK: template("ORG"), SK: template(sk), Descending: descending,
			Arguments: []keys.Argument{{Name: "d", Kind: keys.IDKind}},
		}
	}
	return design.MustDesign(nil, []*design.Type{
		{Name: "Department", Item: keys.Shape{PK: template("ORG"), SK: template("DEPT#{d}")}},
		{Name: "User", Item: keys.Shape{PK: template("ORG"), SK: template("DEPT#{d}#USER#{u}")}},
	}, []*design.Field{
		read("everybody", "DEPT#{d}", false), read("everybodyDown", "DEPT#{d}", true),
		read("users", "DEPT#{d}#", false), read("usersDown", "DEPT#{d}#", true),
	})
}

// departments are codes that sort before, between and behind the items of the first one.
var departments = []string{"1", "1 ", "1 A", "1!", `1"x`, "1$", "1-2", "10", "1A", "1}", "1\u00e9", "11", "2", "0"}

// TestTreesAreWhole pages with each size from 1 to 7 through a department with its people, and through the people
// alone. No page has an item of another department, whatever delimiter the table has. If there are others in between,
// the page before them and the one behind them send one request more at most.
func TestTreesAreWhole(t *testing.T) {
	skipped := false
	for _, delimiter := range []string{"#", "|", "/", ":", "::"} {
		design := organisation(delimiter)
		for _, f := range design.Fields {
			t.Run(f.Name+delimiter, rapid.MakeCheck(func(t *rapid.T) {
				m := &model{cut: 1000}
				var want []string
				for _, d := range departments {
					for n := range 1 + rapid.IntRange(-1, 4).Draw(t, d) {
						sk := "DEPT" + delimiter + d
						isDepartment := n == 0
						if isDepartment && rapid.Bool().Draw(t, "no department") {
							continue
						}
						if !isDepartment {
							sk += fmt.Sprint(delimiter, "USER", delimiter, n)
						}
						m.items = append(m.items, item.Item{text("PK", "ORG"), text("SK", sk)})
						if d == "1" && !(isDepartment && strings.HasPrefix(f.Name, "users")) {
							want = append(want, sk)
						}
					}
				}
				if slices.Sort(want); f.Descending {
					slices.Reverse(want)
				}
				c, err := f.Bind(func(string) keys.Value { return keys.StringValue("1") }).Condition()
				fatal.If(t, err)
				for size := 1; size <= 7; size++ {
					m.requests = 0
					if got := m.forward(t, &c, size); !slices.Equal(got, want) {
						t.Fatalf("forwards by %d:\n got %q\nwant %q", size, got, want)
					}
					pages := max(1, (len(want)+size-1)/size)
					if m.requests > pages+2 || m.requests > pages && !f.HasGap() {
						t.Fatalf("%d requests for %d pages of %d", m.requests, pages, size)
					}
					skipped = skipped || m.requests > pages
					if got := m.backward(t, &c, size); !slices.Equal(got, want) {
						t.Fatalf("backwards by %d:\n got %q\nwant %q", size, got, want)
					}
				}
			}))
		}
	}
	if !skipped {
		t.Error("no Query has continued behind items of other departments")
	}
}
