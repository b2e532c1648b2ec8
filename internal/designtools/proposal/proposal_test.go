package proposal_test

import (
	"context"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/designtools/proposal"
	"github.com/partita/partita/internal/fatal"
)

// blog has no directives.
const blog = `type Query {
  author(id: ID!): Author
  tag(name: String!): Tag
  posts: PostConnection
}
type Author { id: ID! name: String! posts(publishedAt: TimeRange): PostConnection }
type Post {
  id: ID!
  authorId: ID!
  author: Author
  publishedAt: Time!
  title: String!
  stars: Float!
  state: State!
  words: [String!]!
  tags: TagConnection
}
enum State { DRAFT PUBLISHED }
type Tag { id: ID! name: String! posts: PostConnection }
`

func propose(t *testing.T, text string, patterns []proposal.Pattern, types ...proposal.Type) *proposal.Proposal {
	t.Helper()
	p, err := proposal.Propose(context.Background(), []*ast.Source{{Name: "blog.graphqls", Input: text}}, patterns, types)
	fatal.If(t, err)
	return p
}

// TestPropose: children are in the partition of their parent, further ways in an overloaded index, and a many-to-many
// relation is an adjacency list with an inverted index.
func TestPropose(t *testing.T) {
	p := propose(t, blog, []proposal.Pattern{
		{Field: "Query.post", Type: "Post", Result: "one", Equals: map[string]string{"id": ""}},
		{Field: "Query.byState", Type: "Post", Equals: map[string]string{"state": ""}, Sort: "publishedAt", Order: "DESC"},
	}, proposal.Type{Name: "Post", MaxBytes: 1024, Count: 1000, WritesPerSecond: 2500})
	text := p.Files["blog.graphqls"]
	for _, want := range []string{
		`type Author @item(pk: "AUTHOR#{id}", sk: "AUTHOR#{id}")`,
		`posts(publishedAt: TimeRange): PostConnection @query(pk: "AUTHOR#{id}", sk: "POST#")`,
		`type Post @item(pk: "POST#{id}", sk: "POST#{id}", maxBytes: 1024)`,
		`@copy(pk: "AUTHOR#{authorId}", sk: "POST#{publishedAt}#{id}")`,
		`@index(name: "GSI1", pk: "POST#STATE#{state}", sk: "{publishedAt}#{id}", shards: 3)`,
		`byState(state: State!): PostConnection @query(index: "GSI1", pk: "POST#STATE#{state}", order: DESC)`,
		`type PostTag implements Node @item(pk: "POST#{postId}", sk: "POST_TAG#{tagId}") ` +
			`@index(name: "GSI1", pk: "POST_TAG#TAG_ID#{tagId}", sk: "{postId}")`,
		`posts: PostsOfTagConnection @query(index: "GSI1", pk: "POST_TAG#TAG_ID#{id}")`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in the proposal", want)
		}
	}
	if t.Failed() || len(p.Indexes) != 1 || len(p.Unserved) != 0 {
		t.Errorf("%v, %+v\n%s", p.Indexes, p.Unserved, text)
	}
	for _, of := range p.Types {
		if of.Name == "Post" && (of.Items != 2 || of.Entries != 2 || of.Bytes != 1000*1124*4) {
			t.Errorf("a Post is stored as %+v", of)
		}
	}
}

// TestSelfReference: children of the same type are told from their parent in its partition.
func TestSelfReference(t *testing.T) {
	text := propose(t, `type Query { category(id: ID!): Category }
type Category { id: ID! parentId: ID! children: CategoryConnection }`, []proposal.Pattern{
		{Field: "Category.children", Equals: map[string]string{"parentId": "id"}},
	}).Files["blog.graphqls"]
	if want := `@copy(pk: "CATEGORY#{parentId}", sk: "CATEGORY_BY_PARENT_ID#{id}")`; !strings.Contains(text, want) {
		t.Errorf("%s is not in the proposal:\n%s", want, text)
	}
}

// TestUnserved: what would need a Scan is named with what would help, and the rest is served.
func TestUnserved(t *testing.T) {
	p := propose(t, blog, []proposal.Pattern{
		{Field: "Query.byStars", Type: "Post", Sort: "stars"},
		{Field: "Query.byWord", Type: "Post", Equals: map[string]string{"words": "word"}},
		{Field: "Query.late", Type: "Post", Range: "publishedAt", Sort: "title"},
		{Field: "Query.all", Type: "Post", Result: "list"},
		{Field: "Query.byTitel", Type: "Post", Equals: map[string]string{"titel": ""}},
		{Field: "Author.tags", Type: "Tag"},
		{Field: "nothing"},
	})
	want := map[string]string{
		"Query.byStars": "store a whole number", "Query.byWord": "objects of a type of their own",
		"Query.late": "sort by publishedAt", "Query.all": "give atMost", "Query.byTitel": "write title",
		"Author.tags": "add authorId: ID! to Tag", "nothing": "write the field as Query.orders",
	}
	for _, u := range p.Unserved {
		if !strings.Contains(u.Help, want[u.Field]) {
			t.Errorf("%s: %s: %s", u.Field, u.Reason, u.Help)
		}
		delete(want, u.Field)
	}
	if len(want) > 0 || len(p.Patterns) < 8 {
		t.Errorf("%v are not named, %d patterns are served", want, len(p.Patterns))
	}
}

// TestWrongTypes: what is said of types that do not exist is an error, and so are tables that exist.
func TestWrongTypes(t *testing.T) {
	for _, c := range []struct {
		schema, want string
		given        proposal.Type
	}{
		{blog, `there is no object type "Pst": write Post`, proposal.Type{Name: "Pst"}},
		{blog, "Post.words cannot identify", proposal.Type{Name: "Post", Identity: []string{"words"}}},
		{blog, "maxBytes is at most", proposal.Type{Name: "Post", MaxBytes: 1 << 30}},
		{blog, "no number is negative", proposal.Type{Name: "Post", WritesPerSecond: -1}},
		{blog + "extend schema @table", "keys are proposed for new tables", proposal.Type{Name: "Post"}},
		{"type {", "the types are not GraphQL", proposal.Type{Name: "Post"}},
	} {
		sources := []*ast.Source{{Name: "a.graphqls", Input: c.schema}}
		_, err := proposal.Propose(context.Background(), sources, nil, []proposal.Type{c.given})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}
