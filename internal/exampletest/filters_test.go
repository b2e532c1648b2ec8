package exampletest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/viewer"
)

// filteredPage is a page of issues with what leads to the next one.
type filteredPage struct {
	TotalCount int
	PageInfo   struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       string
	}
	Nodes []struct{ N int }
}

// TestFilteredPages walks through a filtered collection, in both directions, with pages of each size: of a partition,
// and of shards from the end. Meanwhile the object of a cursor loses the value that the filter asks for.
func TestFilteredPages(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "testdata/filters").Serve(t)
	send := func(operation string) (answer struct {
		Data struct {
			Project struct{ Issues filteredPage }
			Recent  filteredPage
		}
	}) {
		body := s.SendAs(t, viewer.Viewer{}, operation)
		if err := json.Unmarshal([]byte(body), &answer); err != nil || strings.Contains(body, "errors") {
			t.Fatal(body, err)
		}
		return answer
	}
	const selected = `{ pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { n } }`
	inProject := func(arguments string) filteredPage {
		const query = `{ project(id: "Project:p") { issues(status: OPEN, `
		return send(query + arguments + `) ` + selected + ` } }`).Data.Project.Issues
	}
	recent := func(arguments string) filteredPage {
		return send(`{ recent(status: OPEN, ` + arguments + `) ` + selected + ` }`).Data.Recent
	}
	walk := func(what string, page func(string) filteredPage, size int, isBackward bool) (all []int) {
		arguments := fmt.Sprintf("first: %d", size)
		if isBackward {
			arguments = fmt.Sprintf("last: %d", size)
		}
		for next := arguments; next != ""; {
			p := page(next)
			var numbers []int
			for _, n := range p.Nodes {
				numbers = append(numbers, n.N)
			}
			isFirst := next == arguments
			if next = ""; isBackward {
				if all = append(numbers, all...); p.PageInfo.HasPreviousPage {
					next = fmt.Sprintf("%s, before: %q", arguments, p.PageInfo.StartCursor)
				}
			} else if all = append(all, numbers...); p.PageInfo.HasNextPage {
				next = fmt.Sprintf("%s, after: %q", arguments, p.PageInfo.EndCursor)
			}
			if isBehind := p.PageInfo.HasPreviousPage; !isBackward && isBehind == isFirst {
				t.Errorf("%s: hasPreviousPage is %t on page %v", what, isBehind, numbers)
			}
		}
		return all
	}
	for size := 1; size <= 4; size++ {
		for _, isBackward := range []bool{false, true} {
			if got := walk("project", inProject, size, isBackward); !slices.Equal(got, []int{1, 3, 5}) {
				t.Errorf("pages of %d, backward %t: %v", size, isBackward, got)
			}
			if got := walk("recent", recent, size, isBackward); !slices.Equal(got, []int{5, 3, 1}) {
				t.Errorf("pages of %d of shards, backward %t: %v", size, isBackward, got)
			}
		}
	}
	ofProject, ofRecent := inProject("first: 2").PageInfo.EndCursor, recent("first: 2").PageInfo.EndCursor
	send(`mutation { updateIssue(input: { id: "Issue:p:3", status: DONE }) { userErrors { code } } }`)
	if got := inProject(fmt.Sprintf("first: 2, after: %q", ofProject)); len(got.Nodes) != 1 || got.Nodes[0].N != 5 {
		t.Errorf("after an object that is filtered out: %+v", got)
	}
	if got := recent(fmt.Sprintf("first: 2, after: %q", ofRecent)); len(got.Nodes) != 1 || got.Nodes[0].N != 1 {
		t.Errorf("after an object of shards that is filtered out: %+v", got)
	}
	s.Check(t)
}

// TestFilteredTooMany: a collection with more items than its atMost is an error, as that of a list: what is left
// out may be what the filter asks for.
func TestFilteredTooMany(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "testdata/filters").Serve(t)
	for n := 7; n <= 9; n++ {
		s.Engine.Load(t, item.Item{
			{Name: "PK", Value: item.StringValue("PROJECT#p")},
			{Name: "SK", Value: item.StringValue(fmt.Sprintf("ISSUE#%04d", n))},
			{Name: "entityType", Value: item.StringValue("Issue")},
			{Name: "projectId", Value: item.StringValue("p")},
			{Name: "n", Value: item.NumberValue(n)},
			{Name: "status", Value: item.StringValue("DONE")},
		})
	}
	body := s.SendAs(t, viewer.Viewer{}, `{ project(id: "Project:p") { issues(first: 2, status: OPEN) { nodes { n } } } }`)
	if !strings.Contains(body, `"issues":null`) || !strings.Contains(body, "INTERNAL") {
		t.Error(body)
	}
}
