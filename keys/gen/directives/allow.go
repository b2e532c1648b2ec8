package directives

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// Allow is who may see a type or a field: whoever one of its parts admits.
type Allow struct {
	// Coordinate is the type, or the field as Type.field.
	Coordinate string
	// Public admits anyone.
	Public bool
	// Owner is the field, or for a read the argument, that holds the id of the
	// viewer it admits, or "".
	Owner string
	// Roles admits viewers with one of them; sorted.
	Roles []string
}

// The words of @allow that are no roles.
const (
	allowPublic = "PUBLIC"
	allowOwner  = "OWNER"
)

var roleName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

func (r *reader) readAllows() {
	for _, def := range r.objects() {
		r.readAllow(def, nil, def.Directives.ForName("allow"))
		for _, f := range def.Fields {
			r.readAllow(def, f, f.Directives.ForName("allow"))
		}
	}
}

func (r *reader) readAllow(def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	if d == nil {
		return
	}
	a := &Allow{Coordinate: def.Name, Owner: textArgument(d, "owner")}
	if f != nil {
		a.Coordinate += "." + f.Name
	}
	to, _ := d.ArgumentMap(nil)["to"].([]any)
	if len(to) == 0 {
		r.find(d.Position, a.Coordinate, "@allow admits nobody", "name at least one of PUBLIC, OWNER or a role")
	}
	owner := false
	for _, word := range to {
		switch word, _ := word.(string); {
		case word == allowPublic:
			a.Public = true
		case word == allowOwner:
			owner = true
		case roleName.MatchString(word):
			a.Roles = append(a.Roles, word)
		default:
			r.find(d.Position, a.Coordinate, fmt.Sprintf("%q is no role", word), "write PUBLIC, OWNER, or a role in capital letters, such as ADMIN")
		}
	}
	slices.Sort(a.Roles)
	a.Roles = slices.Compact(a.Roles)
	switch {
	case owner && a.Owner == "":
		r.find(d.Position, a.Coordinate, "OWNER without owner: nothing says whose it is", "name the field that holds the owner's id, as in owner: \"userId\"")
	case !owner && a.Owner != "":
		r.find(d.Position, a.Coordinate, "owner without OWNER: the owner is not admitted", "add OWNER to the list, or remove owner")
	case owner && !r.holdsID(def, f, a.Owner):
		r.find(d.Position, a.Coordinate, fmt.Sprintf("owner names %s, which is no stored ID of %s", a.Owner, def.Name), "name a field of type ID that holds the owner's id")
	}
	r.allows[a.Coordinate] = a
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
