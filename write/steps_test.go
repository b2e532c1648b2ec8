package write_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// commit returns the outcome of steps, and its user errors as text.
func (m *members) commit(t *testing.T, s *write.Steps) (write.Outcome, string) {
	t.Helper()
	out, err := s.Commit(m.operation(t))
	if err != nil {
		t.Fatal(err)
	}
	return out, userErrors(out)
}

// open returns steps that create a member with a post.
func open(name, email string) *write.Steps {
	s := write.NewSteps(club, "open", "someone")
	s.Create("member", "Member", given("name", name, "email", email).Set)
	s.Create("post", "Post", given("text", "hello").Set).Assign("memberId", "{member.id}").At("posts.0")
	return s
}

// TestSteps: what Go composes has versions, times, claims, counters, copies and index entries without naming them,
// in one transaction.
func TestSteps(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	out, errs := m.commit(t, open("Ada", "ada@example.org"))
	if got := m.sent(); errs != "" || strings.Count(got, "Put ") != 4 || strings.Contains(got, "\n") {
		t.Fatalf("%s: sent %s", errs, got)
	}
	ada := out.Steps[0].ID
	got := describe(m.stored(t, "MEMBER#"+ada.Value(), "MEMBER#"+ada.Value()))
	if got != createdAt+" email=ada@example.org followers=0 following=0 name=Ada postCount=1 revision=1" {
		t.Errorf("stored %s", got)
	}
	const taken = "email: TAKEN another Member has this email already"
	if _, errs := m.commit(t, open("Eve", "ADA@example.org")); errs != taken {
		t.Errorf("a second one: %s", errs)
	}
	long := open("Bob", "bob@example.org")
	long.Create("more", "Post", given("text", strings.Repeat("x", 2048)).Set).
		Assign("memberId", "{member.id}").At("posts.1")
	if _, errs := m.commit(t, long); !strings.HasPrefix(errs, "-: INVALID this Post takes") {
		t.Errorf("a post that is too long: %s", errs)
	}
	stray := write.NewSteps(club, "post", "")
	stray.Create("post", "Post", given("memberId", keys.NewID("Tag", "x")).Set).At("posts.7")
	if _, errs := m.commit(t, stray); !strings.HasPrefix(errs, "posts.7.memberId: INVALID posts.7.memberId must be") {
		t.Errorf("a stray id: %s", errs)
	}

	change := write.NewSteps(club, "change", "")
	change.Update("member", ada, given("email", "a@example.org").Set).
		Require("revision = {given}", write.CodeConflict, "look at it again").Give("given", item.NumberValue(1))
	out, errs = m.commit(t, change)
	got = describe(out.Steps[0].Object)
	if errs != "" || got != createdAt+" email=a@example.org followers=0 following=0 name=Ada postCount=1 revision=2" {
		t.Errorf("%s: changed to %v", errs, got)
	}
	out, errs = m.commit(t, change)
	if errs != "given: CONFLICT "+outdated || out.Steps[0].Object.Text("email") != "a@example.org" {
		t.Errorf("changed again: %s, %v", errs, out.Steps)
	}
	gone := write.NewSteps(club, "leave", "")
	gone.Delete("member", ada)
	if _, errs := m.commit(t, gone); errs != "id: INVALID this Member has 1 posts; delete them first" {
		t.Errorf("a member with posts is deleted: %q", errs)
	}
}

// TestStepsOnce: the same steps with an idempotency key happen once, and add to a number once for each of many
// callers.
func TestStepsOnce(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	steps := func(key string) *write.Steps {
		s := open("Ada", "ada@example.org")
		s.Once(key)
		return s
	}
	first, _ := m.commit(t, steps("k"))
	again, errs := m.commit(t, steps("k"))
	if errs != "" || first.Steps[1].ID == "" || first.Steps[1].ID != again.Steps[1].ID {
		t.Errorf("%s: %v, then %v", errs, first, again)
	}
	var posts atomic.Int32
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			s := write.NewSteps(club, "post", "someone")
			s.Create("post", "Post", given("memberId", first.Steps[0].ID, "text", fmt.Sprint(i)).Set)
			if _, errs := m.commit(t, s); errs == "" {
				posts.Add(1)
			}
		})
	}
	group.Wait()
	if posts.Load() != 1 { // beside the first one, as a member has two at most
		t.Errorf("%d posts were added", posts.Load())
	}
}

// TestStepsMistakes: a mistake in the code is an error, and nothing is sent.
func TestStepsMistakes(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	id := keys.NewID("Member", "x")
	for want, compose := range map[string]func(*write.Steps){
		`step "a" of type "None"`:   func(s *write.Steps) { s.Create("a", "None", nil) },
		`step "a" of type "Member"`: func(s *write.Steps) { s.Check("a", id); s.Check("a", id) },
		`there is no step "b" before it`: func(s *write.Steps) {
			s.Create("a", "Post", nil).Assign("memberId", "{b.id}")
		},
		`the condition of step "a"`:           func(s *write.Steps) { s.Check("a", id).Require("name ==", "NO", "no") },
		`step "a" sets name to "{now+later}"`: func(s *write.Steps) { s.Update("a", id, nil).Assign("name", "{now+later}") },
	} {
		s := write.NewSteps(club, "wrong", "")
		compose(s)
		if _, err := s.Commit(m.operation(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v instead of %s", err, want)
		}
	}
	if got := m.sent(); got != "" {
		t.Errorf("sent %s", got)
	}
}
