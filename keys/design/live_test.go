package design_test

import (
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func live(name string, f *design.Field) *design.Field {
	f.LiveAs = name
	return f
}

// forum is a design with live data at the root, and of objects whose id has one value and two.
var forum = design.MustDesign(
	nil,
	[]*design.Type{
		{
			Name: "Topic", Identity: []string{"id"}, Item: shape("TOPIC#{id}", "TOPIC"), Rule: &design.Rule{Owner: "id"},
			Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind, Ref: "Topic"}},
		},
		{
			Name: "Post", Identity: []string{"topicId", "number"}, Item: shape("TOPIC#{topicId}", "POST#{number:03}"),
			Attributes: []design.Attribute{{Name: "topicId", Kind: keys.IDKind, Ref: "Topic"}, {Name: "number", Kind: keys.Int}},
			Indexes:    index("BY#{author}", "{topicId}#{number:03}", 3),
			Rule:       &design.Rule{Owner: "topicId", Roles: []string{"ADMIN"}},
		},
		{
			Name: "Reply", Identity: []string{"topicId", "post", "at"},
			Item: shape("TOPIC#{topicId}#{post:03}", "{at}"),
			Attributes: []design.Attribute{
				{Name: "topicId", Kind: keys.IDKind, Ref: "Topic"}, {Name: "post", Kind: keys.Int}, {Name: "at", Kind: keys.Time},
			},
		},
	},
	[]*design.Field{
		live("topic", field("Query", "topic", design.Get, "TOPIC#{id}", "TOPIC", idOf("id", "Topic"))),
		live("mine", onIndex(field("Query", "myPosts", design.Query, "BY#{viewer}", ""))),
		live("posts", &design.Field{
			Parent: "Topic", Name: "posts", Kind: design.Query, PK: keys.MustTemplate("TOPIC#{id}"),
			SK: keys.MustTemplate("POST#{number:03}"), Descending: true, Result: design.Connection, Edge: "PostEdge",
			Count: "posts", Arguments: []keys.Argument{argument("number", keys.Int)},
		}),
		live("repliesTo", field("Post", "replies", design.Query, "TOPIC#{topicId}#{number:03}", "", rangeOf("at",
			keys.Time))),
		live("topicOfPost", field("Post", "topic", design.Get, "TOPIC#{topicId}", "TOPIC")),
		field("Post", "related", design.Get, "TOPIC#{topicId}", "TOPIC"),
	},
	&design.FieldRule{Parent: "Topic", Name: "posts", Rule: &design.Rule{Owner: "id"}},
	&design.FieldRule{Parent: "Post", Name: "replies", Rule: &design.Rule{Owner: "topicId", Roles: []string{"ADMIN"}}},
)

// TestLiveFields compares the fields of Subscription: templates, the first argument, and the owners of rules.
func TestLiveFields(t *testing.T) {
	if len(forum.Live) != 5 || len(forum.Fields) != 6 || forum.Field("Post", "related").LiveAs != "" {
		t.Fatalf("there are %d fields and %d of Subscription", len(forum.Fields), len(forum.Live))
	}
	for _, want := range []struct{ name, of, pk, sk, argument, owner, parentOwner string }{
		{"topic", "Query.topic", "TOPIC#{id}", "TOPIC", "id", "", ""},
		{"mine", "Query.myPosts", "BY#{viewer}", "", "", "", ""},
		{"posts", "Topic.posts", "TOPIC#{topicId}", "POST#{number:03}", "topicId", "topicId", "topicId"},
		{
			"repliesTo", "Post.replies", "TOPIC#{postId.topicId}#{postId.number:03}", "", "postId",
			"postId.topicId", "postId.topicId",
		},
		{"topicOfPost", "Post.topic", "TOPIC#{postId.topicId}", "TOPIC", "postId", "", "postId.topicId"},
	} {
		f := forum.MustField(design.Subscription, want.name)
		got := want
		got.of, got.pk, got.sk, got.argument = f.Live.Coordinate(), f.PK.String(), f.SK.String(), ""
		got.owner, got.parentOwner = "", ""
		if len(f.Arguments) > 0 {
			got.argument = f.Arguments[0].Name
		}
		if r := f.Rule(); r != nil {
			got.owner = r.Owner
		}
		if r := f.ParentRule(); r != nil {
			got.parentOwner = r.Owner
		}
		if got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		if f.LiveAs != "" || f.Count != "" || f.Result != f.Live.Result || f.Edge != f.Live.Edge ||
			f.Descending != f.Live.Descending || f.Index != f.Live.Index || len(f.Shards()) != len(f.Live.Shards()) {
			t.Errorf("%s: %+v\nis not like %+v", want.name, f, f.Live)
		}
	}
	if r := forum.Rule("Topic", "posts"); r.Owner != "id" || forum.Type("Post").Rule.Owner != "topicId" {
		t.Error("the rules of the declared fields have changed")
	}
}

// TestLiveConditions: a field of Subscription has the condition of its field for the parent that the id names, and
// knows the owners.
func TestLiveConditions(t *testing.T) {
	topic, post := keys.NewID("Topic", "7").Encode(), keys.NewID("Post", "7", "12").Encode()
	for _, c := range []struct {
		name                string
		values              map[string]any
		pk                  keys.PK
		sk                  keys.SK
		owner, parent, post string
	}{
		{"topic", map[string]any{"id": topic}, "TOPIC#7", "TOPIC", "", "", ""},
		{"posts", map[string]any{"topicId": topic}, "TOPIC#7", "POST#", "7", "7", "7"},
		{"posts", map[string]any{"topicId": topic, "number": int64(3)}, "TOPIC#7", "POST#003", "7", "7", "7"},
		{"repliesTo", map[string]any{"postId": post}, "TOPIC#7#012", "", "7", "7", ""},
		{"topicOfPost", map[string]any{"postId": post}, "TOPIC#7", "TOPIC", "", "7", ""},
	} {
		got, err := conditionOf(forum.MustField(design.Subscription, c.name), c.values)
		if err != nil || got.IsEmpty() {
			t.Errorf("%s of %v: empty %v, %v", c.name, c.values, got.IsEmpty(), err)
			continue
		}
		pk, sk := got.Key.PK, got.Key.SK
		if len(got.Partitions) > 0 {
			pk, sk = got.Partitions[0].PK, got.Prefix
		}
		if pk != c.pk || sk != c.sk {
			t.Errorf("%s of %v: %s, %s", c.name, c.values, pk, sk)
		}
		owner, parent := ownerText(got.Owner()), ownerText(got.ParentOwner())
		ofPosts := ownerText(got.OwnerOf(forum.Type("Post")))
		if owner != c.owner || parent != c.parent || ofPosts != c.post {
			t.Errorf("%s of %v: the owners are %q, %q and %q", c.name, c.values, owner, parent, ofPosts)
		}
	}
	got, _ := conditionOf(forum.MustField(design.Subscription, "topicOfPost"), map[string]any{"postId": post})
	if got.KeyOnly.Text("id") != "7" {
		t.Errorf("of the topic, its key has %v", got.KeyOnly)
	}
}

// TestLiveIDs: an id that names no parent is an InputError, and nothing is read.
func TestLiveIDs(t *testing.T) {
	const (
		other   = " is the id of another type; pass an id of type "
		unknown = " is not an id of this API; pass an id of type "
		exactly = " exactly as a response gave it"
	)
	topic, post := keys.NewID("Topic", "7"), keys.NewID("Post", "7", "12")
	for _, c := range []struct{ name, argument, id, want string }{
		{"posts", "topicId", post.Encode(), "topicId" + other + "Topic"},
		{"posts", "topicId", "7", "topicId" + unknown + "Topic" + exactly},
		{"repliesTo", "postId", topic.Encode(), "postId" + other + "Post"},
		{"repliesTo", "postId", "7", "postId" + unknown + "Post" + exactly},
		{"repliesTo", "postId", keys.NewID("Post", "7").Encode(), "postId" + unknown + "Post" + exactly},
		{"repliesTo", "postId", keys.NewID("Post", "7", "12", "1").Encode(), "postId" + unknown + "Post" + exactly},
	} {
		got, err := conditionOf(forum.MustField(design.Subscription, c.name), map[string]any{c.argument: c.id})
		if err == nil || err.Error() != c.want || !got.IsEmpty() {
			t.Errorf("%s of %s: empty %v, error %v, want %s", c.name, c.id, got.IsEmpty(), err, c.want)
		}
	}
}
