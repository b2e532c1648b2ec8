package examples

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/viewer"
)

// TestTrackerCrowd lets many members report issues and begin them at the same time, while the table throttles and loses
// answers. The numbers have no gap and none is given twice, and no more issues are in work than the limit allows.
func TestTrackerCrowd(t *testing.T) {
	t.Parallel()
	s := exampletest.Open(t, "tracker").Serve(t)
	users := make([]string, 16)
	for i := range users {
		users[i] = fmt.Sprintf("user%d", i)
	}
	each(users, func(_ int, user string) {
		s.SendAs(t, viewer.Viewer{ID: "ada"}, fmt.Sprintf(
			`mutation { addMember(input: { projectId: "Project:p1", userId: %q }) { userErrors { code } } }`, user))
	})
	s.Engine.Proxy.Inject(tabletest.Faults{Throttled: 0.03, Conflict: 0.03, Lost: 0.02})
	each(users, func(i int, user string) {
		send := func(format string, values ...any) string {
			return s.SendAs(t, viewer.Viewer{ID: user}, "mutation { "+fmt.Sprintf(format, values...)+" }")
		}
		for n := range 2 {
			body := send(`reportIssue(input: { projectId: "Project:p1", title: "x", priority: LOW, idempotencyKey: "%d" }) {
				issue { id } }`, n)
			_, id, _ := strings.Cut(body, `"id":"`)
			id, _, _ = strings.Cut(id, `"`)
			send(`moveIssue(input: { issueId: %q, status: DOING }) { userErrors { code } }`, id)
			if i%3 == 0 {
				send(`moveIssue(input: { issueId: %q, status: DONE }) { userErrors { code } }`, id)
			}
		}
	})
	s.Engine.Proxy.Inject(tabletest.Faults{})
	var answer struct {
		Data struct {
			Project struct {
				LastNumber, Limit int
				Issues            struct {
					Nodes []struct {
						Number int
						Status string
					}
				}
			}
		}
	}
	body := s.SendAs(t, viewer.Viewer{ID: "ada"},
		`{ project(id: "Project:p1") { lastNumber limit issues(first: 100) { nodes { number status } } } }`)
	if err := json.Unmarshal([]byte(body), &answer); err != nil || strings.Contains(body, "errors") {
		t.Fatal(body, err)
	}
	project, doing := answer.Data.Project, 0
	for i, issue := range project.Issues.Nodes { // the last one first
		if issue.Number != project.LastNumber-i {
			t.Errorf("issue %d has number %d", project.LastNumber-i, issue.Number)
		}
		if issue.Status == "DOING" {
			doing++
		}
	}
	if n := len(project.Issues.Nodes); n != project.LastNumber || n < 10 || doing > project.Limit {
		t.Errorf("%d issues, of which %d are in work: %s", n, doing, body)
	}
	s.Check(t)
}
