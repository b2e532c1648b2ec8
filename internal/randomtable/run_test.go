package randomtable

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/gen/directives"
)

type contexted interface{ Context() context.Context }

// runner asks a service everything, and compares it with the objects.
type runner struct {
	*tableModel
	*service
	*rand.Rand
	ctx   context.Context //nolint:containedctx // a runner lives as long as one table
	items []*stored
	// before is how many objects of a type there were before mutations.
	before map[*typ]int
}

func (e *engine) run(t contexted, m *tableModel, schema *directives.Schema, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 1))
	items := m.fill(random.IntN)
	s, err := e.serve(t.Context(), schema, items)
	if err != nil {
		return err
	}
	defer s.close()
	s.hidden = slices.ContainsFunc(items, func(it *stored) bool { return it.object.hidden })
	r := &runner{m, s, random, t.Context(), items, map[*typ]int{}}
	if err := r.readAll(); err != nil {
		return err
	}
	if err := r.repair(e); err != nil {
		return err
	}
	for _, t := range m.types {
		r.before[t] = len(t.objects)
	}
	return r.mutate()
}

func (r *runner) readAll() error {
	if err := r.nodes(); err != nil {
		return err
	}
	for _, p := range r.patterns {
		for range 3 {
			if err := r.askOne(p); err != nil {
				return err
			}
		}
	}
	return r.joins()
}

// names returns some of the fields of types that are no reads, and how to select them.
func (r *runner) names(types []*typ) (names []string, selection string) {
	var parts []string
	for _, t := range types {
		var own []string
		if t.isNode {
			own = append(own, "id")
		}
		for _, f := range t.fields {
			if f.name != "id" {
				own = append(own, f.name)
			}
		}
		if r.IntN(3) == 0 {
			r.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
			own = own[:r.IntN(len(own)+1)]
		}
		if len(types) == 1 {
			return own, "{ __typename " + strings.Join(own, " ") + " }"
		}
		part := " ... on " + t.name + " { __typename"
		for _, name := range own {
			alias := t.name + "_" + name
			names, part = append(names, alias), part+" "+alias+": "+name
		}
		parts = append(parts, part+" }")
	}
	return names, "{ __typename" + strings.Join(parts, "") + " }"
}

// nodes reads all objects by their IDs.
func (r *runner) nodes() error {
	for _, t := range r.types {
		if !t.isNode || len(t.objects) == 0 {
			continue
		}
		names, selection := r.names([]*typ{t})
		var ids, representations []string
		var want []any
		for _, o := range t.objects {
			id := literal(globalID(t.name, o.identity()...))
			ids = append(ids, id)
			representations = append(representations, fmt.Sprintf("{__typename: %q, id: %s}", t.name, id))
			if o.hidden {
				want = append(want, nil)
			} else {
				want = append(want, o.answer(names))
			}
		}
		// Fields that an object with its key alone has are not read: such an object may be hidden.
		if slices.ContainsFunc(t.objects, func(o *object) bool { return o.hidden }) && r.keyOnly(t, names) {
			continue
		}
		for _, root := range [...]struct {
			field, argument string
			list            []string
		}{{"nodes", "ids", ids}, {"_entities", "representations", representations}} {
			document := fmt.Sprintf("{ %s(%s: [%s]) { ... on %s %s } }",
				root.field, root.argument, strings.Join(root.list, ", "), t.name, selection)
			if err := r.same(document, map[string]any{root.field: want}); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyOnly reports whether all these fields follow from the key.
func (r *runner) keyOnly(t *typ, names []string) bool {
	for _, name := range names {
		if f := t.field(name); f != nil && !t.isKey(f) {
			return false
		}
	}
	return true
}

// same sends a document. Its data must be as expected.
func (r *runner) same(document string, want map[string]any) error {
	got, err := r.data(document)
	if err != nil {
		return err
	}
	if expected := normal(want); !reflect.DeepEqual(any(got), expected) {
		return fmt.Errorf("%s\n%q\n-want +got\n%s", document, r.proxy.Log(), cmp.Diff(expected, any(got)))
	}
	return nil
}

func (r *runner) data(document string) (map[string]any, error) {
	got, err := r.send(r.ctx, document)
	if err == nil && (len(got.Errors) > 0 || got.Data == nil) {
		err = fmt.Errorf("%v %s", got.Errors, r.log)
	}
	if err != nil {
		return nil, fmt.Errorf("%s\n%w\n%q", document, err, r.proxy.Log())
	}
	return got.Data, nil
}

// normal returns a value as it is decoded from JSON.
func normal(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var decoded any
	if err := decoder.Decode(&decoded); err != nil {
		panic(err)
	}
	return decoded
}
