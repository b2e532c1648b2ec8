package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
)

var cachedSchema = gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { a: String b: String }`})

func newDocument(t *testing.T, engine *loaders.Engine, source string) *Document {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(cachedSchema, source, rules.NewDefaultRules())
	if errs != nil {
		t.Fatal(errs)
	}
	return &Document{Source: source, AST: doc, Plans: engine.Compile(doc)}
}

// use is what a request does with a document.
func (c *documentCache) use(d *Document) {
	c.keep(d)
	d.Plans.Plan(d.AST.Operations[0], nil)
	c.keep(d)
}

// TestDocumentCacheIsLimitedInBytes: the documents that were used last are kept, as many as there is room for with
// their plans.
func TestDocumentCacheIsLimitedInBytes(t *testing.T) {
	engine := loaders.New(design.MustDesign(nil, nil, nil), cachedSchema, nil, loaders.Options{})
	first := newDocument(t, engine, "{ a } # 00")
	first.Plans.Plan(first.AST.Operations[0], nil)
	each := first.Size()
	const room = 20
	c := newDocumentCache(room*each + each/2)
	for i := range 100 {
		c.use(newDocument(t, engine, fmt.Sprintf("{ a } # %02d", i)))
		c.get("{ a } # 00") // is used all the time
		if c.bytes > c.maximum || c.bytes != int64(c.recent.Len())*each {
			t.Fatalf("after %d documents the cache has %d bytes in %d documents, at most %d",
				i+1, c.bytes, c.recent.Len(), c.maximum)
		}
	}
	if got := c.recent.Len(); got != room {
		t.Errorf("%d documents are kept, want %d", got, room)
	}
	for source, kept := range map[string]bool{
		"{ a } # 00": true, "{ a } # 99": true, "{ a } # 81": true, "{ a } # 50": false,
	} {
		if (c.get(source) != nil) != kept {
			t.Errorf("%s is kept: %v", source, !kept)
		}
	}
}

// TestDocumentCacheKeepsNoLargeDocument: one document cannot take the place of all others.
func TestDocumentCacheKeepsNoLargeDocument(t *testing.T) {
	engine := loaders.New(design.MustDesign(nil, nil, nil), cachedSchema, nil, loaders.Options{})
	c := newDocumentCache(64 << 10)
	c.use(newDocument(t, engine, "{ a }"))
	large := newDocument(t, engine, "{ a } #"+strings.Repeat("x", 6<<10))
	if size := large.Size(); size <= c.maximum/largestShare || size >= c.maximum/2 {
		t.Fatalf("the large document has %d bytes", size)
	}
	c.use(large)
	if c.get(large.Source) != nil || c.get("{ a }") == nil {
		t.Error("the large document is kept, or the small one is not")
	}
}

// TestDocumentCacheHasOneOfEach: of two requests that parse a document at the same time, the first one's is kept.
func TestDocumentCacheHasOneOfEach(t *testing.T) {
	engine := loaders.New(design.MustDesign(nil, nil, nil), cachedSchema, nil, loaders.Options{})
	c := newDocumentCache(1 << 20)
	first, second := newDocument(t, engine, "{ a }"), newDocument(t, engine, "{ a }")
	c.use(first)
	c.use(second)
	if c.get("{ a }") != first || c.bytes != first.Size() {
		t.Errorf("%d bytes are charged, want %d", c.bytes, first.Size())
	}
}
