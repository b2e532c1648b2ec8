package crowd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/tabletest/amazon"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// read reads an object and a collection, and compares the answers with the ledger.
func (w *writer) read(ctx context.Context) error {
	if len(w.own) == 0 {
		return nil
	}
	r := w.replicas[w.random.IntN(len(w.replicas))]
	err := w.readObject(ctx, r, w.own[w.random.IntN(len(w.own))])
	if err == nil {
		err = w.readField(ctx, r)
	}
	if lost := new(lostError); errors.As(err, &lost) {
		return nil
	}
	return err
}

func (w *writer) readObject(ctx context.Context, r *replica, o *object) error {
	t := w.typeOf(r.side, o)
	names := []string{"id"}
	for _, a := range t.Attributes {
		if a.Object == "" {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	query := fmt.Sprintf("query($id: ID!) { node(id: $id) { ... on %s { %s } } }", t.Name,
		strings.Join(slices.Compact(names), " "))
	data, err := w.ask(ctx, r, query, map[string]any{"id": w.idOf(r.side, o)})
	if data == nil {
		return err
	}
	got, _ := data["node"].(map[string]any)
	if got == nil {
		return fmt.Errorf("there is no %v by side %d", o.forms[r.side], r.side)
	}
	for i := range t.Attributes {
		a := &t.Attributes[i]
		if a.Object != "" || w.isComputed(r.side, t, a.Name) {
			continue
		}
		want, _ := o.forms[r.side].Get(a.Name)
		if have := textOf(got[a.Name]); have != answered(a, want, t, w.idOf(r.side, o)) {
			return fmt.Errorf("%s of %v by side %d is %s", a.Name, o.forms[r.side], r.side, have)
		}
	}
	return nil
}

// isComputed reports whether an attribute is a counter, or a version that only one side has.
func (w *world) isComputed(side int, t *design.Type, name string) bool {
	d := w.sides[side].Design
	return slices.ContainsFunc(d.CountersIn(t), func(c *design.Counter) bool { return c.Attribute == name }) ||
		t.Version == name && w.translate[side].Attribute(t.Name, name) == ""
}

func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		return fmt.Sprint(v)
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(v)
}

// answered returns the text of a stored value in an answer.
func answered(a *design.Attribute, v item.Value, t *design.Type, id string) string {
	switch {
	case v.Kind == item.Null:
		return ""
	case v.Kind == item.List:
		var texts []any
		for _, e := range v.Elements() {
			texts = append(texts, e.Text)
		}
		return fmt.Sprint(texts)
	case a.Name == "id" && slices.Contains(t.Identity, "id"):
		return id
	case a.Kind == keys.IDKind && a.Ref != "":
		return keys.NewID(a.Ref, v.Text).Encode()
	case a.Kind == keys.IDKind:
		return v.Text
	case a.Kind == keys.Time:
		return strings.Replace(v.Text, ".000Z", "Z", 1)
	}
	return v.Text
}

// question is a field with the values of its arguments, as a document and as the design has them.
type question struct {
	*design.Field
	side  int
	match design.Match
	// of is an object that the field may return, and from the one that has the field; nil for one of Query.
	of, from            *object
	given               map[string]keys.Value
	variables           map[string]any
	declared, arguments []string
}

// areIndexesLate is whether what is written comes into an index after some time, as it does in DynamoDB.
var areIndexesLate = amazon.Environment().IndexDelay > 0

// readField asks a random field that reads, and looks for the writer's objects in its answer. What an index has becomes
// right at some time, as the writer changes nothing meanwhile.
func (w *writer) readField(ctx context.Context, r *replica) error {
	q := w.question(r)
	if q == nil {
		return nil
	}
	condition, err := q.Bind(q.value).Condition()
	if err != nil {
		return nil //nolint:nilerr // The values are none of the field's.
	}
	want, document := w.selected(r.side, q.Field, condition), q.document(w)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		got, err := w.pages(ctx, r, document, q.variables, q.from != nil)
		if got == nil || err != nil {
			return err
		}
		err = w.compare(r, q.Field, document, q.variables, got, want)
		if err == nil || q.Index == "" || !areIndexesLate || time.Now().After(deadline) {
			return err
		}
		delete(q.variables, "after")
	}
}

// question draws a question; nil if the writer has no objects for it.
func (w *writer) question(r *replica) *question {
	d, schema := w.sides[r.side].Design, w.sides[r.side].AST
	f := d.Fields[w.random.IntN(len(d.Fields))]
	parent := d.Type(f.Parent)
	if f.Kind.IsByID() || f.Bucketed() != "" || f.EdgeNode || len(f.Matches()) == 0 ||
		f.Parent != schema.Query.Name && parent == nil {
		return nil
	}
	q := &question{Field: f, side: r.side, given: map[string]keys.Value{}, variables: map[string]any{}}
	q.match = f.Matches()[w.random.IntN(len(f.Matches()))]
	for _, o := range w.own {
		if o.forms[r.side].Type() == q.match.Type.Name && (q.of == nil || w.random.IntN(2) == 0) {
			q.of = o
		}
		if parent != nil && o.forms[r.side].Type() == parent.Name && (q.from == nil || w.random.IntN(2) == 0) {
			q.from = o
		}
	}
	if q.of == nil || parent != nil && q.from == nil || !q.give(w, schema.Types[f.Parent].Fields.ForName(f.Name)) {
		return nil
	}
	return q
}

// give gives arguments the values of the object that the field may return. It reports whether all have one that must.
func (q *question) give(w *writer, def *ast.FieldDefinition) bool {
	for i, a := range q.Arguments {
		if a.Range || a.Parts > 0 {
			continue
		}
		name, typ := "", def.Arguments.ForName(a.Name).Type
		for shape, variable := range q.match.Variables {
			if variable == a.Name {
				name = shape
			}
		}
		v, has := q.of.forms[q.side].Get(name)
		if !has && typ.NonNull {
			return false
		}
		if !has || !typ.NonNull && w.random.IntN(3) == 0 {
			break
		}
		variable := fmt.Sprint("a", i)
		q.variables[variable], q.given[a.Name] = v.Text, keys.AttributeValue(q.of.forms[q.side], name)
		switch {
		case v.Kind == item.Number:
			q.variables[variable] = json.Number(v.Text)
		case a.Kind == keys.IDKind && a.Ref != "":
			id := keys.NewID(a.Ref, v.Text)
			q.variables[variable], q.given[a.Name] = id.Encode(), keys.IDValue(id)
		}
		q.declared = append(q.declared, fmt.Sprintf("$%s: %s", variable, typ))
		q.arguments = append(q.arguments, fmt.Sprintf("%s: $%s", a.Name, variable))
	}
	return true
}

// value returns the value of a variable of the field.
func (q *question) value(name string) keys.Value {
	if q.Argument(name) == nil && q.from != nil {
		return keys.AttributeValue(q.from.forms[q.side], name)
	}
	return q.given[name]
}

func (q *question) document(w *writer) string {
	selection := " { ... on Node { id } }"
	if q.Result == design.Connection {
		q.arguments = append(q.arguments, "first: 100", "after: $after")
		q.declared = append(q.declared, "$after: String")
		selection = " { nodes { ... on Node { id } } pageInfo { hasNextPage endCursor } }"
	}
	text := "f: " + q.Name
	if len(q.arguments) > 0 {
		text += "(" + strings.Join(q.arguments, ", ") + ")"
	}
	text += selection
	if q.from != nil {
		q.declared = append(q.declared, "$of: ID!")
		q.variables["of"] = w.idOf(q.side, q.from)
		text = fmt.Sprintf("of: node(id: $of) { ... on %s { %s } }", q.Parent, text)
	}
	if len(q.declared) == 0 {
		return "{ " + text + " }"
	}
	return "query(" + strings.Join(q.declared, ", ") + ") { " + text + " }"
}

// pages returns the ids of all pages of an answer; nil if something is not ready.
func (w *writer) pages(
	ctx context.Context, r *replica, query string, variables map[string]any, isBelow bool,
) ([]string, error) {
	ids := []string{}
	for range 200 {
		data, err := w.ask(ctx, r, query, variables)
		if data == nil {
			return nil, err
		}
		if isBelow {
			of, is := data["of"].(map[string]any)
			if !is {
				return nil, fmt.Errorf("there is no parent %v for %s", variables, query)
			}
			data = of
		}
		var nodes []any
		var next any
		switch answer := data["f"].(type) {
		case []any:
			nodes = answer
		case map[string]any:
			all, isConnection := answer["nodes"].([]any)
			if !isConnection {
				nodes = []any{answer}
				break
			}
			nodes = all
			if info := answer["pageInfo"].(map[string]any); info["hasNextPage"] == true {
				next = info["endCursor"]
			}
		}
		for _, n := range nodes {
			ids = append(ids, n.(map[string]any)["id"].(string))
		}
		if next == nil {
			return ids, nil
		}
		variables["after"] = next
	}
	return nil, errors.New("no end of pages of " + query)
}

// selected returns the ids of the writer's objects that a condition selects.
func (w *writer) selected(side int, f *design.Field, c design.Condition) []string {
	ids := []string{}
	for _, o := range w.own {
		it := o.forms[side]
		t := w.typeOf(side, o)
		places := migratetest.Places(t, f.Index, it)
		if slices.Contains(f.Types, t.Name) && slices.ContainsFunc(places, func(at keys.Key) bool {
			return c.Find(at) >= 0
		}) {
			ids = append(ids, w.idOf(side, o))
		}
	}
	return ids
}

// compare compares the ids of an answer with those of the ledger. Ids of others are left out.
func (w *writer) compare(
	r *replica, f *design.Field, query string, variables map[string]any, got, want []string,
) error {
	fail := func(what, id string) error {
		return fmt.Errorf("%s by side %d of %s %v: %s %s; the answer has %d, the ledger %d", f.Coordinate(), r.side, query,
			variables, what, decoded(id), len(got), len(want))
	}
	seen := map[string]bool{}
	for _, id := range got {
		// Those of others may move to another page meanwhile.
		isOwn := slices.ContainsFunc(w.own, func(o *object) bool { return w.idOf(r.side, o) == id })
		switch {
		case isOwn && seen[id]:
			return fail("twice", id)
		case isOwn && !slices.Contains(want, id):
			return fail("too much", id)
		}
		seen[id] = true
		parsed, err := keys.ParseID(id)
		if err != nil {
			return err
		}
		former := w.translate[1].TypeOf(parsed.Type())
		if r.side == 0 {
			former = parsed.Type()
		}
		if w.gone[keys.NewID(former, parsed.Values()...).Encode()] {
			return fail("deleted", id)
		}
	}
	for _, id := range want {
		if !seen[id] && (f.Result != design.One || len(got) == 0) {
			return fail("missing", id)
		}
	}
	return nil
}

func decoded(id string) string {
	parsed, err := keys.ParseID(id)
	if err != nil {
		return id
	}
	return string(parsed)
}
