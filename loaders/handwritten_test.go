package loaders_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/internal/testservice/resolvers"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
)

// handWritten are resolvers of the test service of which some are replaced.
type handWritten struct {
	*resolvers.Resolver
	bookOfTheDay func(context.Context) (*model.Book, error)
	isOpen       func(context.Context, *model.Branch) (bool, error)
}

func (r handWritten) Query() graph.QueryResolver {
	return handWrittenQuery{r.Resolver.Query(), r.bookOfTheDay}
}

func (r handWritten) Branch() graph.BranchResolver {
	return handWrittenBranch{r.Resolver.Branch(), r.isOpen}
}

type handWrittenQuery struct {
	graph.QueryResolver
	bookOfTheDay func(context.Context) (*model.Book, error)
}

func (r handWrittenQuery) BookOfTheDay(ctx context.Context) (*model.Book, error) {
	return r.bookOfTheDay(ctx)
}

type handWrittenBranch struct {
	graph.BranchResolver
	isOpen func(context.Context, *model.Branch) (bool, error)
}

func (r handWrittenBranch) IsOpen(ctx context.Context, obj *model.Branch, _ keys.CalendarDate) (bool, error) {
	return r.isOpen(ctx, obj)
}

func startWith(t *testing.T, r handWritten) *testservice.Service {
	r.Resolver = &resolvers.Resolver{Now: testservice.Now, DailyBook: testservice.Book(1)}
	t.Helper()
	s := testservice.Start(t, func(c *gateway.Config, o *loaders.Options) {
		o.BatchWait = testservice.PatientBatches
		c.Schema = graph.NewExecutableSchema(graph.Config{Resolvers: r})
	})
	s.BeyondDesign = true // the schema has no @cost for what these resolvers read
	return s
}

func bookOf(ctx context.Context, n int) (*model.Book, error) {
	return loaders.Object(ctx, typed.QueryBook(testservice.Book(n)), model.NewBook)
}

const belowBook = `{ id title recommendedBy(first: 2) { nodes { name } edges { stars } } sequel { title } }`

// TestResolverReadsSeveralObjects: a resolver may read several objects. The fields below are those of the one that it
// returns.
func TestResolverReadsSeveralObjects(t *testing.T) {
	t.Parallel()
	for name, resolve := range map[string]func(context.Context) (*model.Book, error){
		"the first is returned": func(ctx context.Context) (*model.Book, error) {
			first, err := bookOf(ctx, 4)
			if err != nil {
				return nil, err
			}
			_, err = bookOf(ctx, 5)
			return first, err
		},
		"the last is returned": func(ctx context.Context) (*model.Book, error) {
			if _, err := bookOf(ctx, 5); err != nil {
				return nil, err
			}
			return bookOf(ctx, 4)
		},
		"equal objects are read": func(ctx context.Context) (*model.Book, error) {
			if _, err := bookOf(ctx, 4); err != nil {
				return nil, err
			}
			return bookOf(ctx, 4)
		},
		"another type is read first": func(ctx context.Context) (*model.Book, error) {
			reader, err := loaders.Object(ctx, typed.QueryReader(testservice.Reader(1)), model.NewReader)
			if err != nil || reader.Name != "Ada" {
				return nil, err
			}
			return bookOf(ctx, 4)
		},
		"a page is read first": func(ctx context.Context) (*model.Book, error) {
			count := 1
			_, err := loaders.Connection(ctx, typed.BookRecommendedBy(testservice.Book(5)),
				loaders.Paging{First: &count}, model.NewRecommendedByConnection(1))
			if err != nil {
				return nil, err
			}
			return bookOf(ctx, 4)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startWith(t, handWritten{bookOfTheDay: resolve})
			want := s.Must(t, `{ book(id: "Book:b004") `+belowBook+` }`, nil)
			got := s.Must(t, `{ bookOfTheDay `+belowBook+` }`, nil)
			if !reflect.DeepEqual(got.Data["bookOfTheDay"], want.Data["book"]) {
				t.Errorf("got %v\nwant %v", got.Data["bookOfTheDay"], want.Data["book"])
			}
		})
	}
}

// TestResolversShareReads: the Reads of resolvers that run at the same time are one batch. Equal ones are sent once,
// and everything below them is read in the next waves.
func TestResolversShareReads(t *testing.T) {
	t.Parallel()
	s := startWith(t, handWritten{
		bookOfTheDay: func(ctx context.Context) (*model.Book, error) { return bookOf(ctx, 1) },
		isOpen: func(ctx context.Context, obj *model.Branch) (bool, error) {
			book, err := bookOf(ctx, 4)
			return book != nil && obj != nil, err
		},
	})
	for _, tt := range []struct {
		name, query string
		requests    map[string]int
		waves       int
	}{
		{
			"aliases",
			`{ a: bookOfTheDay { title } b: bookOfTheDay { genre } c: bookOfTheDay { title } }`,
			map[string]int{"GetItem": 1}, 1,
		},
		{
			"edited, with what depends on no resolver",
			`{ branch(id: "Branch:c1") { name } node(id: "Book:b001") { ... on Book { title } } }`,
			map[string]int{"BatchGetItem": 1}, 1,
		},
		{
			"elements",
			`{ nodes(ids: ["Branch:c1", "Branch:c2", "Branch:c3"]) { ... on Branch { isOpen(day: "2026-01-31") } } }`,
			map[string]int{"BatchGetItem": 1, "GetItem": 1}, 2,
		},
		{
			"below",
			`{ bookOfTheDay {
				title recommendedBy(first: 2) { nodes { name recommendations(first: 2) { nodes { title } } } }
			} }`,
			map[string]int{"Query": 3, "BatchGetItem": 1}, 3,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s.Proxy.Reset()
			a := s.Must(t, tt.query, nil)
			if got := s.Proxy.Counts().Requests; !maps.Equal(got, tt.requests) || a.Extensions.Cost.Waves != tt.waves {
				t.Errorf("%d waves, want %d; requests %v, want %v:\n%s", a.Extensions.Cost.Waves, tt.waves, got, tt.requests,
					strings.Join(s.Proxy.Log(), "\n"))
			}
		})
	}
}

// TestResolverMakesUpAnObject: fields below an object that a resolver has made itself are read, although the object was
// read and is not in the table.
func TestResolverMakesUpAnObject(t *testing.T) {
	t.Parallel()
	s := startWith(t, handWritten{
		bookOfTheDay: func(ctx context.Context) (*model.Book, error) {
			book, err := bookOf(ctx, 4)
			if book != nil || err != nil {
				return book, err
			}
			return &model.Book{ID: testservice.Book(4), Title: "lost"}, nil
		},
	})
	const query = `{ bookOfTheDay { title recommendedBy(first: 2) { nodes { name } } } }`
	want := gatewaytest.At(t, s.Must(t, query, nil).Data, "bookOfTheDay", "recommendedBy")
	key := "BOOK#" + testservice.Book(4).Value()
	s.Load(t, tabletest.Stored(key, key, keys.AttributeDeletedAt, "2026-01-31T09:30:00.000Z"))
	book := gatewaytest.At(t, s.Must(t, query, nil).Data, "bookOfTheDay")
	got := gatewaytest.At(t, book, "recommendedBy")
	if gatewaytest.At(t, book, "title") != "lost" || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestComputedField: a field with a declared cost is not stored. Its resolver gets the whole object,
// wherever that is read and although nothing else of it is selected.
func TestComputedField(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	for query, want := range map[string]string{
		`{ node(id: "Branch:c1") { ... on Branch { sign } } }`: "map[node:map[sign:BRANCH 1]]",
		`{ branch(id: "Branch:c2") { name sign } }`:            "map[branch:map[name:Branch 2 sign:BRANCH 2]]",
	} {
		s.Proxy.Reset()
		a := s.Must(t, query, nil)
		if got := fmt.Sprint(a.Data); got != want {
			t.Errorf("%s: %s", query, got)
		}
		if got := fmt.Sprint(s.Proxy.Counts().Requests); got != "map[GetItem:1]" {
			t.Errorf("%s: requests %s", query, got)
		}
	}
}
