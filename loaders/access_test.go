package loaders_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/internal/ways"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/viewer"
)

// TestAccess goes all ways through the schema as each viewer. testdata/access has the fields that each of them
// can read of the object at the end of the way, and the number of requests. Ada owns all objects that have an
// owner.
func TestAccess(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	viewers := []struct {
		name string
		viewer.Viewer
	}{
		{"anonymous", testservice.Anonymous},
		{"owner", testservice.Ada},
		{"other", testservice.Other},
		{"librarian", testservice.Librarian},
	}
	var got strings.Builder
	for _, way := range ways.All(testservice.Executable().Schema(), argument(t)) {
		fmt.Fprintf(&got, "%s\n", way)
		for _, v := range viewers {
			a := s.As(v.Viewer).AskBoth(t, way.Query(), nil)
			var errors []ways.Error
			for _, e := range a.Errors {
				errors = append(errors, ways.Error{Path: e.Path, Code: e.Extensions.Code})
			}
			shown, requests := way.Shown(a.Data, errors), a.Extensions.Cost.Requests
			fmt.Fprintf(&got, "  %-10s %s; requests: %d\n", v.name, shown, requests)
		}
	}
	datadriven.RunTest(t, "testdata/access", func(*testing.T, *datadriven.TestData) string { return got.String() })
}

// argument returns arguments with which a field of the test service leads to an object.
func argument(t *testing.T) ways.Argument {
	objects := map[string]string{
		"Reader":         `"Reader:r001"`,
		"Book":           `"Book:b001"`,
		"Loan":           `"Loan:l004"`,
		"Branch":         `"Branch:c1"`,
		"Club":           `"Club:k3"`,
		"Reminder":       `"Reminder:l004/1"`,
		"Recommendation": `"Recommendation:r001/b001"`,
		"Award":          `"Award:b001/2001"`,
		"Notice":         `"Notice:c1/1"`,
		"Event":          `"Event:c1/2026-01-01T08:00:00.000Z/1"`,
		"Note":           `"Note:l004/2026-01-03T12:00:00.000Z"`,
		"Visit":          `"Visit:c1/2026-01-01T08:00:00.000Z/NORTH"`,
	}
	literals := map[string]string{
		"first":    "9",
		"bookId":   `"Book:b001"`,
		"readerId": `"Reader:r001"`,
		"card":     `"C-0001"`,
		"isbn":     `"978-0001"`,
		"state":    "OVERDUE",
		"batch":    `"ROUND-1"`,
		"at":       `{from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z"}`,
	}
	return func(
		parent *ast.Definition, f *ast.FieldDefinition, a *ast.ArgumentDefinition, object *ast.Definition,
	) string {
		switch a.Name {
		case "id":
			return objects[object.Name]
		case "ids":
			return "[" + objects[object.Name] + "]"
		}
		if literals[a.Name] == "" && a.Type.NonNull {
			t.Fatalf("%s.%s: which %s leads to an object?", parent.Name, f.Name, a.Name)
		}
		return literals[a.Name]
	}
}

// TestDenied compares the answers and requests of operations that select what the viewer may not read.
func TestDenied(t *testing.T) {
	t.Parallel()
	startPatiently(t).Run(t, "testdata/denied")
}

// TestAccessRevealsNothing: a viewer who may not read an object gets the same answer, with the same cost, whether
// the object exists or not.
func TestAccessRevealsNothing(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		loan, reminder := testservice.Loan(4).Encode(), testservice.Reminder(4, 1).Encode()
		noLoan := keys.NewID("Loan", "none").Encode()
		noReminder := keys.NewID("Reminder", "none", "1").Encode()
		for _, v := range []viewer.Viewer{testservice.Anonymous, testservice.Other} {
			for _, query := range []string{
				`query($id: ID!) { loan(id: $id) { id state } }`,
				`query($id: ID!) { loan(id: $id) { id } }`,
				`query($id: ID!) { loan(id: $id) {
					state reminders(first: 20) { nodes { number } } notes { text } reader { name }
				} }`,
				`query($id: ID!) { node(id: $id) { id ... on Loan { reminders(first: 3) { __typename } } } }`,
				`query($id: ID!) { nodes(ids: [$id]) { id __typename } }`,
				`query($id: ID!) { a: loan(id: $id) { id } b: node(id: $id) { id } viewer { name } }`,
				`query($reminder: ID!) { node(id: $reminder) { ... on Reminder { text loan { state } } } }`,
			} {
				there := s.As(v).Ask(t, query, map[string]any{"id": loan, "reminder": reminder})
				missing := s.As(v).Ask(t, query, map[string]any{"id": noLoan, "reminder": noReminder})
				if !reflect.DeepEqual(there, missing) {
					t.Errorf("%+v: %s shows that the object exists:\n%+v\n%+v", v, query, there, missing)
				}
				if len(there.Errors) == 0 {
					t.Errorf("%+v: %s has no error", v, query)
				}
			}
		}
	})
}

// TestMeasuredRevealsNothing: nor do the measured values of the plan have the number of items of a denied Read.
func TestMeasuredRevealsNothing(t *testing.T) {
	t.Parallel()
	testservice.Start(t).EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		s.Load(t, testservice.Stored(typed.StoredReminder, &model.Reminder{
			LoanID: testservice.Loan(4), ReaderID: testservice.Reader(2), Number: 90, Batch: "B", Text: "?",
		})...)
		items := func(v viewer.Viewer, query, loan string) (a testservice.Answer, items []int) {
			as := s.As(v)
			as.Header.Set("Partita-Plan", "measured")
			a = as.Ask(t, query, map[string]any{"id": loan})
			for _, request := range a.Extensions.Plan.Requests {
				for _, read := range request.Reads {
					items = append(items, read.Items)
				}
			}
			return a, items
		}
		const object = `query($id: ID!) { nodes(ids: [$id, "Reader:r001"]) { id } }`
		there, got := items(testservice.Other, object, testservice.Loan(4).Encode())
		missing, _ := items(testservice.Other, object, keys.NewID("Loan", "none").Encode())
		if !reflect.DeepEqual(there, missing) || !slices.Equal(got, []int{1}) {
			t.Errorf("the values show that the object exists, or leave out another:\n%+v\n%+v", there, missing)
		}
		const page = `query($id: ID!) { loan(id: $id) { state reminders(first: 100) { nodes { text } } } }`
		for v, want := range map[*viewer.Viewer]bool{&testservice.Ada: false, &testservice.Librarian: true} {
			a, got := items(*v, page, testservice.Loan(4).Encode())
			if len(a.Errors) == 0 != want || slices.ContainsFunc(got, func(n int) bool { return n > 1 }) != want {
				t.Errorf("%+v: a page of reminders has %v items: %+v", *v, got, a.Errors)
			}
		}
	})
}

// TestAccessOfPages: a page is denied as a whole if it has an object that the viewer may not read.
func TestAccessOfPages(t *testing.T) {
	t.Parallel()
	s := startPatiently(t)
	s.Load(t, testservice.Stored(typed.StoredReminder, &model.Reminder{
		LoanID: testservice.Loan(4), ReaderID: testservice.Reader(2), Number: 90, Batch: "B", Text: "?",
	})...)
	s.Run(t, "testdata/deniedpages")
}

// TestAccessRevealsNothingByLimits: an object that the viewer may not read counts towards the limits of an
// operation whether or not it exists.
func TestAccessRevealsNothingByLimits(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t, func(_ *gateway.Config, o *loaders.Options) { o.MaxObjects = 4 })
	s.EachExecutor(t, func(t *testing.T, s *testservice.Service) {
		other := s.As(testservice.Other)
		ask := func(loan string) testservice.Answer {
			return other.Ask(t, fmt.Sprintf(`{ nodes(ids: ["Reader:r001", %q]) {
				id ... on Reader { recommendations(first: 1) { nodes { title } } }
			} }`, loan), nil)
		}
		if there, missing := ask("Loan:l004"), ask("Loan:none"); !reflect.DeepEqual(there, missing) {
			t.Errorf("a limit shows that the object exists:\n%+v\n%+v", there, missing)
		}
	})
}

// TestAccessOfAnotherOwner: no owner gets an object in its owner's collection that names another owner itself, and only
// those who may read the collection learn of it. Those whom another part of the rule allows get it.
func TestAccessOfAnotherOwner(t *testing.T) {
	t.Parallel()
	s := testservice.Start(t)
	s.BeyondDesign = true
	for _, it := range testservice.Stored(typed.StoredLoan, &model.Loan{
		ID: keys.NewID("Loan", "moved"), ReaderID: testservice.Reader(1), BookID: testservice.Book(1),
		State: model.LoanStateLent, LentAt: testservice.Now, DueOn: keys.DateOf(testservice.Now),
	}) {
		i := slices.IndexFunc(it, func(a item.Attribute) bool { return a.Name == "readerId" })
		it[i].Value = item.StringValue(testservice.Reader(2).Value())
		s.Load(t, it)
	}
	for name, test := range map[string]struct {
		viewer viewer.Viewer
		code   string
	}{
		"the owner in its key":       {testservice.Ada, loaders.CodeDamaged},
		"the owner that it names":    {viewer.Viewer{ID: testservice.Reader(2).Value()}, plan.CodeForbidden},
		"another":                    {testservice.Other, plan.CodeForbidden},
		"an anonymous caller":        {viewer.Viewer{}, plan.CodeForbidden},
		"one who may read all loans": {testservice.Librarian, ""},
	} {
		for _, query := range []string{
			`{ reader(id: "Reader:r001") { latestLoan { id bookId } } }`,
			`{ reader(id: "Reader:r001") { loans(first: 1) { nodes { id bookId } edges { node { id } } } } }`,
			`{ reader(id: "Reader:r001") { loans(first: 1) { pageInfo { hasNextPage } } } }`,
		} {
			a := s.As(test.viewer).AskBoth(t, query, nil)
			id := keys.NewID("Loan", "moved").Encode()
			if test.code == "" {
				if len(a.Errors) > 0 || !strings.Contains(query, "pageInfo") && !strings.Contains(a.Body, id) {
					t.Errorf("%s gets %s", name, a.Body)
				}
				continue
			}
			if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != test.code || strings.Contains(a.Body, id) {
				t.Errorf("%s gets %s", name, a.Body)
			}
		}
	}
}
