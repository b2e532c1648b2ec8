package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// checkActions finds what is wrong with fields that have @step: first what each step says, then what they are together.
func checkActions(r *checker) {
	for _, def := range r.Objects() {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("step"); d != nil && def != r.Schema.Mutation {
				r.find(d.Position, def.Name+"."+f.Name, "@step on a field that is no mutation",
					fmt.Sprintf("remove @step from field %s.%s", def.Name, f.Name))
			}
		}
	}
	for _, d := range r.Actions {
		if r.MutationOf(d.Name) != nil {
			continue // checkMutationName finds it.
		}
		a := &actionChecker{checker: r, DeclaredAction: d, coordinate: r.Schema.Mutation.Name + "." + d.Name}
		before := len(r.findings)
		a.checkField()
		if !a.checkTypes() || !a.checkNames() || d.Built == nil || d.InputDef.Kind != ast.InputObject ||
			d.PayloadDef.Kind != ast.Object {
			continue
		}
		a.checkWrites()
		for i, s := range d.Steps {
			a.checkStep(i, s)
		}
		if len(r.findings) == before {
			a.checkWhole()
		}
	}
}

// actionChecker checks one action.
type actionChecker struct {
	*checker
	*reading.DeclaredAction
	coordinate string
}

func (a *actionChecker) at(s *reading.Step, what, fix string) {
	a.findIn(s, s.Directive.Position, what, fix)
}

// findIn adds a finding about a step, with its name if there are others.
func (a *actionChecker) findIn(s *reading.Step, at *ast.Position, what, fix string) {
	if len(a.Steps) > 1 {
		what = fmt.Sprintf("step %s: %s", s.Name, what)
	}
	a.find(at, a.coordinate, what, fix)
}

// checkField finds a field that has not the shape of an action.
func (a *actionChecker) checkField() {
	f := a.Field
	if f.Directives.ForName("cost") != nil {
		a.find(f.Position, a.coordinate, "the cost of an action follows from its steps",
			"remove @cost from field "+a.coordinate)
	}
	input, want := f.Arguments.ForName("input"), sdl.UpperFirst(a.Name)+"Input!"
	for _, other := range f.Arguments {
		if other != input {
			a.find(f.Position, a.coordinate, "the only argument of an action is input",
				fmt.Sprintf("remove the argument %s of %s", other.Name, a.coordinate))
		}
	}
	switch {
	case input == nil:
		a.find(f.Position, a.coordinate, "the argument of an action is input",
			fmt.Sprintf("add the argument input: %s to field %s", want, a.coordinate))
	case input.Type.Elem != nil || !input.Type.NonNull || a.RangeEnd(input.Type) != nil ||
		a.InputDef != nil && a.InputDef.Kind != ast.InputObject:
		a.find(f.Position, a.coordinate, "the argument of an action is input: "+want,
			fmt.Sprintf("on field %s replace input: %s with input: %s", a.coordinate, input.Type, want))
	}
	payload := sdl.UpperFirst(a.Name) + "Payload"
	isOther := func(d *reading.DeclaredAction) bool { return d.Name != a.Name && d.PayloadDef == a.PayloadDef }
	isMutations := func(m *reading.DeclaredMutation) bool { return m.PayloadDef == a.PayloadDef }
	isShared := a.PayloadDef.Name != payload && slices.ContainsFunc(a.Actions, isOther) ||
		slices.ContainsFunc(a.Mutations, isMutations)
	isRoot := a.PayloadDef == a.Schema.Query || a.PayloadDef == a.Schema.Mutation
	if f.Type.Elem != nil || a.PayloadDef.Kind != ast.Object || a.Types[a.PayloadDef.Name] != nil || isShared || isRoot {
		a.find(f.Position, a.coordinate, "an action returns a payload of its own", "return "+payload)
	}
}

// checkTypes finds steps that do not say what they do, and types that are not stored. It reports whether there are
// none.
func (a *actionChecker) checkTypes() bool {
	ok := true
	for _, s := range a.Steps {
		var given []string
		for _, kind := range reading.StepKinds {
			if s.Directive.Arguments.ForName(kind) != nil {
				given = append(given, kind)
			}
		}
		t := a.Types[s.Type]
		switch {
		case len(given) > 1:
			a.at(s, fmt.Sprintf("a step does one thing, not %s and %s", given[0], given[1]),
				fmt.Sprintf("remove %s from @step, or write it as a step of its own", given[1]))
		case len(given) == 0:
			verb := "delete"
			if len(s.Take)+len(s.Set)+len(s.Add) > 0 {
				verb = "update"
			}
			a.at(s, "the step does not say what it does",
				fmt.Sprintf("write %s: %q, or another of create, update, upsert, delete and check", verb, a.anyType()))
		case t == nil:
			a.findType(s, given[0])
		default:
			ok = ok && !t.Broken && !t.HasUnknownVariable()
			continue
		}
		ok = false
	}
	return ok
}

// findType finds a step whose type is not stored.
func (a *actionChecker) findType(s *reading.Step, verb string) {
	what := fmt.Sprintf("there is no stored type %s", s.Type)
	likely := finding.Likely(s.Type, a.storedNames())
	switch def := a.Schema.Types[s.Type]; {
	case likely != "":
		a.at(s, finding.IsLikely(likely, what), fmt.Sprintf("write %s: %q", verb, likely))
	case def != nil && def.Kind == ast.Object && def.Fields.ForName("id") != nil && def.Directives.ForName("item") == nil:
		a.at(s, what, fmt.Sprintf("add %s to type %s", sdl.ItemLine(a.OwnShape(s.Type)), s.Type))
	default:
		a.at(s, what, fmt.Sprintf("remove %s from type %s, or declare the type %s with @item", a.Name,
			a.Schema.Mutation.Name, s.Type))
	}
}

func (a *actionChecker) storedNames() []string {
	var names []string
	for _, t := range a.SortedTypes() {
		names = append(names, t.Name)
	}
	return names
}

// anyType returns a stored type: one that the payload has, if there is one.
func (a *actionChecker) anyType() string {
	for _, f := range a.PayloadDef.Fields {
		if a.Types[f.Type.Name()] != nil {
			return f.Type.Name()
		}
	}
	return append(a.storedNames(), "Item")[0]
}

// checkNames finds steps with the same name, or with one that the payload cannot have.
func (a *actionChecker) checkNames() bool {
	ok := true
	for i, s := range a.Steps {
		isSame := func(other *reading.Step) bool { return other.Name == s.Name }
		if !slices.ContainsFunc(a.Steps[:i], isSame) && reading.FieldName.MatchString(s.Name) &&
			s.Name != sdl.UserErrorsField {
			continue
		}
		name := sdl.LowerFirst(s.Type)
		for n := 2; slices.ContainsFunc(a.Steps, func(other *reading.Step) bool { return other.Name == name }); n++ {
			name = fmt.Sprintf("%s%d", sdl.LowerFirst(s.Type), n)
		}
		a.at(s, fmt.Sprintf("%q cannot be the name of this step: each has a name of its own", s.Name),
			fmt.Sprintf("write as: %q, or another name", name))
		ok = false
	}
	return ok
}

// checkWrites finds an action that only checks something.
func (a *actionChecker) checkWrites() {
	if !slices.ContainsFunc(a.Steps, func(s *reading.Step) bool { return s.Kind != design.CheckStep }) {
		a.at(a.Steps[0], "the action writes nothing",
			fmt.Sprintf("remove %s from type %s, or add a step that writes", a.Name, a.Schema.Mutation.Name))
	}
}

// checkWhole finds what is wrong with the steps together, and with a declared input or payload.
func (a *actionChecker) checkWhole() {
	a.checkActionOwner()
	n := sdl.BoolInt(a.Built.HasIdempotencyKey)
	for _, s := range a.Steps {
		if n++; s.Kind != design.CheckStep {
			n += itemsOf(a.checker, a.Types[s.Type]) - 1
		}
	}
	if n > maxItems {
		a.at(a.Steps[0], fmt.Sprintf("the action writes up to %d items, but a transaction has at most %d", n, maxItems),
			fmt.Sprintf("remove @step from field %s, or do less in one action", a.coordinate))
	}
	a.checkActionInput()
	a.checkActionPayload()
}

// checkActionOwner finds OWNER without a field that has the owner's id, and {viewer} without a viewer.
func (a *actionChecker) checkActionOwner() {
	allow := a.Field.Directives.ForName("allow")
	if allow == nil {
		return // checkRules finds it.
	}
	rule := reading.ReadAllow(allow)
	t := a.Types[a.Steps[0].Type]
	if slices.Contains(sdl.List(allow, "to"), any(reading.AllowOwner)) && a.Built.Owner == "" {
		owner, lines := ownerOf(a.checker, t), ""
		if owner == "" {
			owner = "ownerId"
			lines = fmt.Sprintf("add %s: ID! to type %s\n", owner, t.Name)
		}
		a.find(allow.Position, a.coordinate, fmt.Sprintf("OWNER may call the action, but the owner of the %s is unknown",
			t.Name), lines+addOwner(t.Def, owner))
	}
	for _, s := range a.Steps {
		isViewer := func(v reading.StepValue) bool { return v.Operand.Text == predicate.Viewer }
		uses := slices.ContainsFunc(slices.Concat(s.Key, s.Set), isViewer) ||
			slices.Contains(s.If.Variables(), predicate.Viewer)
		if rule.Public && uses {
			a.find(allow.Position, a.coordinate, "{viewer} is unknown of those who have not signed in",
				fmt.Sprintf("write to: [%q]", reading.AllowViewer))
			return
		}
	}
}

// isOwnerAction reports whether the owner of an object may call an action whose first step is of the type.
func isOwnerAction(r *checker, def *ast.Definition) bool {
	return slices.ContainsFunc(r.Actions, func(d *reading.DeclaredAction) bool {
		allow := d.Field.Directives.ForName("allow")
		return d.Steps[0].Type == def.Name && allow != nil &&
			slices.Contains(sdl.List(allow, "to"), any(reading.AllowOwner))
	})
}

// checkActionInput compares a declared input with the fields that the steps need.
func (a *actionChecker) checkActionInput() {
	var wanted []inputField
	lists := map[string][]inputField{}
	for _, in := range a.InputsOf(a.Action) {
		field := inputField{in.Name, in.FieldType, in.FieldType.NonNull}
		if in.List == "" {
			wanted = append(wanted, field)
			continue
		}
		if lists[in.List] == nil {
			wanted = append(wanted, inputField{in.List, a.listType(in), true})
		}
		field.name = strings.TrimPrefix(in.Name, in.List+".")
		lists[in.List] = append(lists[in.List], field)
	}
	a.checkElements(lists)
	find := func(name string) *ast.Definition { return a.Schema.Types[name] }
	if a.HasIdempotencyKey(find, a.IdentityOf) {
		wanted = append(wanted, inputField{reading.IdempotencyKey, ast.NamedType("String", nil), false})
	}
	checkInputObject(a.checker, a.asMutation(), a.InputDef, wanted, "any step", map[string]bool{})
}

// asMutation returns the action for checks that it shares with other mutations.
func (a *actionChecker) asMutation() *reading.DeclaredMutation {
	m := &reading.Mutation{Name: a.Name, Directive: a.Steps[0].Directive, Def: a.Types[a.Steps[0].Type].Def}
	return &reading.DeclaredMutation{Mutation: m, Of: a.Types[a.Steps[0].Type], PayloadDef: a.PayloadDef}
}

// checkActionPayload finds fields of a declared payload that nothing resolves.
func (a *actionChecker) checkActionPayload() {
	def, m := a.PayloadDef, a.asMutation()
	if f := def.Fields.ForName(sdl.UserErrorsField); f == nil {
		a.find(def.Position, def.Name, fmt.Sprintf("%s returns what a person can correct", a.Name),
			fmt.Sprintf("add %s: %s to type %s", sdl.UserErrorsField, sdl.UserErrorsType, def.Name))
	}
	types := map[string]string{sdl.UserErrorsField: sdl.UserErrorsType}
	var names []string
	for _, s := range a.Steps {
		if s.Kind == design.CheckStep {
			continue
		}
		types[s.Name] = s.Object()
		if names = append(names, s.Name); s.Kind == design.DeleteStep {
			types[s.DeletedID()] = s.Deleted()
			names = append(names, s.DeletedID())
		}
	}
	missing := slices.DeleteFunc(names, func(name string) bool { return def.Fields.ForName(name) != nil })
	for _, f := range def.Fields {
		if typ := types[f.Name]; typ != "" {
			checkPayloadType(a.checker, m, f, typ)
			continue
		}
		what, fix := fmt.Sprintf("no step of %s is named %s", a.Name, f.Name),
			fmt.Sprintf("remove %s from type %s", f.Name, def.Name)
		if likely := finding.Likely(f.Name, missing); likely != "" {
			what, fix = finding.IsLikely(likely, what), fmt.Sprintf("rename %s to %s in type %s", f.Name, likely, def.Name)
		}
		a.find(f.Position, def.Name+"."+f.Name, what, fix)
	}
}
