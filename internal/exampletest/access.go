package exampletest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway/federation"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/ways"
	"github.com/partita/partita/viewer"
)

// access is who sees and changes what of an example.
type access struct {
	// ids are those of objects that not everybody may see, by type; arguments are those of other names.
	ids, arguments map[string]string
	// secret matches what only those see who may.
	secret *regexp.Regexp
	// may are those who see it by some ways, and strangers those who see it by none.
	may, strangers []viewer.Viewer
	// least is by how many ways those who may see something at least.
	least int
	// before are mutations of the first of them, and end is one after which ended is a stranger.
	before []string
	end    string
	ended  viewer.Viewer
	// everybody are the mutations that each user may send for himself.
	everybody string
}

func as(id string, roles ...string) viewer.Viewer { return viewer.Viewer{ID: id, Roles: roles} }

// accesses are those of the examples with rules.
var accesses = map[string]*access{
	"chat": {
		ids: map[string]string{
			"Workspace": `"Workspace:acme"`, "Channel": `"Channel:acme/general"`, "Message": `"Message:acme/general/m1"`,
			"Member": `"Member:acme/bob"`, "Reaction": `"Reaction:acme/general/m1/bob/wave"`,
		},
		arguments: map[string]string{"workspaceId": `"Workspace:acme"`, "name": `"general"`, "userId": `"bob"`},
		secret:    regexp.MustCompile(`Acme|Everything|Good morning|Coffee|"role":"|"wave"`),
		may:       []viewer.Viewer{as("ada"), as("cyd"), as("bob")}, strangers: []viewer.Viewer{as("eve"), {}}, least: 12,
		end: `removeMember(input: { memberId: "Member:acme/bob" }) { deletedMemberId }`, ended: as("bob"),
		everybody: "openWorkspace",
	},
	"tracker": {
		ids: map[string]string{
			"Project": `"Project:p1"`, "Member": `"Member:p1/bob"`, "Issue": `"Issue:i1"`,
		},
		arguments: map[string]string{"assigneeId": `"bob"`, "userId": `"bob"`},
		secret:    regexp.MustCompile(`Rocket|Build the engine|"role":"`),
		may:       []viewer.Viewer{as("ada"), as("bob")},
		strangers: []viewer.Viewer{as("eve"), as("eve", "LEAD"), {}}, least: 8,
		everybody: "openProject",
	},
	"wallet": {
		ids:       map[string]string{"Account": `"Account:a1"`, "Entry": `"Entry:a1/e1"`},
		arguments: map[string]string{"userId": `"ada"`},
		secret:    regexp.MustCompile(`"balance":-?\d|"amount":-?\d`),
		may:       []viewer.Viewer{as("ada"), as("bank", "ADMIN")},
		strangers: []viewer.Viewer{as("bob"), as("bank"), as("bank", "OWNER"), {}}, least: 4,
		everybody: "openAccount",
	},
	"booking": {
		ids: map[string]string{
			"Show": `"Show:hamlet"`, "Account": `"Account:ada"`, "Booking": "", "Seat": `"Seat:hamlet/1"`,
		},
		arguments: map[string]string{"userId": `"ada"`},
		secret:    regexp.MustCompile(`"balance":-?\d|"bookedAt":"`),
		may:       []viewer.Viewer{as("ada")}, strangers: []viewer.Viewer{as("bob"), as("ann", "OWNER"), {}}, least: 4,
		before: []string{
			`holdSeat(input: { id: "Seat:hamlet/1" }) { userErrors { code } }`,
			`bookSeat(input: { seatId: "Seat:hamlet/1", price: 40 }) { booking { id } }`,
		},
		everybody: "openAccount holdSeat transfer",
	},
}

// bookedID matches the id of a booking.
var bookedID = regexp.MustCompile(`"booking":{"id":("[^"]+")}`)

// CheckAccess goes all ways through the schema of the folder, by HTTP and by WebSockets, and through its subgraph: see
// checkAccess.
func (e *Example) CheckAccess(t *testing.T) {
	t.Helper()
	e.checkAccess(t, e.Serve(t))
	s := e.Serve(t)
	s.sockets = newSockets(t, s.handler)
	e.checkAccess(t, s)
	subgraph := federation.New(answer.NewFolder(e.Schema.AST), e.Schema.WithoutGo())
	e.checkAccess(t, e.serve(t, e.Data(t), subgraph.Schema, subgraph.Design, false))
}

// checkAccess goes all ways through a schema to what not everybody may see. Each who may sees it, and nobody else does:
// a stranger, who has not signed in, and who was a member until a moment ago. Whatever mutation those send, the table
// stays as it is. An example without rules has nothing to check.
func (e *Example) checkAccess(t *testing.T, s *Service) {
	t.Helper()
	a := accesses[e.Name]
	if a == nil {
		return
	}
	w := &walker{Service: s, access: a, ids: map[string]string{}}
	for typ, id := range a.ids {
		w.ids[typ] = id
	}
	for _, mutation := range a.before {
		if m := bookedID.FindStringSubmatch(s.SendAs(t, a.may[0], "mutation { "+mutation+" }")); m != nil {
			w.ids["Booking"] = m[1]
		}
	}
	for _, v := range a.may {
		w.walk(t, v, true)
	}
	for _, v := range a.strangers {
		w.walk(t, v, false)
		w.write(t, v)
	}
	if a.end == "" {
		return
	}
	s.SendAs(t, a.may[1], "mutation { "+a.end+" }")
	w.walk(t, a.ended, false)
	w.write(t, a.ended)
	w.walk(t, a.may[0], true)
}

type walker struct {
	*Service
	*access
	ids map[string]string
}

// walk sends the queries of all ways, and one of each object as an entity of a federated graph where there are any.
func (w *walker) walk(t *testing.T, v viewer.Viewer, may bool) {
	t.Helper()
	api := plan.API(w.schema)
	var queries []string
	for _, way := range ways.All(api, w.argument) {
		queries = append(queries, way.Query())
	}
	if api.Query.Fields.ForName("_entities") != nil {
		for typ, id := range w.ids {
			queries = append(queries, entity(api, typ, id))
		}
	}
	shown := 0
	for _, query := range queries {
		body := w.SendAs(t, v, query)
		switch isShown := w.secret.MatchString(body); {
		case isShown && !may:
			t.Errorf("%+v sees by %s: %s", v, query, body)
		case isShown:
			shown++
		}
	}
	if may && shown < w.least {
		t.Errorf("%+v sees something by %d of %d ways", v, shown, len(queries))
	}
}

// entity returns the query of an object as an entity.
func entity(api *ast.Schema, typ, id string) string {
	var fields []string
	for _, f := range api.Types[typ].Fields {
		if !api.Types[f.Type.Name()].IsCompositeType() && len(f.Arguments) == 0 {
			fields = append(fields, f.Name)
		}
	}
	return fmt.Sprintf("{ _entities(representations: [{ __typename: %q, id: %s }]) { ... on %s { %s } } }",
		typ, id, typ, strings.Join(fields, " "))
}

// write sends all mutations of others, with the ids of what not everybody may see.
func (w *walker) write(t *testing.T, v viewer.Viewer) {
	t.Helper()
	schema := w.schema
	before := w.Items(t)
	for _, f := range schema.Mutation.Fields {
		if strings.HasPrefix(f.Name, "__") || v.ID != "" && strings.Contains(w.everybody, f.Name) {
			continue
		}
		input := schema.Types[f.Arguments.ForName("input").Type.Name()]
		query := fmt.Sprintf("mutation { %s(input: { %s }) { __typename } }", f.Name, w.input(schema, input))
		body := w.SendAs(t, v, query)
		if after := w.Items(t); after != before || strings.Contains(body, "GRAPHQL_VALIDATION_FAILED") {
			t.Errorf("%+v sends %s and gets %s", v, query, body)
			before = after
		}
	}
}

// input returns values for the fields of an input.
func (w *walker) input(schema *ast.Schema, def *ast.Definition) string {
	var values []string
	for _, f := range def.Fields {
		if value := w.value(schema, def, f); value != "" {
			values = append(values, f.Name+": "+value)
		}
	}
	return strings.Join(values, ", ")
}

func (w *walker) value(schema *ast.Schema, def *ast.Definition, f *ast.FieldDefinition) string {
	typ := schema.Types[f.Type.Name()]
	for name, id := range w.ids {
		if f.Name == strings.ToLower(name[:1])+name[1:]+"Id" || f.Name == "id" &&
			(name == "Account" || strings.HasSuffix(def.Name, name+"Input")) {
			return id
		}
	}
	switch {
	case typ.Kind == ast.InputObject: // of an element of a list
		return "{ " + w.input(schema, typ) + " }"
	case f.Name == "fromId" || f.Name == "toId" || f.Name == "parentId":
		return w.ids[map[string]string{"parentId": "Issue"}[f.Name]] + w.ids["Account"]
	case f.Name == "userId":
		return `"eve"`
	case typ.Kind == ast.Enum:
		return typ.EnumValues[0].Name
	case typ.Name == "Int":
		return "1"
	case f.Name == "key":
		return `"EVIL"`
	case f.Name == "idempotencyKey":
		return ""
	}
	return `"x"`
}

// argument returns the argument that leads to what not everybody may see.
func (w *walker) argument(
	_ *ast.Definition, _ *ast.FieldDefinition, a *ast.ArgumentDefinition, o *ast.Definition,
) string {
	switch a.Name {
	case "id":
		return w.ids[o.Name]
	case "ids":
		return "[" + w.ids[o.Name] + "]"
	case "representations":
		return ""
	case "first":
		return "9"
	}
	return w.arguments[a.Name]
}
