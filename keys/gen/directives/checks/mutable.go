package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// maxItems is how many items a transaction of DynamoDB can write.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
const maxItems = 100

// checkMutable finds what is wrong with @mutable itself. The definitions of mutations are checked one by one.
func (r *checker) checkMutable() {
	for _, t := range r.sortedTypes() {
		if d := t.def.Directives.ForName("mutable"); d != nil && !t.broken && !t.hasUnknownVariable() {
			r.checkMutableType(t, d)
		}
	}
	for i, d := range r.mutations {
		if d.of.broken || d.of.hasUnknownVariable() {
			continue
		}
		r.checkCallers(d)
		if r.checkMutationName(d, r.mutations[:i]) && d.Mutation != nil {
			r.checkMutationField(d)
			r.checkInput(d)
			r.checkPayload(d)
		}
	}
	r.checkUserErrors()
}

func (r *checker) checkMutableType(t *storedType, d *ast.Directive) {
	mutations := mutationsOf(t.def, t.Identity)
	if len(mutations) == 0 {
		r.find(d.Position, t.Name, "@mutable without create, update or delete: there is no mutation",
			`write create: ["VIEWER"], update: ["VIEWER"], or others who may call them`)
	}
	for kind, verb := range verbs {
		isGiven := slices.ContainsFunc(mutations, func(m *mutation) bool { return int(m.kind) == kind })
		if names := namesOf(d); names[verb] != nil && !isGiven {
			delete(names, verb)
			r.find(d.Position, t.Name, fmt.Sprintf("names has %s, but nobody may %s a %s", verb, verb, t.Name),
				namesFix(names))
		}
	}
	if id := t.def.Fields.ForName("id"); slices.ContainsFunc(mutations, (*mutation).hasID) {
		const what = "an update or a deletion names the object by its id, which the type does not have"
		switch {
		case id == nil:
			r.find(d.Position, t.Name, what, "add id: ID! to type "+t.Name)
		case id.Type.Name() != "ID":
			r.find(d.Position, t.Name, what, retype(t.Name, id, "ID!"))
		}
	}
	r.checkOwner(t, d, mutations)
	if n := r.itemsOf(t); n > maxItems {
		r.find(d.Position, t.Name,
			fmt.Sprintf("a mutation writes up to %d items, but a transaction has at most %d", n, maxItems),
			"remove @mutable from type "+t.Name+", and write its mutations in Go, in several transactions")
	}
}

// checkOwner finds OWNER without a field that has the owner's id.
func (r *checker) checkOwner(t *storedType, d *ast.Directive, mutations []*mutation) {
	allow := t.def.Directives.ForName("allow")
	if len(mutations) == 0 || mutations[0].owner != "" || !isOwnerMutable(t.def) || allow != nil && r.hasFinding(allow) {
		return
	}
	owner := r.ownerOf(t)
	const what = "OWNER may call a mutation, but the owner is unknown"
	if owner == "" {
		owner = "ownerId"
		r.find(d.Position, t.Name, what, fmt.Sprintf("add %s: ID! to type %s\n%s", owner, t.Name, addOwner(t.def, owner)))
		return
	}
	r.find(d.Position, t.Name, what, addOwner(t.def, owner))
}

// addOwner returns the fix that names the owner in the @allow of a type.
func addOwner(def *ast.Definition, owner string) string {
	allow := def.Directives.ForName("allow")
	if allow == nil {
		return fmt.Sprintf("add @allow(owner: %q) to type %s", owner, def.Name)
	}
	other := *allow
	other.Arguments = append(slices.Clone(allow.Arguments), &ast.Argument{
		Name: "owner", Value: &ast.Value{Kind: ast.StringValue, Raw: owner},
	})
	return fmt.Sprintf("on type %s replace %s\nwith %s", def.Name, directiveText(allow), directiveText(&other))
}

// ownerOf returns a field that may have the id of an object's owner, or "". The object's own id is that of its owner
// only if there is no other.
func (r *checker) ownerOf(t *storedType) string {
	names := attributeNames(t.Type)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(boolInt(a == "id"), boolInt(b == "id")) })
	for _, name := range names {
		if r.holdsID(t.def, nil, name) {
			return name
		}
	}
	return ""
}

// itemsOf returns how many items a mutation of an object of the type writes at most.
func (r *checker) itemsOf(t *storedType) int {
	others := len(t.Copies) + len(t.Uniques)
	for _, c := range r.counters {
		if slices.ContainsFunc(c.counters, func(k *keys.Counter) bool { return k.Type == t.Name }) {
			others++
		}
	}
	// A creation has the claim of an idempotency key. An update may move everything but the item.
	return max(2+others, 1+2*others)
}

// checkCallers finds words that are no callers.
func (r *checker) checkCallers(d *declaredMutation) {
	verb := verbs[d.kind]
	if len(d.to) == 0 {
		r.find(d.directive.Position, d.of.Name, verb+" allows nobody",
			fmt.Sprintf("write %s: [%q], or PUBLIC, OWNER or a role", verb, allowViewer))
	}
	var corrected []string
	for _, word := range d.to {
		corrected = append(corrected, roleFrom(word))
	}
	for _, word := range d.to {
		if !isRole(word) {
			r.find(d.directive.Position, d.of.Name, notRole(word),
				fmt.Sprintf("write %s: %s, "+wordsOfRoles, verb, quotedList(corrected)))
		}
	}
}

// checkMutationName finds a name that no field can have, or that another mutation has. It reports whether there is
// none.
func (r *checker) checkMutationName(d *declaredMutation, before []*declaredMutation) bool {
	what := ""
	if !fieldName.MatchString(d.name) {
		what = fmt.Sprintf("%q is not a name", d.name)
	}
	for _, other := range before {
		if upperFirst(other.name) == upperFirst(d.name) {
			what = fmt.Sprintf("%s is the name of a mutation of %s already", d.name, other.of.Name)
			if other.of == d.of {
				what = fmt.Sprintf("%s is the name of two mutations", d.name)
			}
		}
	}
	if what != "" {
		r.find(d.directive.Position, d.of.Name, what, r.nameFix(d))
	}
	return what == ""
}

// nameFix returns the fix that gives a mutation another name.
func (r *checker) nameFix(d *declaredMutation) string {
	name := verbs[d.kind] + upperFirst(d.of.Name)
	isTaken := func(name string) bool {
		m := r.mutationOf(name)
		return m != nil && m != d || d.name == name || r.schema.Mutation != nil && m == nil &&
			r.schema.Mutation.Fields.ForName(name) != nil
	}
	for isTaken(name) {
		name += "Object"
	}
	names := namesOf(d.directive)
	names[verbs[d.kind]] = name
	return namesFix(names)
}

// namesFix returns the fix that gives mutations these names.
func namesFix(names map[string]any) string {
	var parts []string
	for _, verb := range verbs {
		if name, is := names[verb].(string); is {
			parts = append(parts, fmt.Sprintf("%s: %q", verb, name))
		}
	}
	if len(parts) == 0 {
		return "remove names from @mutable"
	}
	return "write names: {" + strings.Join(parts, ", ") + "}"
}

// checkMutationField finds a field of Mutation that the schema declares otherwise than @mutable does.
func (r *checker) checkMutationField(d *declaredMutation) {
	f := d.field
	coordinate := r.schema.Mutation.Name + "." + f.Name
	by := fmt.Sprintf("@mutable declares the field (%s)", placeOf(d.directive.Position))
	switch {
	case f.Directives.ForName("cost") != nil:
		r.find(d.directive.Position, d.of.Name,
			fmt.Sprintf("%s is a mutation that is written in Go already (%s)", f.Name, placeOf(f.Position)), r.nameFix(d))
		return
	case f.Directives.ForName("allow") != nil:
		r.find(f.Position, coordinate, by+", and lists who may call it",
			"remove @allow from field "+coordinate)
	}
	if f.Type.Name() != d.payload() || f.Type.Elem != nil {
		r.find(f.Position, coordinate, by+", which returns "+d.payload(), "return "+d.payload())
	}
	input := f.Arguments.ForName("input")
	want := d.input() + "!"
	for _, a := range f.Arguments {
		if a != input {
			r.find(f.Position, coordinate, by+", whose only argument is input",
				fmt.Sprintf("remove the argument %s of %s", a.Name, coordinate))
		}
	}
	switch {
	case input == nil:
		r.find(f.Position, coordinate, by+", whose argument is input",
			fmt.Sprintf("add the argument input: %s to field %s", want, coordinate))
	case input.Type.String() != want:
		r.find(f.Position, coordinate, by+", whose argument is input: "+want,
			fmt.Sprintf("on field %s replace input: %s with input: %s", coordinate, input.Type, want))
	}
}
