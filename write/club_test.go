package write_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// club is a design with mutations: members with a unique address, who follow each other, posts of members, of which
// each has at most two, and tags, which are single items.
var club = design.MustDesign(nil,
	[]*design.Type{
		{
			Name: "Member", Identity: []string{"id"}, MaxBytes: 1024, Item: shape("MEMBER#{id}", "MEMBER#{id}"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.IDKind, Ref: "Member", NonNull: true},
				{Name: "name", Kind: keys.String, NonNull: true}, {Name: "email", Kind: keys.String},
				{Name: "createdAt", Kind: keys.Time, NonNull: true}, {Name: "revision", Kind: keys.Int, NonNull: true},
				{Name: "following", Kind: keys.Int, NonNull: true}, {Name: "followers", Kind: keys.Int, NonNull: true},
				{Name: "postCount", Kind: keys.Int, NonNull: true},
			},
			Version: "revision", Created: []string{"createdAt"},
			Uniques: []design.Unique{{
				Attribute: "email", Key: keys.MustTemplate("EMAIL#{email}"), IgnoreCase: true, Claim: "EmailClaim",
				Holder: "memberId",
			}},
			Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("EMAIL#{email}", "MEMBER#{id}")}},
		},
		{
			Name: "Follow", Identity: []string{"from", "to"}, MaxBytes: 512, Item: shape("MEMBER#{from}", "FOLLOWS#{to}"),
			Attributes: []design.Attribute{
				{Name: "from", Kind: keys.IDKind, Ref: "Member", NonNull: true},
				{Name: "to", Kind: keys.IDKind, Ref: "Member", NonNull: true},
				{Name: "since", Kind: keys.Time, NonNull: true},
			},
			Created: []string{"since"},
			Copies:  []design.Copy{{Shape: shape("MEMBER#{to}", "FOLLOWED_BY#{from}")}},
		},
		{
			Name: "Post", Identity: []string{"id"}, MaxBytes: 2048, Item: shape("POST#{id}", "POST#{id}"),
			Attributes: []design.Attribute{
				{Name: "id", Kind: keys.IDKind, Ref: "Post", NonNull: true},
				{Name: "memberId", Kind: keys.IDKind, Ref: "Member"},
				{Name: "state", Kind: keys.String}, {Name: "rank", Kind: keys.Int}, {Name: "text", Kind: keys.String},
				{Name: "at", Kind: keys.Time, NonNull: true},
			},
			Created: []string{"at"},
			Copies:  []design.Copy{{Shape: shape("MEMBER#{memberId}", "POST#{at}#{id}")}},
			Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("STATE#{state}", "{rank:04}#{id}")}},
		},
		{
			Name: "Tag", Identity: []string{"name"}, MaxBytes: 1024, Item: shape("TAG#{name}", "TAG#{name}"),
			Attributes: []design.Attribute{
				{Name: "name", Kind: keys.String, NonNull: true, Check: &design.ValueCheck{MinLength: 2, Pattern: "^[a-z]+$"}},
				{Name: "text", Kind: keys.String, Check: &design.ValueCheck{MaxLength: 1000, Message: "must be short"}},
				{Name: "ownerId", Kind: keys.IDKind, Ref: "Member"}, {Name: "version", Kind: keys.Int, NonNull: true},
				{Name: "day", Kind: keys.Date},
			},
			Version: "version",
		},
	},
	[]*design.Field{
		counts("following", "MEMBER#{id}", "FOLLOWS#", "following", "Follow"),
		counts("followers", "MEMBER#{id}", "FOLLOWED_BY#", "followers", "Follow"),
		counts("posts", "MEMBER#{id}", "POST#", "postCount", "Post"),
	},
).WithMutations(
	[]*design.Mutation{
		{
			Name: "createMember", Type: "Member", Object: "member", Inputs: []string{"name", "email"},
			Now: []string{"createdAt"}, HasIdempotencyKey: true,
		},
		{Name: "updateMember", Kind: design.UpdateMutation, Type: "Member", Inputs: []string{"name", "email"}, HasID: true},
		{Name: "deleteMember", Kind: design.DeleteMutation, Type: "Member", HasID: true},
		{Name: "follow", Type: "Follow", Inputs: []string{"to"}, Viewer: "from", Now: []string{"since"}},
		{Name: "unfollow", Kind: design.DeleteMutation, Type: "Follow", Keys: []string{"to"}, Viewer: "from"},
		{
			Name: "createPost", Type: "Post", Inputs: []string{"memberId", "state", "rank", "text"}, Now: []string{"at"},
			HasIdempotencyKey: true,
		},
		{
			Name: "updatePost", Kind: design.UpdateMutation, Type: "Post",
			Inputs: []string{"memberId", "state", "rank", "text"}, HasID: true,
		},
		{Name: "deletePost", Kind: design.DeleteMutation, Type: "Post", Owner: "memberId", HasID: true},
		{Name: "createTag", Type: "Tag", Inputs: []string{"name", "text", "ownerId"}, Now: []string{"day"}},
		{
			Name: "updateTag", Kind: design.UpdateMutation, Type: "Tag", Owner: "ownerId",
			Inputs: []string{"text", "ownerId"}, HasID: true,
		},
		{Name: "deleteTag", Kind: design.DeleteMutation, Type: "Tag", Owner: "ownerId", HasID: true},
	},
	[]*design.Counter{
		{Parent: "Member", Attribute: "following", Field: "following", Type: "Follow", Identity: []string{"from"}},
		{Parent: "Member", Attribute: "followers", Field: "followers", Type: "Follow", Identity: []string{"to"}},
		{Parent: "Member", Attribute: "postCount", Field: "posts", Type: "Post", Identity: []string{"memberId"}, AtMost: 2},
	},
)

func counts(name, pk, sk, counter, of string) *design.Field {
	return &design.Field{
		Parent: "Member", Name: name, Kind: design.Query, Result: design.Connection,
		PK: keys.MustTemplate(pk), SK: keys.MustTemplate(sk), Count: counter, Types: []string{of},
	}
}

// members is a table with the design club.
type members struct{ *tabletest.Engine }

func startClub(t *testing.T) *members {
	t.Helper()
	e := tabletest.Start(t, table.SchemaOf(club))
	m := &members{e}
	t.Cleanup(func() { m.check(t) })
	return m
}

// operation returns the context of an operation.
func (m *members) operation(t *testing.T) context.Context {
	t.Helper()
	return write.NewContext(t.Context(), store{m.Table})
}

// scanner is a table with the clock of the stores.
type scanner struct{ admin.Scanner }

func (scanner) Now() time.Time { return now }

// check checks the whole table.
func (m *members) check(t *testing.T) {
	t.Helper()
	m.Proxy.Inject(tabletest.Faults{})
	// The context of the test has ended.
	report, err := check.Table(context.WithoutCancel(t.Context()), scanner{admin.Scanner{Table: m.Table}},
		check.Options{Design: club})
	if err != nil || !report.Clean() {
		t.Errorf("the table is not consistent: %v, %+v", err, report.Violations)
	}
}

// given returns an input with attributes from pairs of a name and a value, nil for one to remove.
func given(pairs ...any) write.Input {
	var in write.Input
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		switch value := pairs[i+1].(type) {
		case nil:
			in.Remove = append(in.Remove, name)
		case int:
			in.Set = append(in.Set, item.Attribute{Name: name, Value: item.NumberValue(value)})
		case keys.ID:
			in.Set = append(in.Set, item.Attribute{Name: name, Value: keys.IDAttribute(value)})
		case string:
			in.Set = append(in.Set, item.Attribute{Name: name, Value: item.StringValue(value)})
		}
	}
	return in
}

func of(id keys.ID, version int, in write.Input) write.Input {
	in.ID, in.Version = id, version
	return in
}

// try returns the outcome of a mutation, and its user errors as text.
func (m *members) try(t *testing.T, name string, in write.Input) (write.Outcome, string) {
	t.Helper()
	out, err := write.Mutate(m.operation(t), club, club.Mutation(name), in)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out, userErrors(out)
}

// must returns the outcome of a mutation that has no user errors.
func (m *members) must(t *testing.T, name string, in write.Input) write.Outcome {
	t.Helper()
	out, errs := m.try(t, name, in)
	if errs != "" {
		t.Fatalf("%s: %s", name, errs)
	}
	return out
}

// userErrors returns the user errors as "field: CODE message", joined by "; ".
func userErrors(out write.Outcome) string {
	var all []string
	for _, e := range out.List() {
		field := "-"
		if e.Field != nil {
			field = *e.Field
		}
		all = append(all, fmt.Sprintf("%s: %s %s", field, e.Code, e.Message))
	}
	return strings.Join(all, "; ")
}

// sent returns the requests since the last call.
func (m *members) sent() string {
	log := m.Proxy.Log()
	m.Proxy.Reset()
	return strings.Join(log, "\n")
}

// stored returns the item with a key.
func (m *members) stored(t *testing.T, pk, sk string) item.Item {
	t.Helper()
	it := must(write.ReadItem(m.operation(t), keys.Key{PK: keys.PK(pk), SK: keys.SK(sk)}))
	return it
}

// describe returns the attributes of an item in order, without ids and keys.
func describe(it item.Item) string {
	var all []string
	for _, a := range it {
		if a.Name == "id" || strings.HasSuffix(a.Name, "PK") || strings.HasSuffix(a.Name, "SK") || a.Name == item.EntityType {
			continue
		}
		all = append(all, a.Name+"="+a.Value.Text)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
