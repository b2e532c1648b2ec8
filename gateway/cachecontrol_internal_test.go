package gateway

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

const hinted = `
enum CacheControlScope { PUBLIC PRIVATE }
directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean)
  on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
type Query {
  book: Book
  cachedBook: Book @cacheControl(maxAge: 60)
  myBook: Book @cacheControl(maxAge: 60, scope: PRIVATE)
  publicReader: Reader @cacheControl(maxAge: 10, scope: PUBLIC)
  reader: Reader
  text: String
  cachedText: String @cacheControl(maxAge: 20)
  inheritedText: String @cacheControl(inheritMaxAge: true)
  negative: String @cacheControl(maxAge: -1)
  thing: Thing
  either: Either
}
type Book {
  title: String
  price: Int @cacheControl(maxAge: 5)
  notes: String @cacheControl(scope: PRIVATE)
  author: Author
  cachedAuthor: Author @cacheControl(inheritMaxAge: true)
  publisher: Publisher
  reader: Reader @cacheControl(inheritMaxAge: true)
  readers: [Reader!]!
  briefReader: Reader @cacheControl(maxAge: 10, inheritMaxAge: true)
}
type Author { name: String, books: [Book] }
type Publisher @cacheControl(inheritMaxAge: true) { name: String }
type Reader @cacheControl(maxAge: 40, scope: PRIVATE) { name: String }
interface Thing @cacheControl(maxAge: 7) { id: ID }
type Stone implements Thing { id: ID, mate: Author }
union Either @cacheControl(maxAge: 9) = Book | Author
`

// The cases follow "Calculating cache behavior" in Apollo Server's documentation of caching.
func TestCachePolicy(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: hinted})
	for _, test := range []struct {
		query   string
		maxAge  int
		private bool
	}{
		{`{ __typename }`, 0, false},
		{`{ __schema { types { name } } }`, 0, false},
		{`{ cachedText __schema { queryType { name } } }`, 0, false},
		{`{ book { title } }`, 0, false},
		{`{ text }`, 0, false},
		{`{ inheritedText }`, 0, false},
		{`{ negative }`, 0, false},
		{`{ cachedText }`, 20, false},
		{`{ cachedText __typename }`, 20, false},
		{`{ cachedBook { title __typename } }`, 60, false},
		{`{ cachedBook { title price } }`, 5, false},
		{`{ cachedBook { title } cachedText }`, 20, false},
		{`{ cachedBook { title } text }`, 0, false},
		{`{ cachedBook { notes } }`, 60, true},
		{`{ myBook { title } }`, 60, true},
		{`{ myBook { title } cachedText }`, 20, true},
		{`{ cachedBook { author { name } } }`, 0, false},
		{`{ cachedBook { cachedAuthor { name } } }`, 60, false},
		{`{ cachedBook { cachedAuthor { books { title } } } }`, 0, false},
		{`{ cachedBook { publisher { name } } }`, 60, false},
		{`{ cachedBook { reader { name } } }`, 40, true},
		{`{ cachedBook { readers { name } } }`, 40, true},
		{`{ cachedBook { briefReader { name } } }`, 10, true},
		{`{ reader { name } }`, 40, true},
		{`{ publicReader { name } }`, 10, false},
		{`{ thing { id } }`, 7, false},
		{`{ thing { id ... on Stone { mate { name } } } }`, 0, false},
		{`{ either { ... on Book { title price } } }`, 5, false},
		{`{ ...F } fragment F on Query { cachedBook { ...G } } fragment G on Book { title price }`, 5, false},
		{`{ cachedBook { ...G } a: cachedBook { ...G } } fragment G on Book { title price }`, 5, false},
		{`query($on: Boolean = true) { cachedText text @skip(if: $on) }`, 20, false},
		{`query($on: Boolean = true) { cachedText text @include(if: $on) }`, 0, false},
		{`query($on: Boolean = true) { cachedText ... @skip(if: $on) { text } }`, 20, false},
		{`query($on: Boolean = true) { cachedText ...F @skip(if: $on) } fragment F on Query { text }`, 20, false},
	} {
		document, errs := gqlparser.LoadQueryWithRules(schema, test.query, plainRules())
		if errs != nil {
			t.Fatal(errs)
		}
		got := cachePolicyOf(schema, document.Operations[0], map[string]any{"on": true})
		if got.maxAge != test.maxAge || got.private != test.private {
			t.Errorf("%s: got %+v, want %d, private %v", test.query, got, test.maxAge, test.private)
		}
	}
}
