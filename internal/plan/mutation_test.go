package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plantest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// TestMutations compares what is written for the inputs of mutations without hand-written Go, who may call them, and
// their explanations. With viewer=ada, the viewer has this id, and with role=STAFF this role; by default it is
// anonymous.
func TestMutations(t *testing.T) {
	plantest.Cases(t, "testdata/mutations", func(t *testing.T, d *datadriven.TestData, schema *plan.Schema) string {
		if d.Cmd == "explain" {
			return plantest.Explained(t, d, schema)
		}
		var v viewer.Viewer
		var role string
		d.MaybeScanArgs(t, "viewer", &v.ID)
		if d.MaybeScanArgs(t, "role", &role); role != "" {
			v.Roles = []string{role}
		}
		var text strings.Builder
		b := plantest.Bind(t, d, schema)
		if b.HandWritten {
			text.WriteString("hand-written\n")
		}
		b.Viewer = &v
		for _, f := range b.Root.Fields {
			if f.Kind != plan.MutationField {
				continue
			}
			fmt.Fprintf(&text, "%s: ", f.Alias)
			if err := b.Arguments(f).Err; err != nil {
				fmt.Fprintf(&text, "error at %v: %v\n", err.Path, err)
				continue
			}
			owner, isMember, err := b.AuthorizeMutation(f)
			if err != nil {
				fmt.Fprintf(&text, "%v\n", err)
				continue
			}
			in, errs := b.MutationInput(f, owner, isMember)
			writeInput(&text, in, errs)
		}
		return text.String()
	})
}

func writeInput(text *strings.Builder, in write.Input, errs write.UserErrors) {
	var parts []string
	add := func(name string, value any) { parts = append(parts, fmt.Sprintf("%s %v", name, value)) }
	if in.ID != "" {
		add("id", string(in.ID))
	}
	for _, a := range in.Set {
		add(a.Name+" =", shown(a.Value))
	}
	if len(in.Remove) > 0 {
		add("remove", in.Remove)
	}
	if in.Version != 0 {
		add("version", in.Version)
	}
	if in.IdempotencyKey != "" {
		add("once", in.IdempotencyKey)
	}
	if in.Owner != "" {
		add("owner", in.Owner)
	}
	for _, e := range errs.List() {
		add(string(e.Code), *e.Field+": "+e.Message)
	}
	fmt.Fprintf(text, "%s\n", strings.Join(parts, ", "))
}

// shown returns a stored value as a text.
func shown(v item.Value) string {
	switch v.Kind {
	case item.Null:
		return "null"
	case item.String:
		return fmt.Sprintf("%q", v.Text)
	case item.List:
		var parts []string
		for _, e := range v.Elements() {
			parts = append(parts, shown(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case item.Map:
		var parts []string
		for _, a := range v.Fields() {
			parts = append(parts, a.Name+": "+shown(a.Value))
		}
		return "{" + strings.Join(parts, " ") + "}"
	default:
		return v.Text
	}
}

// TestMutationInputIsNotShared: what a hook does to an input does not change that of the next request with the plan.
func TestMutationInputIsNotShared(t *testing.T) {
	schema := mutableSchema(t)
	doc := plantest.Parse(t, schema, `mutation { createThing(input: {name: "a"}) { userErrors { code } } }`)
	p := schema.Compile(doc, doc.Operations[0], nil)
	for range 2 {
		b := p.Bind(nil, &viewer.Viewer{ID: "ada"}, true)
		in, _ := b.MutationInput(b.Root.Fields[0], "", false)
		if got := in.Set.Text("name"); got != "a" {
			t.Fatalf("the name is %q", got)
		}
		at := slices.IndexFunc(in.Set, func(a item.Attribute) bool { return a.Name == "name" })
		in.Set[at].Value = item.StringValue("b")
	}
}

// mutableSchema returns a schema with a mutation without Go.
func mutableSchema(t *testing.T) *plan.Schema {
	t.Helper()
	return plantest.ReadSchema(t, &datadriven.TestData{Input: `
		type Query { thing(id: ID!): Thing @get(pk: "THING#{id}", sk: "THING#{id}") }
		type Thing @item(pk: "THING#{id}", sk: "THING#{id}") @mutable(create: ["VIEWER"]) { id: ID! name: String! }
	`})
}

// TestMutationOfGo: a mutation whose resolver a person has written is not one of the plan.
func TestMutationOfGo(t *testing.T) {
	schema := mutableSchema(t)
	schema = plan.NewSchema(schema.Design.WithHandWritten("Mutation.createThing"), schema.AST)
	doc := plantest.Parse(t, schema, `mutation { createThing(input: {name: "a"}) { userErrors { code } } }`)
	p := schema.Compile(doc, doc.Operations[0], nil)
	if f := p.Root.Fields[0]; f.Kind != plan.GoField || !p.HandWritten {
		t.Errorf("the field has the kind %v", f.Kind)
	}
}

// TestMutationWithoutRule: what nobody is allowed is denied to everyone.
func TestMutationWithoutRule(t *testing.T) {
	schema := mutableSchema(t)
	doc := plantest.Parse(t, schema, `mutation { createThing(input: {name: "a"}) { userErrors { code } } }`)
	p := schema.Compile(doc, doc.Operations[0], nil)
	for id, want := range map[string]error{"": plan.ErrSignIn, "ada": plan.ErrNotYours} {
		b := p.Bind(nil, &viewer.Viewer{ID: id, Roles: []string{"ADMIN"}}, true)
		f := *b.Root.Fields[0]
		f.Rule = nil
		if _, _, err := b.AuthorizeMutation(&f); !errors.Is(err, want) {
			t.Errorf("%q: %v", id, err)
		}
	}
}
