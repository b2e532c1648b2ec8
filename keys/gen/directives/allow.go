package directives

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// The words of @allow that are not roles.
const (
	allowPublic = "PUBLIC"
	allowOwner  = "OWNER"
	allowViewer = "VIEWER"
)

var roleName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

func (r *reader) readAllows() {
	for _, def := range r.objects() {
		if d := def.Directives.ForName("allow"); d != nil {
			r.readTypeRule(def, d)
		}
		for _, f := range def.Fields {
			if d := f.Directives.ForName("allow"); d != nil {
				r.rules = append(r.rules, &keys.FieldRule{Parent: def.Name, Name: f.Name, Rule: r.readAllow(def, f, d)})
			}
		}
	}
}

// readTypeRule reads the rule of a type. Which objects are of the type, and who owns them, is known
// only of a stored type.
func (r *reader) readTypeRule(def *ast.Definition, d *ast.Directive) {
	rule := r.readAllow(def, nil, d)
	if t := r.types[def.Name]; t != nil {
		t.Rule = rule
		return
	}
	if !rule.IsPublic() {
		r.find(d.Position, def.Name, "@allow on a type that is not stored",
			"write @allow on the fields that return "+def.Name+", or on its own fields")
	}
}

// readAllow returns the rule of a type, or of a field of it.
func (r *reader) readAllow(def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) *keys.Rule {
	rule := &keys.Rule{Owner: textArgument(d, "owner")}
	coordinate := def.Name
	if f != nil {
		coordinate += "." + f.Name
	}
	to, _ := d.ArgumentMap(nil)["to"].([]any)
	if len(to) == 0 {
		r.find(d.Position, coordinate, "@allow allows nobody", "name at least one of PUBLIC, VIEWER, OWNER or a role")
	}
	owner := false
	for _, word := range to {
		switch word, _ := word.(string); {
		case word == allowPublic:
			rule.Public = true
		case word == allowViewer:
			rule.SignedIn = true
		case word == allowOwner:
			owner = true
		case roleName.MatchString(word):
			rule.Roles = append(rule.Roles, word)
		default:
			r.find(d.Position, coordinate, fmt.Sprintf("%q is not a role", word),
				"write PUBLIC, VIEWER, OWNER, or a role in capital letters, such as ADMIN")
		}
	}
	slices.Sort(rule.Roles)
	rule.Roles = slices.Compact(rule.Roles)
	switch {
	case owner && rule.Owner == "":
		r.find(d.Position, coordinate, "OWNER without owner: the owner is unknown",
			`name the field that holds the owner's id, as in owner: "userId"`)
	case !owner && rule.Owner != "":
		r.find(d.Position, coordinate, "owner without OWNER: the owner is not allowed",
			"add OWNER to the list, or remove owner")
	case owner && !r.holdsID(def, f, rule.Owner):
		r.find(d.Position, coordinate, fmt.Sprintf("owner names %s, which is not a stored ID of %s", rule.Owner, def.Name),
			"name a field of type ID that holds the owner's id")
	}
	return rule
}

// holdsID reports whether the name is an argument of the field or an attribute
// of the type, and an ID.
func (r *reader) holdsID(def *ast.Definition, f *ast.FieldDefinition, name string) bool {
	if f != nil {
		if a := f.Arguments.ForName(name); a != nil {
			return r.kind(a.Type) == keys.IDKind
		}
	}
	t := r.types[def.Name]
	if t == nil {
		if t = r.edgeItem(def.Name); t == nil {
			return false
		}
	}
	a := t.Attribute(name)
	return a != nil && a.Kind == keys.IDKind
}
