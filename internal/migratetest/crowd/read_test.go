package crowd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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
		names = append(names, a.Name)
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
		if w.isComputed(r.side, t, a.Name) {
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

// readField asks a random field that reads, and looks for the writer's objects in its answer.
func (w *writer) readField(ctx context.Context, r *replica) error {
	d, schema := w.sides[r.side].Design, w.sides[r.side].AST
	f := d.Fields[w.random.IntN(len(d.Fields))]
	parent := d.Type(f.Parent)
	if f.Kind.IsByID() || f.Bucketed() != "" || f.EdgeNode || len(f.Matches()) == 0 ||
		f.Parent != schema.Query.Name && parent == nil {
		return nil
	}
	var of, from *object
	m := f.Matches()[w.random.IntN(len(f.Matches()))]
	for _, o := range w.own {
		if o.forms[r.side].Type() == m.Type.Name && (of == nil || w.random.IntN(2) == 0) {
			of = o
		}
		if parent != nil && o.forms[r.side].Type() == parent.Name && (from == nil || w.random.IntN(2) == 0) {
			from = o
		}
	}
	if of == nil || parent != nil && from == nil {
		return nil
	}
	given, variables, declared, arguments := map[string]keys.Value{}, map[string]any{}, []string{}, []string{}
	def := schema.Types[f.Parent].Fields.ForName(f.Name)
	for i, a := range f.Arguments {
		if a.Range || a.Parts > 0 {
			continue
		}
		name := ""
		for shape, variable := range m.Variables {
			if variable == a.Name {
				name = shape
			}
		}
		v, has := of.forms[r.side].Get(name)
		isRequired := def.Arguments.ForName(a.Name).Type.NonNull
		if !has && isRequired {
			return nil
		}
		if !has || !isRequired && w.random.IntN(3) == 0 {
			break
		}
		given[a.Name] = keys.AttributeValue(of.forms[r.side], name)
		variable := fmt.Sprint("a", i)
		variables[variable] = v.Text
		switch {
		case v.Kind == item.Number:
			variables[variable] = json.Number(v.Text)
		case a.Kind == keys.IDKind && a.Ref != "":
			id := keys.NewID(a.Ref, v.Text)
			variables[variable], given[a.Name] = id.Encode(), keys.IDValue(id)
		}
		declared = append(declared, fmt.Sprintf("$%s: %s", variable, def.Arguments.ForName(a.Name).Type))
		arguments = append(arguments, fmt.Sprintf("%s: $%s", a.Name, variable))
	}
	values := func(name string) keys.Value {
		if f.Argument(name) == nil && from != nil {
			return keys.AttributeValue(from.forms[r.side], name)
		}
		return given[name]
	}
	condition, err := f.Bind(values).Condition()
	if err != nil {
		return nil //nolint:nilerr // The values are none of the field's.
	}
	want := w.selected(r.side, f, condition)
	if f.Result == design.Connection {
		arguments = append(arguments, "first: 100", "after: $after")
		declared = append(declared, "$after: String")
	}
	text := f.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if f.Result == design.Connection {
		text = "f: " + text + " { nodes { ... on Node { id } } pageInfo { hasNextPage endCursor } }"
	} else {
		text = "f: " + text + " { ... on Node { id } }"
	}
	if from != nil {
		declared = append(declared, "$of: ID!")
		variables["of"] = w.idOf(r.side, from)
		text = fmt.Sprintf("of: node(id: $of) { ... on %s { %s } }", f.Parent, text)
	}
	query := "{ " + text + " }"
	if len(declared) > 0 {
		query = "query(" + strings.Join(declared, ", ") + ") " + query
	}
	got, err := w.pages(ctx, r, query, variables, from != nil)
	if got == nil || err != nil {
		return err
	}
	return w.compare(r, f, query, variables, got, want)
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
		if slices.Contains(f.Types, t.Name) && slices.ContainsFunc(placesOf(t, f.Index, it), func(at keys.Key) bool {
			return c.Find(at) >= 0
		}) {
			ids = append(ids, w.idOf(side, o))
		}
	}
	return ids
}

// placesOf returns the keys of an object in an index, or with "" in the table.
func placesOf(t *design.Type, index string, it item.Item) []keys.Key {
	values := func(name string) keys.Value { return keys.AttributeValue(it, name) }
	var all []keys.Key
	if index == "" {
		if key, err := t.BaseKey(values); err == nil {
			all = append(all, key)
		}
		for _, c := range t.Copies {
			if key, err := c.Key(values); err == nil {
				all = append(all, key)
			}
		}
	}
	for _, ix := range t.Indexes {
		if ix.Name == index {
			if key, isEntry, err := t.IndexKey(ix, values); err == nil && isEntry {
				all = append(all, key)
			}
		}
	}
	return all
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
