package resolvers_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/demo"
	"github.com/partita/partita/graph"
	"github.com/partita/partita/internal/ways"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// TestAccess follows each path in the schema from one type to another, as four viewers, and compares what each of
// them can read of the object there, and the number of requests, with testdata/access. Every object is Ada's or
// belongs to one of hers: she is the owner.
func TestAccess(t *testing.T) {
	s := startShop(t)
	viewers := []struct {
		name string
		viewer.Viewer
	}{
		{"anonymous", viewer.Viewer{}},
		{"owner", viewer.Viewer{ID: demo.Ada().Value()}},
		{"other", viewer.Viewer{ID: otherUser(t).Value(), Roles: []string{"STAFF"}}},
		{"admin", viewer.Viewer{ID: "admin", Roles: []string{"ADMIN"}}},
	}
	var got strings.Builder
	for _, way := range ways.All(graph.NewExecutableSchema(graph.Config{}).Schema(), argument(t)) {
		fmt.Fprintf(&got, "%s\n", way)
		for _, v := range viewers {
			s.Proxy.Reset()
			a := s.as(v.Viewer).ask(t, way.Query(), nil)
			fmt.Fprintf(
				&got,
				"  %-10s %s; %s\n",
				v.name,
				way.Shown(a.Data, a.shown()),
				counted(s.Proxy.Counts().Total()),
			)
		}
	}
	datadriven.RunTest(
		t,
		filepath.Join("testdata", "access"),
		func(*testing.T, *datadriven.TestData) string { return got.String() },
	)
}

func counted(requests int) string {
	if requests == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", requests)
}

// otherUser owns none of the objects.
func otherUser(t *testing.T) keys.ID {
	t.Helper()
	id, err := keys.ParseID(ids("User", 150)[149])
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// argument returns arguments with which a field of the shop leads to an object.
func argument(t *testing.T) ways.Argument {
	return func(parent *ast.Definition, f *ast.FieldDefinition, a *ast.ArgumentDefinition, object *ast.Definition) string {
		switch a.Name {
		case "first":
			return "2"
		case "id":
			return fmt.Sprintf("%q", ids(object.Name, 1)[0])
		case "ids":
			return fmt.Sprintf("[%q]", ids(object.Name, 1)[0])
		case "userId":
			follow, err := keys.ParseID(ids("Follow", 1)[0])
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%q", keys.NewID("User", follow.Values()[1]).Encode())
		case "email":
			return `"ada@example.com"`
		case "status":
			return "DELIVERED"
		case "sku":
			return `"TEA-001"`
		}
		if a.Type.NonNull {
			t.Fatalf("%s.%s: which %s leads to an object?", parent.Name, f.Name, a.Name)
		}
		return ""
	}
}

// shown returns the answer's errors.
func (a answer) shown() []ways.Error {
	var all []ways.Error
	for _, e := range a.Errors {
		all = append(all, ways.Error{Path: e.Path, Code: e.Extensions.Code})
	}
	return all
}
