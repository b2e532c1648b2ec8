package randomtable

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/table/check"
)

// repair checks the table, repairs it, and repairs it again after entries and copies were lost.
func (r *runner) repair(e *engine) error {
	report, err := r.check(r.ctx, false)
	if err != nil {
		return err
	}
	sharded := slices.ContainsFunc(r.types, func(t *typ) bool {
		return slices.ContainsFunc(t.entries, func(s *shape) bool { return s.shards > 1 })
	})
	for _, v := range violations(report) {
		if v.Kind != check.IndexEntryWrong || !sharded {
			return fmt.Errorf("table check: %+v", v)
		}
	}
	whole, err := r.repaired(r.service)
	if err != nil {
		return err
	}
	if err := r.compareItems(r.items, whole); err != nil {
		return err
	}
	if sharded {
		if err := r.readAll(); err != nil {
			return fmt.Errorf("after table repair: %w", err)
		}
	}
	damaged := r.damaged(whole)
	other, err := e.serve(r.ctx, r.schema, damaged)
	if err != nil {
		return err
	}
	defer other.close()
	again, err := r.repaired(other)
	if err == nil {
		err = r.compareItems(r.items, again)
	}
	return err
}

// repaired repairs a table, and returns its items.
func (r *runner) repaired(s *service) (map[string]map[string]any, error) {
	repaired, err := s.check(r.ctx, true)
	if err != nil {
		return nil, err
	}
	report, err := s.check(r.ctx, false)
	if err == nil && len(violations(repaired))+len(violations(report))+len(report.Unconfirmed) > 0 {
		err = fmt.Errorf("after table repair: %+v %+v", repaired, report)
	}
	if err != nil {
		return nil, err
	}
	return s.export(r.ctx, r.tableModel)
}

// violations returns those of a report but references to nothing, which some objects have.
func violations(r check.Report) []check.Violation {
	return slices.DeleteFunc(r.Violations, func(v check.Violation) bool { return v.Kind == check.ReferenceBroken })
}

// damaged returns the items without some of the copies, and without some of the entries in indexes.
func (r *runner) damaged(whole map[string]map[string]any) []*stored {
	copies, hidden := map[string]bool{}, map[string]bool{}
	for _, it := range r.items {
		key := r.keyOf(it.attributes)
		copies[key], hidden[key] = it.shape.stored > 0, it.object.hidden
	}
	var all []*stored
	for _, key := range slices.Sorted(maps.Keys(whole)) {
		attributes := maps.Clone(whole[key])
		if hidden[key] { // What it lacks is not missed.
			all = append(all, &stored{attributes: attributes})
			continue
		}
		if copies[key] && r.IntN(3) == 0 {
			continue
		}
		for _, x := range r.indexes {
			if !x.own {
				continue
			}
			switch r.IntN(6) {
			case 0:
				delete(attributes, x.pk)
				delete(attributes, x.sk)
			case 1:
				if x.sk != "" && attributes[x.sk] != nil {
					attributes[x.sk] = stringAttribute("elsewhere")
				}
			}
		}
		all = append(all, &stored{attributes: attributes})
	}
	return all
}

// compareItems compares the items of the table with those that are expected. They may have attributes for values that
// were only in keys, and entries are in any of the present shards.
func (r *runner) compareItems(want []*stored, got map[string]map[string]any) error {
	left := maps.Clone(got)
	for _, it := range want {
		key := r.keyOf(it.attributes)
		attributes := left[key]
		if attributes == nil {
			return fmt.Errorf("the table has no %s of %s", key, it.object)
		}
		delete(left, key)
		expected := maps.Clone(it.attributes)
		for _, f := range it.object.typ.fields {
			if f.onlyInKeys && !f.noAttribute && attributes[f.attr] != nil {
				expected[f.attr] = it.object.values[f].stored
			}
		}
		for _, entry := range it.object.typ.entries {
			pk, ok := textOf(attributes[entry.index.pk])
			base, _ := entry.pk.key(r.delimiter, it.object.values)
			if ok && entry.stored == it.shape.stored && entry.index.own && expected[entry.index.pk] != nil {
				if isShard(pk, base, r.delimiter, entry.shards) {
					expected[entry.index.pk] = attributes[entry.index.pk]
				}
			}
		}
		want, got := normal(withoutNulls(expected)), normal(withoutNulls(attributes))
		if !reflect.DeepEqual(want, got) {
			return fmt.Errorf("%s of %s: -want +got\n%s", key, it.object, cmp.Diff(want, got))
		}
	}
	for key := range left {
		return fmt.Errorf("the table has %s: %v", key, got[key])
	}
	return nil
}

// withoutNulls returns the attributes but those that are NULL: a copy that is put anew does not have them.
func withoutNulls(attributes map[string]any) map[string]any {
	all := maps.Clone(attributes)
	maps.DeleteFunc(all, func(_ string, v any) bool { return reflect.DeepEqual(v, map[string]any{"NULL": true}) })
	return all
}

// isShard reports whether a partition is one of the present shards.
func isShard(pk, base, delimiter string, shards int) bool {
	if shards <= 1 {
		return pk == base
	}
	for n := range shards {
		if pk == fmt.Sprint(base, delimiter, n) {
			return true
		}
	}
	return false
}

// mutate creates, changes and deletes an object of each type that has mutations.
func (r *runner) mutate() error {
	g := &generator{r, r.tableModel, 0}
	root := r.types[0]
	for _, t := range r.types {
		if !t.mutable {
			continue
		}
		pools := map[*field][]*value{}
		for _, f := range t.fields {
			if pools[f] = f.kind.freeValues(); r.inKey(t, f) {
				pools[f] = f.kind.values(r.delimiter)
			}
			if f.nullable { // The payload has an empty set as a list, a read of it as null.
				pools[f] = slices.DeleteFunc(pools[f], func(v *value) bool { return v.stored == nil })
			}
		}
		o := g.object(t, pools, root)
		o.hidden, o.nulls, o.expiry = false, map[*field]bool{}, ""
		taken := g.taken()
		if slices.ContainsFunc(g.keysOf(o), func(key string) bool { return taken[key] }) {
			continue
		}
		if err := r.create(o); err != nil {
			return err
		}
		if err := r.change(g, o, pools); err != nil {
			return err
		}
	}
	return nil
}

// create creates an object, which gets its id if that is generated.
func (r *runner) create(o *object) error {
	t := o.typ
	id := t.field("id")
	generated := id != nil && t.isKey(id) && !id.kind.number
	if id != nil && !generated {
		o.values[id].literal = literal(globalID(t.name, o.values[id].id))
	}
	var input []string
	for _, f := range t.fields {
		if v := o.values[f]; v != nil && !(generated && f == id) {
			input = append(input, f.name+": "+v.literal)
		}
	}
	name := strings.ToLower(t.name[:1]) + t.name[1:]
	names, selection := r.names([]*typ{t})
	document := fmt.Sprintf("mutation { create%s(input: {%s}) { %s { newId: id %s } userErrors { code message } } }",
		t.name, strings.Join(input, ", "), name, strings.Trim(selection, "{}"))
	data, err := r.data(document)
	if err != nil {
		return err
	}
	payload, _ := data["create"+t.name].(map[string]any)
	created, _ := payload[name].(map[string]any)
	if created == nil || len(payload["userErrors"].([]any)) > 0 {
		return fmt.Errorf("%s: %v", document, data)
	}
	if generated {
		parsed, err := keysOfID(created["newId"].(string))
		if err != nil {
			return err
		}
		o.values[id] = kind{gql: "ID"}.text(parsed)
	}
	delete(created, "newId")
	if want := normal(o.answer(names)); !reflect.DeepEqual(any(created), want) {
		return fmt.Errorf("%s\n-want +got\n%s", document, cmp.Diff(want, any(created)))
	}
	t.objects = append(t.objects, o)
	return r.compareTable(document)
}

// compareTable compares the table with the items of all objects.
func (r *runner) compareTable(document string) error {
	items := r.fill(func(int) int { return 0 })
	got, err := r.export(r.ctx, r.tableModel)
	if err != nil {
		return err
	}
	created := map[*object]bool{}
	for _, t := range r.types {
		for _, o := range t.objects[min(len(t.objects), r.before[t]):] {
			created[o] = true
		}
	}
	existing := map[string]bool{} // A latest copy keeps what it has, whichever object it holds.
	for _, it := range r.items {
		existing[r.keyOf(it.attributes)] = true
	}
	for _, it := range items {
		if created[it.object] && !existing[r.keyOf(it.attributes)] {
			delete(it.attributes, "legacy attribute")
		}
	}
	if err := r.compareItems(items, got); err != nil {
		return fmt.Errorf("%s\n%w", document, err)
	}
	report, err := r.check(r.ctx, false)
	if err == nil && len(violations(report)) > 0 {
		err = fmt.Errorf("%s\ntable check: %+v", document, report.Violations)
	}
	return err
}

// change changes some values of an object, and deletes it.
func (r *runner) change(g *generator, o *object, pools map[*field][]*value) error {
	t := o.typ
	var input []string
	for _, f := range t.fields {
		isRank := slices.ContainsFunc(t.items, func(s *shape) bool { return s.latest == f })
		if t.isKey(f) || isRank || r.IntN(2) == 0 || f.of != nil {
			continue
		}
		if f.nullable && r.IntN(3) == 0 {
			o.values[f] = nil
			delete(o.values, f)
			input = append(input, f.name+": null")
			continue
		}
		o.values[f] = pick(g, pools[f])
		input = append(input, f.name+": "+o.values[f].literal)
	}
	id := "id: " + literal(globalID(t.name, o.identity()...))
	document := fmt.Sprintf("mutation { update%s(input: {%s}) { userErrors { code message } } }", t.name,
		strings.Join(append(input, id), ", "))
	if len(input) > 0 {
		if err := r.succeed(document, "update"+t.name); err != nil {
			return err
		}
		if err := r.compareTable(document); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(t.items, func(s *shape) bool { return s.latest != nil }) {
		return nil
	}
	document = fmt.Sprintf("mutation { delete%s(input: {%s}) { userErrors { code message } } }", t.name, id)
	t.objects = slices.DeleteFunc(t.objects, func(other *object) bool { return other == o })
	if err := r.succeed(document, "delete"+t.name); err != nil {
		return err
	}
	return r.compareTable(document)
}

// succeed sends a mutation that must succeed.
func (r *runner) succeed(document, name string) error {
	data, err := r.data(document)
	if err != nil {
		return err
	}
	payload, _ := data[name].(map[string]any)
	if payload == nil || len(payload["userErrors"].([]any)) > 0 {
		return fmt.Errorf("%s: %v", document, data)
	}
	return nil
}
