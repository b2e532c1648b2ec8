package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// maxItems is how many items a transaction of DynamoDB can write.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
const maxItems = 100

// checkMutable finds what is wrong with @mutable itself. The definitions of mutations are checked one by one.
func checkMutable(r *checker) {
	for _, t := range r.SortedTypes() {
		if d := t.Def.Directives.ForName("mutable"); d != nil && !t.Broken && !t.HasUnknownVariable() {
			checkMutableType(r, t, d)
		}
	}
	for i, d := range r.Mutations {
		if d.Of.Broken || d.Of.HasUnknownVariable() {
			continue
		}
		checkCallers(r, d)
		if checkMutationName(r, d, r.Mutations[:i]) && d.Built != nil {
			checkMutationField(r, d)
			checkInput(r, d)
			checkPayload(r, d)
		}
	}
	checkUserErrors(r)
}

func checkMutableType(r *checker, t *reading.Type, d *ast.Directive) {
	mutations := reading.MutationsOf(t.Def, t.Identity)
	if len(mutations) == 0 {
		r.find(d.Position, t.Name, "@mutable without create, update or delete: there is no mutation",
			`write create: ["VIEWER"], update: ["VIEWER"], or others who may call them`)
	}
	for kind, verb := range reading.Verbs {
		isGiven := slices.ContainsFunc(mutations, func(m *reading.Mutation) bool { return int(m.Kind) == kind })
		if names := reading.NamesOf(d); names[verb] != nil && !isGiven {
			delete(names, verb)
			r.find(d.Position, t.Name, fmt.Sprintf("names has %s, but nobody may %s a %s", verb, verb, t.Name), namesFix(names))
		}
	}
	if id := t.Def.Fields.ForName("id"); slices.ContainsFunc(mutations, (*reading.Mutation).HasID) {
		const what = "an update or a deletion names the object by its id, which the type does not have"
		switch {
		case id == nil:
			r.find(d.Position, t.Name, what, "add id: ID! to type "+t.Name)
		case id.Type.Name() != "ID":
			r.find(d.Position, t.Name, what, sdl.Retype(t.Name, id, "ID!"))
		}
	}
	checkOwner(r, t, d, mutations)
	if n := itemsOf(r, t); n > maxItems {
		r.find(d.Position, t.Name,
			fmt.Sprintf("a mutation writes up to %d items, but a transaction has at most %d", n, maxItems),
			"remove @mutable from type "+t.Name+", and write its mutations in Go, in several transactions")
	}
}

// checkOwner finds OWNER without a field that has the owner's id.
func checkOwner(r *checker, t *reading.Type, d *ast.Directive, mutations []*reading.Mutation) {
	allow := t.Def.Directives.ForName("allow")
	if len(mutations) == 0 || mutations[0].Owner != "" || !reading.IsOwnerMutable(t.Def) || allow != nil &&
		r.hasFinding(allow) {
		return
	}
	owner := ownerOf(r, t)
	const what = "OWNER may call a mutation, but the owner is unknown"
	if owner == "" {
		owner = "ownerId"
		r.find(d.Position, t.Name, what, fmt.Sprintf("add %s: ID! to type %s\n%s", owner, t.Name, addOwner(t.Def, owner)))
		return
	}
	r.find(d.Position, t.Name, what, addOwner(t.Def, owner))
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
	return fmt.Sprintf("on type %s replace %s\nwith %s", def.Name, sdl.DirectiveText(allow), sdl.DirectiveText(&other))
}

// ownerOf returns a field that may have the id of an object's owner, or "". The object's own id is that of its owner
// only if there is no other.
func ownerOf(r *checker, t *reading.Type) string {
	names := reading.AttributeNames(t.Type)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(sdl.BoolInt(a == "id"), sdl.BoolInt(b == "id"))
	})
	for _, name := range names {
		if r.HoldsID(t.Def, nil, name) {
			return name
		}
	}
	return ""
}

// itemsOf returns how many items a mutation of an object of the type writes at most.
func itemsOf(r *checker, t *reading.Type) int {
	others := len(t.Copies) + len(t.Uniques)
	for _, c := range r.Counters {
		if slices.ContainsFunc(c.Counters, func(k *design.Counter) bool { return k.Type == t.Name }) {
			others += 1 + len(c.Parent.Copies)
		}
	}
	// A creation has the claim of an idempotency key. An update may move everything but the item.
	return max(2+others, 1+2*others)
}

// checkCallers finds words that are no callers.
func checkCallers(r *checker, d *reading.DeclaredMutation) {
	verb := reading.Verbs[d.Kind]
	if len(d.To) == 0 {
		r.find(d.Directive.Position, d.Of.Name, verb+" allows nobody",
			fmt.Sprintf("write %s: [%q], or PUBLIC, OWNER or a role", verb, reading.AllowViewer))
	}
	var corrected []string
	for _, word := range d.To {
		corrected = append(corrected, reading.RoleFrom(word))
	}
	allow := d.Def.Directives.ForName("allow")
	members := reading.MemberWords(allow)
	if slices.Contains(d.To, reading.AllowMember) && !slices.Contains(members, reading.AllowMember) {
		others := slices.DeleteFunc(slices.Clone(d.To), func(word string) bool { return word == reading.AllowMember })
		if len(others) == 0 {
			others = []string{reading.AllowViewer}
		}
		r.find(d.Directive.Position, d.Of.Name, "MEMBER without member: who is one is unknown",
			fmt.Sprintf("write %s: %s, or member in the @allow of the type", verb, sdl.QuotedList(others)))
	}
	if byGo := goNames(reading.GoWords(allow)); len(lessNames(d.To, byGo)) < len(d.To) {
		r.find(d.Directive.Position, d.Of.Name, "Go code decides who reads, and not who writes: that is for a hook",
			fmt.Sprintf("write %s: %s", verb, sdl.QuotedList(lessWords(d.To, byGo))))
	}
	for _, word := range d.To {
		if !reading.IsRole(word) && !slices.Contains(members, word) {
			r.find(d.Directive.Position, d.Of.Name, notRole(word),
				fmt.Sprintf("write %s: %s, "+wordsOfRoles, verb, sdl.QuotedList(corrected)))
		}
	}
}

// checkMutationName finds a name that no field can have, or that another mutation has. It reports whether there is
// none.
func checkMutationName(r *checker, d *reading.DeclaredMutation, before []*reading.DeclaredMutation) bool {
	what := ""
	if !reading.FieldName.MatchString(d.Name) {
		what = fmt.Sprintf("%q is not a name", d.Name)
	}
	if a := r.ActionNamed(d.Name); a != nil {
		what = fmt.Sprintf("%s is an action already (%s)", d.Name, finding.PlaceOf(a.Field.Position))
	}
	for _, other := range before {
		if sdl.UpperFirst(other.Name) == sdl.UpperFirst(d.Name) {
			what = fmt.Sprintf("%s is the name of a mutation of %s already", d.Name, other.Of.Name)
			if other.Of == d.Of {
				what = fmt.Sprintf("%s is the name of two mutations", d.Name)
			}
		}
	}
	if what != "" {
		r.find(d.Directive.Position, d.Of.Name, what, nameFix(r, d))
	}
	return what == ""
}

// nameFix returns the fix that gives a mutation another name.
func nameFix(r *checker, d *reading.DeclaredMutation) string {
	name := reading.Verbs[d.Kind] + sdl.UpperFirst(d.Of.Name)
	isTaken := func(name string) bool {
		m := r.MutationOf(name)
		return m != nil && m != d || d.Name == name || r.Schema.Mutation != nil && m == nil &&
			r.Schema.Mutation.Fields.ForName(name) != nil
	}
	for isTaken(name) {
		name += "Object"
	}
	names := reading.NamesOf(d.Directive)
	names[reading.Verbs[d.Kind]] = name
	return namesFix(names)
}

// namesFix returns the fix that gives mutations these names.
func namesFix(names map[string]any) string {
	var parts []string
	for _, verb := range reading.Verbs {
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
func checkMutationField(r *checker, d *reading.DeclaredMutation) {
	f := d.Field
	coordinate := r.Schema.Mutation.Name + "." + f.Name
	by := fmt.Sprintf("@mutable declares the field (%s)", finding.PlaceOf(d.Directive.Position))
	switch {
	case f.Directives.ForName("cost") != nil:
		r.find(d.Directive.Position, d.Of.Name,
			fmt.Sprintf("%s is a mutation that is written in Go already (%s)", f.Name, finding.PlaceOf(f.Position)), nameFix(r,
				d))
		return
	case f.Directives.ForName("allow") != nil:
		r.find(f.Position, coordinate, by+", and lists who may call it", "remove @allow from field "+coordinate)
	}
	if f.Type.Name() != d.Payload() || f.Type.Elem != nil {
		r.find(f.Position, coordinate, by+", which returns "+d.Payload(), "return "+d.Payload())
	}
	input := f.Arguments.ForName("input")
	want := d.Input() + "!"
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
