package examples

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// moves are those from one status to the next.
var moves = map[string][]string{"OPEN": {"DOING", "DROPPED"}, "DOING": {"OPEN", "DONE", "DROPPED"}, "DONE": {"OPEN"}}

// team is the crowd of the example tracker: all report issues of one project, and move their own.
type team struct{ reporters []*reporter }

func newTeam() crowd { return &team{} }

// reporter reports and moves. The ledger is what it has been told.
type reporter struct {
	*caller
	issues []*issue
}

type issue struct {
	id, number, assignee string
	// status has more than one value if there is doubt.
	status []string
}

func (tm *team) enter(c *caller) (open, step func(context.Context) error) {
	r := &reporter{caller: c}
	tm.reporters = append(tm.reporters, r)
	return r.open, r.step
}

// rocket is the project.
var rocket = keys.NewID("Project", "p1").Encode()

func (r *reporter) open(ctx context.Context) error {
	o, err := r.do(ctx, "reportIssue",
		input{"projectId": rocket, "title": "x", "priority": "LOW", "idempotencyKey": "before"}, "")
	if err := orError(err, o, "NOT_MEMBER"); err != nil {
		return err
	}
	o, err = r.as(ctx, viewer.Viewer{ID: "ada"}, "addMember", input{"projectId": rocket, "userId": r.Name}, "")
	if err == nil && o.doubt && o.code() == "ALREADY" {
		return nil
	}
	return orError(err, o, "")
}

func (r *reporter) step(ctx context.Context) error {
	if len(r.issues) == 0 || r.Random.IntN(12) == 0 {
		return r.report(ctx)
	}
	if r.Random.IntN(8) == 0 {
		return r.together(ctx)
	}
	i, _ := one(r.caller, r.issues)
	if r.Random.IntN(5) == 0 {
		return r.assign(ctx, i)
	}
	return r.move(ctx, i)
}

func (r *reporter) report(ctx context.Context) error {
	key := r.Next("issue")
	in := input{"projectId": rocket, "title": key, "priority": "LOW", "idempotencyKey": key}
	o, err := r.do(ctx, "reportIssue", in, "issue { id number }")
	if err != nil || !o.done() {
		return orError(err, o, "CONFLICT")
	}
	r.issues = append(r.issues, &issue{
		id: o.field("issue", "id"), number: o.field("issue", "number"), status: []string{"OPEN"},
	})
	return nil
}

// assign gives an issue to its reporter, and to nobody who is no member.
func (r *reporter) assign(ctx context.Context, i *issue) error {
	o, err := r.do(ctx, "assignIssue", input{"issueId": i.id, "userId": "eve"}, "")
	if err := orError(err, o, "NO_ASSIGNEE", "CONFLICT"); err != nil {
		return err
	}
	o, err = r.do(ctx, "assignIssue", input{"issueId": i.id, "userId": r.Name}, "")
	if err != nil || !o.done() {
		return orError(err, o, "CONFLICT")
	}
	i.assignee = r.Name
	return nil
}

// shared are the issues of data.jsonl, which all change together.
var shared = []string{
	keys.NewID("Issue", "i1").Encode(), keys.NewID("Issue", "i2").Encode(), keys.NewID("Issue", "i3").Encode(),
}

// together gives the shared issues the same title, which is that of no other change.
func (r *reporter) together(ctx context.Context) error {
	title := r.Next("title")
	var changes []any
	for _, at := range r.Random.Perm(len(shared)) {
		changes = append(changes, map[string]any{"id": shared[at], "title": title})
	}
	o, err := r.do(ctx, "updateIssues", input{"projectId": rocket, "issues": changes}, "")
	return orError(err, o, "", "CONFLICT")
}

// move moves an issue to any status.
func (r *reporter) move(ctx context.Context, i *issue) error {
	to, _ := one(r.caller, []string{"OPEN", "DOING", "DOING", "DONE", "DONE", "DROPPED"})
	o, err := r.do(ctx, "moveIssue", input{"issueId": i.id, "status": to}, "issue { status }")
	if err != nil {
		return err
	}
	can := slices.ContainsFunc(i.status, func(from string) bool { return slices.Contains(moves[from], to) })
	switch {
	case o.done() && !can:
		return fmt.Errorf("%s goes from %v to %s", i.id, i.status, to)
	case o.done():
		i.status = []string{to}
		return nil
	case o.doubt && can:
		i.status = append(i.status, to)
		return nil
	case len(i.status) > 1:
		return o.want("INVALID", "ILLEGAL_TRANSITION", "CONFLICT")
	case can && to == "DOING":
		return o.want("INVALID", "CONFLICT") // There may be no place.
	case can:
		return o.want("CONFLICT")
	}
	return o.want("ILLEGAL_TRANSITION", "CONFLICT")
}

// check: the numbers have no gap and none is given twice, no more issues are in work than the limit allows, and those
// that change together are the same.
func (tm *team) check(t *testing.T, all objects) {
	t.Helper()
	issues := all["Issue"]
	maps.DeleteFunc(issues, func(_ string, it item.Item) bool { return it.Text("projectId") != "p1" })
	numbers, doing := map[string]bool{}, 0
	for _, it := range issues {
		numbers[it.Text("number")] = true
		if it.Text("status") == "DOING" {
			doing++
		}
	}
	project := all["Project"][rocket]
	for n := range len(issues) {
		if !numbers[strconv.Itoa(n+1)] {
			t.Errorf("no issue has the number %d", n+1)
		}
	}
	if project.Text("lastNumber") != strconv.Itoa(len(issues)) || project.Text("doingCount") != strconv.Itoa(doing) ||
		doing > 2 {
		t.Errorf("%d issues, of which %d are in work: %v", len(issues), doing, project)
	}
	for _, id := range shared {
		if title := issues[id].Text("title"); title != issues[shared[0]].Text("title") || !strings.Contains(title, "-title") {
			t.Errorf("%s has the title %q: %v", id, title, issues[shared[0]])
		}
	}
	known := len(shared)
	for _, r := range tm.reporters {
		for _, i := range r.issues {
			known++
			it := issues[i.id]
			if it.Text("number") != i.number || !slices.Contains(i.status, it.Text("status")) ||
				it.Text("reporterId") != r.Name || it.Text("assigneeId") != i.assignee {
				t.Errorf("%+v of %s is %v", i, r.Name, it)
			}
		}
	}
	if known != len(issues) {
		t.Errorf("%d issues instead of %d", len(issues), known)
	}
}
