package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
)

// writer creates, changes and deletes objects of its own, one after the other, and reads them.
type writer struct {
	*world
	name     string
	random   *rand.Rand
	serial   int
	client   *http.Client
	replicas []*replica
	own      []*object
	// gone are the ids of deleted objects.
	gone map[string]bool
	// counts are for the report.
	counts *counts
	stop   <-chan struct{}
	// pause is how long it waits at most after each step.
	pause time.Duration
}

type counts struct{ writes, answers, notReady, unavailable atomic.Int64 }

// replica is a gateway with the schema of a side.
type replica struct {
	side int
	url  atomic.Value // "" while it is down
}

const maxOwn = 12

func (w *writer) run(ctx context.Context) error {
	for w.goesOn(ctx) {
		if err := w.step(ctx); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		if err := w.read(ctx); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return nil
}

// goesOn pauses, and reports whether there is a next step.
func (w *writer) goesOn(ctx context.Context) bool {
	select {
	case <-w.stop:
		return false
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(w.random.Int64N(int64(w.pause) + 1))):
		return true
	}
}

// step is one random mutation.
func (w *writer) step(ctx context.Context) error {
	r := w.replicas[w.random.IntN(len(w.replicas))]
	all := w.sides[r.side].Mutations
	m := all[w.random.IntN(len(all))]
	t := w.sides[r.side].Type(m.Type)
	if m.Kind == design.CreateMutation {
		if len(w.own) > maxOwn {
			return nil
		}
		return w.create(ctx, r, m, t)
	}
	var of []*object
	for _, o := range w.own {
		if o.forms[r.side].Type() == t.Name && (m.Kind == design.UpdateMutation || !w.isNamed(t)) {
			of = append(of, o)
		}
	}
	if len(of) == 0 {
		return nil
	}
	o := of[w.random.IntN(len(of))]
	in := map[string]any{"id": w.idOf(r.side, o)}
	if t.Version != "" {
		if w.isComputed(r.side, t, t.Version) {
			return nil // The other side does not count changes.
		}
		v, _ := o.forms[r.side].Get(t.Version)
		in[t.Version] = json.Number(v.Text)
	}
	if m.Kind == design.DeleteMutation {
		done, err := w.mutate(ctx, r, m, in, "NOT_FOUND", nil)
		if done {
			w.own = slices.DeleteFunc(w.own, func(other *object) bool { return other == o })
			w.gone[o.id] = true
		}
		return err
	}
	return w.update(ctx, r, m, t, o, in)
}

// isNamed reports whether other objects name those of a type: they are not deleted.
func (w *writer) isNamed(t *design.Type) bool {
	for side := range w.sides {
		for _, f := range w.sides[side].Fields {
			if f.Parent == t.Name || f.Parent == w.translate[1-side].TypeOf(t.Name) {
				return true
			}
		}
	}
	return false
}

func (w *writer) create(ctx context.Context, r *replica, m *design.Mutation, t *design.Type) error {
	in, form, ok := w.inputs(r.side, t, m.Inputs)
	if !ok {
		return nil
	}
	if m.HasIdempotencyKey {
		w.serial++
		in["idempotencyKey"] = fmt.Sprint(w.name, w.serial)
	}
	if t.Version != "" {
		form = with(form, t.Version, item.NumberValue(1))
	}
	if w.exists(r.side, t, form) {
		return nil
	}
	o := &object{}
	done, err := w.mutate(ctx, r, m, in, "ALREADY", &o.id)
	if !done {
		return err
	}
	if o.id == "" {
		values := make([]string, len(t.Identity))
		for i, name := range t.Identity {
			v, _ := form.Get(name)
			values[i] = v.Text
		}
		o.id = keys.NewID(t.Name, values...).Encode()
	}
	id, err := keys.ParseID(o.id)
	if err != nil {
		return err
	}
	if m.HasIdempotencyKey {
		form = with(form, "id", item.StringValue(id.Value()))
	}
	w.set(o, r.side, form)
	if o.forms[0] == nil {
		return fmt.Errorf("no form of %v", form)
	}
	o.id = keys.NewID(o.forms[0].Type(), id.Values()...).Encode()
	w.own = append(w.own, o)
	return nil
}

// exists reports whether the writer has an object with the identity of another one.
func (w *writer) exists(side int, t *design.Type, form item.Item) bool {
	return slices.ContainsFunc(w.own, func(o *object) bool {
		return o.forms[side].Type() == t.Name && !slices.ContainsFunc(t.Identity, func(name string) bool {
			a, has := form.Get(name)
			b, _ := o.forms[side].Get(name)
			return !has || !a.Equal(b)
		})
	})
}

func (w *writer) update(
	ctx context.Context, r *replica, m *design.Mutation, t *design.Type, o *object, in map[string]any,
) error {
	names := slices.DeleteFunc(slices.Clone(m.Inputs), func(string) bool { return w.random.IntN(2) == 0 })
	values, changes, ok := w.inputs(r.side, t, names)
	if !ok || len(values) == 0 {
		return nil
	}
	for name, v := range values {
		in[name] = v
	}
	done, err := w.mutate(ctx, r, m, in, "CONFLICT", nil)
	if !done {
		return err
	}
	form := o.forms[r.side]
	for _, name := range names {
		v, _ := changes.Get(name)
		form = with(form, name, v)
	}
	for side, d := range w.sides {
		of := d.Type(o.forms[side].Type())
		if v, has := o.forms[side].Get(of.Version); of.Version != "" && has {
			n, _ := item.AsInt(v)
			if side == r.side {
				form = with(form, of.Version, item.NumberValue(n+1))
			} else {
				o.forms[side] = with(o.forms[side], of.Version, item.NumberValue(n+1))
			}
		}
	}
	w.set(o, r.side, form)
	return nil
}

// inputs draws values for attributes.
func (w *writer) inputs(
	side int, t *design.Type, names []string,
) (in map[string]any, form item.Item, ok bool) {
	in, form = map[string]any{}, item.Item{{Name: item.EntityType, Value: item.StringValue(t.Name)}}
	def := w.sides[side].AST.Types[t.Name]
	for _, name := range names {
		a := t.Attribute(name)
		if !a.NonNull && w.random.IntN(3) == 0 && !slices.Contains(t.Identity, name) {
			in[name] = nil
			continue
		}
		v, ok := w.value(side, t, a, def)
		if !ok {
			return nil, nil, false
		}
		if enum := w.sides[side].AST.Types[def.Fields.ForName(name).Type.Name()]; enum.Kind == ast.Enum {
			text := enum.EnumValues[w.random.IntN(len(enum.EnumValues))].Name
			v = value{text, item.StringValue(text)}
		}
		if a.Default.Kind == item.Number && w.translate[side].Attribute(t.Name, name) == "" {
			v = value{json.Number(a.Default.Text), a.Default} // that of an object whose value undo has removed
		}
		in[name] = v.json
		form = with(form, name, v.stored)
	}
	return in, form, true
}

// mutate sends a mutation until there is an answer, and reports whether it was carried out. already is the code of one
// that an attempt without an answer has carried out.
func (w *writer) mutate(
	ctx context.Context, r *replica, m *design.Mutation, in map[string]any, already string, id *string,
) (bool, error) {
	schema := w.sides[r.side].AST
	input := schema.Mutation.Fields.ForName(m.Name).Arguments.ForName("input").Type.String()
	selection := "userErrors { code message }"
	if id != nil && m.Object != "" {
		selection += " " + m.Object + " { id }"
	}
	query := fmt.Sprintf("mutation($in: %s) { m: %s(input: $in) { %s } }", input, m.Name, selection)
	for doubt := false; ; doubt = true {
		a, err := w.ask(ctx, r, query, map[string]any{"in": in})
		var lost *lostError
		switch {
		case errors.As(err, &lost):
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			continue
		case err != nil:
			return false, err
		case a == nil:
			if doubt {
				continue // An attempt may have been carried out.
			}
			return false, nil
		}
		payload, _ := a["m"].(map[string]any)
		var codes []string
		for _, e := range payload["userErrors"].([]any) {
			codes = append(codes, fmt.Sprint(e.(map[string]any)["code"]))
		}
		if object, is := payload[m.Object].(map[string]any); is && id != nil {
			*id = object["id"].(string)
		}
		w.counts.writes.Add(1)
		switch text := strings.Join(codes, " "); {
		case text == "", doubt && (text == already || text == "TAKEN"):
			return true, nil
		default:
			return false, fmt.Errorf("%s %v by side %d, doubt %v: %v", m.Name, in, r.side, doubt, payload)
		}
	}
}

// lostError means that there is no answer.
type lostError struct{ error }

// ask returns the data of an answer; nil if something is not ready.
func (w *writer) ask(ctx context.Context, r *replica, query string, variables map[string]any) (map[string]any, error) {
	url, _ := r.url.Load().(string)
	lose := func(err error) (map[string]any, error) {
		w.counts.unavailable.Add(1)
		time.Sleep(20 * time.Millisecond)
		return nil, &lostError{err}
	}
	if url == "" {
		return lose(errors.New("the replica is down"))
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if err := processtest.SignIn(request, viewer.Viewer{ID: w.name, Tenant: tenant}); err != nil {
		return nil, err
	}
	response, err := w.client.Do(request)
	if err != nil {
		return lose(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Data   map[string]any
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		return lose(err)
	}
	isReady := true
	for _, e := range answer.Errors {
		switch e.Extensions.Code {
		case "NOT_READY":
			isReady = false
		case "UNAVAILABLE":
			return lose(errors.New(e.Message))
		case "BAD_USER_INPUT":
			if !strings.Contains(e.Message, "is not a cursor") {
				return nil, fmt.Errorf("%s for %s %v", e.Message, query, variables)
			}
			return lose(errors.New("reads have switched between two pages"))
		default:
			return nil, fmt.Errorf("%s: %s for %s %v", e.Extensions.Code, e.Message, query, variables)
		}
	}
	if !isReady {
		w.counts.notReady.Add(1)
		return nil, nil //nolint:nilnil // no data, and nothing went wrong
	}
	w.counts.answers.Add(1)
	return answer.Data, nil
}
