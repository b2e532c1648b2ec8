package write_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// TestMutateAfterFaults: an attempt that fails is sent again, and one whose answer was lost is not carried out twice.
// What is not known is an error, and no user error.
func TestMutateAfterFaults(t *testing.T) {
	t.Parallel()
	faults := map[string]tabletest.Faults{
		"throttled": {Throttled: 1}, "failed": {Failed: 1}, "conflict": {Conflict: 1},
		"lost": {Lost: 1}, "lost, and the table forgets it": {Lost: 1, NewTokens: true},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := startClub(t)
			ada := m.must(t, "createMember", given("name", "Ada", "email", "ada@example.org")).ID
			bob := m.must(t, "createMember", given("name", "Bob")).ID
			edge := given("from", ada, "to", bob)
			m.must(t, "createTag", given("name", "old"))
			keyed := given("name", "Eve", "email", "eve@example.org")
			keyed.IdempotencyKey = "k"
			for _, tt := range []struct {
				mutation string
				in       write.Input
				// unknown is set if nothing shows whether a lost attempt was carried out, once its token is forgotten.
				unknown, unknownSingle bool
			}{
				{mutation: "createTag", in: given("name", "new", "text", "x")},
				{mutation: "updateTag", in: of(keys.NewID("Tag", "old"), 1, given("text", "x"))},
				{mutation: "deleteTag", in: of(keys.NewID("Tag", "old"), 2, write.Input{}), unknownSingle: true},
				{mutation: "updateMember", in: of(bob, 1, given("name", "B", "email", "b@example.org")), unknown: true},
				{mutation: "follow", in: edge, unknown: true},
				{mutation: "unfollow", in: edge, unknown: true},
				{mutation: "createMember", in: keyed},
			} {
				attempts := 0
				f := fault
				f.Only = func(r tabletest.Request) bool {
					if !r.IsWrite() {
						return false
					}
					attempts++
					return attempts == 1
				}
				m.Proxy.Inject(f)
				out, err := write.Mutate(m.operation(t), club, club.Mutation(tt.mutation), tt.in)
				isLost := strings.HasPrefix(name, "lost")
				unknown := isLost && tt.unknownSingle || fault.NewTokens && tt.unknown
				if (err != nil) != unknown || userErrors(out) != "" {
					t.Errorf("%s: %v, %s", tt.mutation, err, userErrors(out))
				}
				if failed, is := errors.AsType[*write.ConditionError](err); err != nil && (!is || !failed.InDoubt) {
					t.Errorf("%s: the error is not in doubt: %v", tt.mutation, err)
				}
				m.Proxy.Inject(tabletest.Faults{})
			}
			m.check(t)
		})
	}
}

// TestMutateAtTheSameTime: of several writers one has the value, the edge or the version, and nothing is counted twice.
func TestMutateAtTheSameTime(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	m.Proxy.Inject(tabletest.Faults{Seed: 1, Contended: true, Throttled: 0.1})
	ada := m.must(t, "createMember", given("name", "Ada", "email", "ada@example.org")).ID
	bob := m.must(t, "createMember", given("name", "Bob")).ID
	post := m.must(t, "createPost", given("memberId", bob, "state", "OPEN", "rank", 1)).ID
	for name, tt := range map[string]struct {
		in   func(writer int) write.Input
		want string
	}{
		"createMember": {
			func(int) write.Input { return given("name", "Eve", "email", "eve@example.org") },
			"email: TAKEN another Member has this email already",
		},
		"follow": {
			func(int) write.Input { return given("from", ada, "to", bob) }, "to: ALREADY this Follow exists already",
		},
		"updateMember": {
			func(i int) write.Input { return of(ada, 1, given("name", fmt.Sprint("Ada ", i))) },
			"revision: CONFLICT " + outdated,
		},
		"createPost": {
			func(i int) write.Input { return given("memberId", ada, "rank", i) },
			"memberId: INVALID this Member has 2 posts; more are not possible",
		},
	} {
		wanted := 1
		if name == "createPost" {
			wanted = 2
		}
		if errs := m.all(t, name, 8, tt.in); errs[""] != wanted || errs[tt.want] != 8-wanted {
			t.Errorf("%s: %v", name, errs)
		}
	}
	// Without a version, all changes are made. The entry of the index has the values of all of them.
	errs := m.all(t, "updatePost", 6, func(i int) write.Input {
		return [...]write.Input{
			of(post, 0, given("state", fmt.Sprint("S", i))), of(post, 0, given("rank", 10+i)), of(post, 0, given("text", nil)),
		}[i%3]
	})
	if errs[""] != 6 {
		t.Errorf("updatePost: %v", errs)
	}
	got := m.stored(t, "POST#"+post.Value(), "POST#"+post.Value())
	if got.Text("GSI1PK") != "STATE#"+got.Text("state") || got.Text("state") == "OPEN" || got.Text("rank") == "1" {
		t.Errorf("stored %v", got)
	}
}

// all carries out a mutation by several writers at the same time, and returns how often each outcome occurred.
func (m *members) all(t *testing.T, name string, writers int, in func(int) write.Input) map[string]int {
	t.Helper()
	ctx := m.operation(t)
	outcomes := make([]string, writers)
	var group errgroup.Group
	for i := range writers {
		group.Go(func() error {
			out, err := write.Mutate(ctx, club, club.Mutation(name), in(i))
			outcomes[i] = userErrors(out)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	count := map[string]int{}
	for _, outcome := range outcomes {
		count[outcome]++
	}
	return count
}

// TestHooks: a hook normalizes the input, adds user errors, and changes what is returned.
func TestHooks(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	broken := errors.New("broken")
	hooks := write.Hooks{"createMember": {
		Check: func(_ context.Context, mutation *design.Mutation, in *write.Input, errs *write.UserErrors) error {
			switch name := in.Set.Text("name"); name {
			case "broken":
				return broken
			case "":
				errs.Add(write.CodeInvalid, "name", "%s needs a name", mutation.Name)
			default:
				in.Set = given("name", strings.TrimSpace(name), "createdAt", "2000-01-01T00:00:00.000Z").Set
			}
			return nil
		},
		Done: func(_ context.Context, _ *design.Mutation, in write.Input, out *write.Outcome) error {
			out.Object = append(out.Object, item.Attribute{Name: "seen", Value: item.StringValue(in.Set.Text("name"))})
			return nil
		},
	}}
	ctx := write.WithHooks(m.operation(t), hooks)
	create := club.Mutation("createMember")
	out, err := write.Mutate(ctx, club, create, given("name", " Ada "))
	const want = "createdAt=2000-01-01T00:00:00.000Z followers=0 following=0 name=Ada postCount=0 revision=1 seen=Ada"
	if err != nil || describe(out.Object) != want {
		t.Errorf("got %s, %v", describe(out.Object), err)
	}
	m.sent()
	out, err = write.Mutate(ctx, club, create, write.Input{})
	if err != nil || userErrors(out) != "name: INVALID createMember needs a name" || m.sent() != "" {
		t.Errorf("got %s, %v", userErrors(out), err)
	}
	if _, err := write.Mutate(ctx, club, create, given("name", "broken")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
