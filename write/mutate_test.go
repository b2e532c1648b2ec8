package write_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

const outdated = "this was changed meanwhile: version 1 was given, 2 is stored now; look at it and try again"

const createdAt = "createdAt=1970-01-12T13:46:40.000Z"

func TestMutateCreate(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada := m.must(t, "createMember", given("name", "Ada", "email", "ada@example.org"))
	if got := describe(ada.Object); got !=
		createdAt+" email=ada@example.org followers=0 following=0 name=Ada postCount=0 revision=1" {
		t.Errorf("created %s", got)
	}
	key, err := write.ObjectKey(club.Type("Member"), ada.ID)
	if err != nil || m.stored(t, string(key.PK), string(key.SK)).Text("GSI1PK") != "EMAIL#ada@example.org" {
		t.Errorf("it is not stored as %v: %v", key, err)
	}
	for name, tt := range map[string]struct {
		mutation string
		in       write.Input
		want     string
	}{
		"a value that another one has": {
			"createMember", given("name", "Eve", "email", "ADA@Example.org"),
			"email: TAKEN another Member has this email already",
		},
		"a missing attribute": {"createMember", given("email", "b@example.org"), "name: INVALID name must be given"},
		"a delimiter in a key": {"createMember", given("name", "B", "email", "a#b"),
			"email: INVALID email must not contain '#' or a control character"},
		"too many bytes": {"createMember", given("name", strings.Repeat("x", 1024)), "-: INVALID this Member takes "},
		"an id of another type": {"createPost", given("memberId", keys.NewID("Tag", "x")),
			"memberId: INVALID memberId must be the id of a Member"},
		"a missing parent": {"createPost", given("memberId", keys.NewID("Member", "x")),
			"memberId: NOT_FOUND there is no Member with this id"},
		"both ends missing": {
			"follow", given("from", keys.NewID("Member", "x"), "to", keys.NewID("Member", "y")),
			"-: NOT_FOUND there is no Member with the id that you are signed in with; " +
				"to: NOT_FOUND there is no Member with this id",
		},
		"both ends of no edge missing": {
			"unfollow", given("from", keys.NewID("Member", "x"), "to", keys.NewID("Member", "y")),
			"-: NOT_FOUND there is no Member with the id that you are signed in with; " +
				"to: NOT_FOUND there is no Member with this id",
		},
		"a viewer whose id is no part of keys": {
			"follow", given("from", keys.NewID("Member", "x#"), "to", ada.ID),
			"-: NOT_FOUND there is no Member with the id that you are signed in with",
		},
	} {
		out, got := m.try(t, tt.mutation, tt.in)
		if !strings.HasPrefix(got, tt.want) || out.Object != nil || out.ID != "" {
			t.Errorf("%s: %s, %v", name, got, out.Object)
		}
	}
}

// TestCreateOnce: an object with a natural key, such as an edge, exists at most once.
func TestMutateCreateOnce(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada := m.must(t, "createMember", given("name", "Ada")).ID
	bob := m.must(t, "createMember", given("name", "Bob")).ID
	edge := given("from", ada, "to", bob)
	m.sent()
	first := m.must(t, "follow", edge)
	if got := m.sent(); strings.Count(got, "\n") > 0 || !strings.HasPrefix(got, "TransactWriteItems ") {
		t.Errorf("sent %s", got)
	}
	again, errs := m.try(t, "follow", edge)
	if errs != "to: ALREADY this Follow exists already" || again.ID != first.ID || again.Object.Text("since") == "" {
		t.Errorf("again: %s, %v", errs, again)
	}
	tag := m.must(t, "createTag", given("name", "go"))
	if _, errs := m.try(t, "createTag", given("name", "go")); errs != "name: ALREADY this Tag exists already" {
		t.Errorf("a second tag: %s", errs)
	}
	if tag.ID != keys.NewID("Tag", "go") {
		t.Errorf("the id is %s", tag.ID)
	}
	// It counts twice on one item.
	m.must(t, "follow", given("from", ada, "to", ada))
	if gone := m.must(t, "unfollow", edge); gone.ID != first.ID || gone.Object.Text("to") != bob.Value() {
		t.Errorf("unfollowed %v", gone)
	}
	got := describe(m.stored(t, "MEMBER#"+ada.Value(), "MEMBER#"+ada.Value()))
	if !strings.Contains(got, "followers=1 following=1") {
		t.Errorf("stored %s", got)
	}
	if _, errs := m.try(t, "unfollow", edge); errs != "to: NOT_FOUND there is no such Follow" {
		t.Errorf("unfollow again: %s", errs)
	}
	m.must(t, "unfollow", given("from", ada, "to", ada))
}

func TestMutateIdempotencyKey(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	in := given("name", "Ada", "email", "ada@example.org")
	in.IdempotencyKey, in.Caller = "k#\n", "someone"
	first := m.must(t, "createMember", in)
	if got := m.sent(); strings.Count(got, "\n") != 0 {
		t.Errorf("sent %s", got)
	}
	if again := m.must(t, "createMember", in); again.ID != first.ID || describe(again.Object) != describe(first.Object) {
		t.Errorf("again: %v", again)
	}
	if got := m.sent(); strings.Count(got, "GetItem") != 2 || strings.Count(got, "\n") != 2 {
		t.Errorf("sent %s", got) // The token of the transaction is that of another one.
	}
	other := given("name", "Eve")
	other.IdempotencyKey, other.Caller = in.IdempotencyKey, in.Caller
	if _, errs := m.try(t, "createMember", other); errs !=
		"idempotencyKey: KEY_REUSED idempotencyKey was used for another Member; make a new key for each Member" {
		t.Errorf("another input: %s", errs)
	}
	other.Caller = "somebody else"
	if eve := m.must(t, "createMember", other); eve.ID == first.ID {
		t.Error("the key of another caller is known")
	}
	m.must(t, "deleteMember", of(first.ID, 1, write.Input{}))
	if _, errs := m.try(t, "createMember", in); errs !=
		"idempotencyKey: NOT_FOUND the Member that was created with this idempotencyKey has been deleted" {
		t.Errorf("after the deletion: %s", errs)
	}
}

func TestMutateUpdate(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada := m.must(t, "createMember", given("name", "Ada", "email", "ada@example.org")).ID
	m.must(t, "createMember", given("name", "Bob", "email", "bob@example.org"))
	key := "MEMBER#" + ada.Value()
	m.sent()
	const rest = createdAt + " "
	for _, tt := range []struct {
		name     string
		in       write.Input
		errs     string
		want     string
		requests string
	}{
		{
			"one item", of(ada, 1, given("name", "Ada L.")), "",
			rest + "email=ada@example.org followers=0 following=0 name=Ada L. postCount=0 revision=2",
			"UpdateItem " + key + " " + key,
		},
		{
			"the same again", of(ada, 1, given("name", "Ada L.")),
			"revision: CONFLICT " + outdated,
			rest + "email=ada@example.org followers=0 following=0 name=Ada L. postCount=0 revision=2", "",
		},
		{
			"nothing", of(ada, 2, write.Input{}), "",
			rest + "email=ada@example.org followers=0 following=0 name=Ada L. postCount=0 revision=2", "",
		},
		{
			"another case", of(ada, 2, given("email", "ADA@example.org")), "",
			rest + "email=ADA@example.org followers=0 following=0 name=Ada L. postCount=0 revision=3",
			"UpdateItem " + key + " " + key,
		},
		{
			"another value", of(ada, 3, given("email", "al@example.org")), "",
			rest + "email=al@example.org followers=0 following=0 name=Ada L. postCount=0 revision=4",
			"TransactWriteItems Update " + key + " " + key + ", Put EMAIL#al@example.org EMAIL#al@example.org, " +
				"Delete EMAIL#ada@example.org EMAIL#ada@example.org",
		},
		{
			"a taken value", of(ada, 4, given("email", "Bob@example.org")),
			"email: TAKEN another Member has this email already",
			rest + "email=al@example.org followers=0 following=0 name=Ada L. postCount=0 revision=4",
			"TransactWriteItems Update " + key + " " + key + ", Put EMAIL#bob@example.org EMAIL#bob@example.org, " +
				"Delete EMAIL#al@example.org EMAIL#al@example.org",
		},
		{
			"no value any more", of(ada, 4, given("email", nil)), "",
			rest + "followers=0 following=0 name=Ada L. postCount=0 revision=5",
			"TransactWriteItems Update " + key + " " + key + ", Delete EMAIL#al@example.org EMAIL#al@example.org",
		},
		{
			"no name", of(ada, 5, given("name", nil)), "name: INVALID name must not be null; leave it out to keep its value",
			"", "",
		},
		{
			"of nobody", of(keys.NewID("Member", "x"), 1, given("name", "X")),
			"id: NOT_FOUND there is no Member with this id", "", "",
		},
		{
			"of another type", of(keys.NewID("Tag", "x"), 1, given("name", "X")),
			"id: INVALID id must be an id of type Member, exactly as a response gave it", "", "",
		},
	} {
		out, errs := m.try(t, "updateMember", tt.in)
		if errs != tt.errs || describe(out.Object) != tt.want {
			t.Errorf("%s: %s\n%s", tt.name, errs, describe(out.Object))
		}
		got := m.sent()
		if _, writes, _ := strings.Cut(got, ", consistent"); strings.TrimSpace(writes) != tt.requests {
			t.Errorf("%s: sent %s", tt.name, got)
		}
	}
}

// TestMove: an object that belongs to another one afterwards is counted there, and its copy has another key.
func TestMutateMove(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada := m.must(t, "createMember", given("name", "Ada")).ID
	bob := m.must(t, "createMember", given("name", "Bob")).ID
	count := func(of keys.ID) string {
		return m.stored(t, "MEMBER#"+of.Value(), "MEMBER#"+of.Value()).Text("postCount")
	}
	post := m.must(t, "createPost", given("memberId", ada, "state", "OPEN", "rank", 1, "text", "x")).ID
	m.must(t, "createPost", given("memberId", ada))
	if _, errs := m.try(t, "createPost", given("memberId", ada)); errs !=
		"memberId: INVALID this Member has 2 posts; more are not possible" {
		t.Errorf("a third post: %s", errs)
	}
	out := m.must(t, "updatePost", of(post, 0, given("memberId", bob, "rank", 2, "text", nil)))
	if got := describe(out.Object); got != "at=1970-01-12T13:46:40.000Z memberId="+bob.Value()+" rank=2 state=OPEN" {
		t.Errorf("moved: %s", got)
	}
	if count(ada) != "1" || count(bob) != "1" {
		t.Errorf("%s and %s are counted", count(ada), count(bob))
	}
	m.must(t, "updatePost", of(post, 0, given("rank", nil))) // no longer in the index
	m.check(t)
	if _, errs := m.try(t, "deleteMember", of(bob, 1, write.Input{})); errs !=
		"id: INVALID this Member has 1 posts; delete them first" {
		t.Errorf("bob has a post: %s", errs)
	}
	m.must(t, "deletePost", of(post, 0, write.Input{}))
	if _, errs := m.try(t, "deleteMember", of(bob, 2, write.Input{})); !strings.HasPrefix(errs, "revision: CONFLICT ") {
		t.Errorf("another version: %s", errs)
	}
	m.must(t, "deleteMember", of(bob, 1, write.Input{}))
}

// TestSingleWrites: a mutation of one item is a single write, and reads only what it needs.
func TestMutateSingleWrites(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	ada, eve := keys.NewID("Member", "ada"), keys.NewID("Member", "eve")
	tag := m.must(t, "createTag", given("name", "go", "ownerId", ada)).ID
	for _, tt := range []struct {
		mutation, errs string
		in             write.Input
	}{
		{"updateTag", "id: NOT_FOUND there is no Tag with this id", ownedBy(eve, of(tag, 1, given("text", "x")))},
		{"updateTag", "ownerId: INVALID ownerId must be your own id", ownedBy(ada, of(tag, 1, given("ownerId", eve)))},
		{"updateTag", "", ownedBy(ada, of(tag, 1, given("text", "x")))},
		{"deleteTag", "id: NOT_FOUND there is no Tag with this id", ownedBy(eve, of(tag, 2, write.Input{}))},
		{"deleteTag", "version: CONFLICT " + outdated, ownedBy(ada, of(tag, 1, write.Input{}))},
		{"deleteTag", "", ownedBy(ada, of(tag, 2, write.Input{}))},
		{"deleteTag", "id: NOT_FOUND there is no Tag with this id", ownedBy(ada, of(tag, 2, write.Input{}))},
	} {
		if _, errs := m.try(t, tt.mutation, tt.in); errs != tt.errs {
			t.Errorf("%s: %s, want %s", tt.mutation, errs, tt.errs)
		}
	}
	const want = `PutItem TAG#go TAG#go
GetItem TAG#go TAG#go, consistent
GetItem TAG#go TAG#go, consistent
GetItem TAG#go TAG#go, consistent
UpdateItem TAG#go TAG#go
DeleteItem TAG#go TAG#go
DeleteItem TAG#go TAG#go
DeleteItem TAG#go TAG#go
DeleteItem TAG#go TAG#go`
	if units := m.Proxy.Counts().WriteUnits; units != 3 {
		t.Errorf("%v write units", units)
	}
	if got := m.sent(); got != want {
		t.Errorf("sent %s", got)
	}
}

func TestWorkload(t *testing.T) {
	t.Parallel()
	id := keys.NewID("Member", "x")
	keyed := given("name", "x")
	keyed.IdempotencyKey = "k"
	for name, tt := range map[string]struct {
		mutation string
		in       *write.Input
		want     string
	}{
		"a member with any input": {
			"createMember", nil,
			"1 reads of 2; OncePart IdempotencyClaim 2, ObjectPart Member 3, ClaimPart EmailClaim 6 = 11",
		},
		"a member without an address": {"createMember", ptr(given("name", "x")), "0 reads of 0; ObjectPart Member 2 = 2"},
		"a member with a key": {
			"createMember", &keyed, "1 reads of 2; OncePart IdempotencyClaim 2, ObjectPart Member 3 = 5",
		},
		"a long address": {
			"createMember", ptr(given("name", "x", "email", strings.Repeat("x", 1000))),
			"0 reads of 0; ObjectPart Member 3, ClaimPart EmailClaim 6 = 9",
		},
		"a name": {"updateMember", ptr(of(id, 1, given("name", "x"))), "1 reads of 1; ObjectPart Member 2 = 2"},
		"an address": {
			"updateMember", ptr(of(id, 1, given("email", "x"))),
			"1 reads of 1; ObjectPart Member 4, ClaimPart EmailClaim 2, ClaimPart EmailClaim 6 = 12",
		},
		"no address": {
			"updateMember", ptr(of(id, 1, given("email", nil))),
			"1 reads of 1; ObjectPart Member 4, ClaimPart EmailClaim 6 = 10",
		},
		"nothing": {"updateMember", ptr(of(id, 1, write.Input{})), "1 reads of 1;  = 0"},
		"an edge": {
			"follow", ptr(given("from", id, "to", id)),
			"0 reads of 0; ObjectPart Follow 2, CopyPart Follow 2, CounterPart Member 3, CounterPart Member 3 = 10",
		},
		"no edge": {
			"unfollow", nil,
			"0 reads of 0; ObjectPart Follow 2, CopyPart Follow 2, CounterPart Member 3, CounterPart Member 3 = 10",
		},
		"a post's text": {
			"updatePost", ptr(of(id, 0, given("text", "x"))), "1 reads of 1; ObjectPart Post 6, CopyPart Post 4 = 10",
		},
		"a post": {
			"updatePost", nil,
			"1 reads of 1; ObjectPart Post 8, CopyPart Post 4, CopyPart Post 4, CounterPart Member 3, CounterPart Member 3 = 22",
		},
		"a tag":  {"createTag", nil, "0 reads of 0; ObjectPart Tag 1 = 1"},
		"no tag": {"deleteTag", nil, "0 reads of 0; ObjectPart Tag 1 = 1"},
	} {
		w := write.WorkloadOf(club, club.Mutation(tt.mutation), tt.in)
		var writes []string
		for _, one := range w.Writes {
			writes = append(writes, fmt.Sprintf("%s %s %d", parts[one.Part], one.Type, one.Units))
		}
		got := fmt.Sprintf("%d reads of %v; %s = %d", w.Reads, w.ReadUnits, strings.Join(writes, ", "), w.Units())
		if got != tt.want {
			t.Errorf("%s: %s\nwant %s", name, got, tt.want)
		}
	}
}

var parts = map[write.ItemPart]string{
	write.ObjectPart: "ObjectPart", write.CopyPart: "CopyPart", write.ClaimPart: "ClaimPart",
	write.CounterPart: "CounterPart", write.OncePart: "OncePart",
}

func ptr[T any](v T) *T { return &v }

// TestMutateHighestVersion: the version after it is no Int, so that the object could not be read any more.
func TestMutateHighestVersion(t *testing.T) {
	t.Parallel()
	m := startClub(t)
	tag, err := write.Items(club.Type("Tag"), item.Item{
		{Name: "name", Value: item.StringValue("old")}, {Name: "version", Value: item.NumberValue(math.MaxInt32)},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.Load(t, tag...)
	id := keys.NewID("Tag", "old")
	const want = "version: INVALID this Tag has the highest version there is: it cannot be changed"
	if _, errs := m.try(t, "updateTag", of(id, math.MaxInt32, given("text", "x"))); errs != want {
		t.Errorf("got %s, want %s", errs, want)
	}
	m.must(t, "deleteTag", of(id, math.MaxInt32, write.Input{}))
}
