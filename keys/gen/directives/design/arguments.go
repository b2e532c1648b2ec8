package directives

import (
	"slices"

	"github.com/partita/partita/keys"
)

// pagingArguments are the arguments of a connection and their types.
//
// https://relay.dev/graphql/connections.htm#sec-Arguments
var pagingArguments = [...]struct{ name, typ string }{
	{"first", "Int"}, {"after", "String"}, {"last", "Int"}, {"before", "String"},
}

func isPaging(name string) bool {
	for _, p := range pagingArguments {
		if p.name == name {
			return true
		}
	}
	return false
}

// resolveArguments sets the arguments of each matched read that are variables of its condition. All
// others are faults, which checkArguments finds.
func (r *access) resolveArguments() {
	for _, rd := range r.reads {
		if len(rd.matches) == 0 {
			continue
		}
		next := r.next(rd)
		for _, a := range rd.def.Arguments {
			kind, ranged := r.argumentKind(a)
			of := next
			if slices.Contains(rd.variables(), a.Name) {
				of = attribute(rd.matches[0], a.Name)
			} else if a.Name != next || !ranged {
				continue
			}
			argument := keys.Argument{Name: a.Name, Kind: kind, Range: ranged}
			if stored := rd.matches[0].Type.Attribute(of); stored != nil && kind == keys.IDKind {
				argument.Ref = stored.Ref
			}
			rd.Arguments = append(rd.Arguments, argument)
		}
	}
}

// next returns the attribute that a range argument of the read bounds.
func (r *access) next(rd *read) string {
	if rd.Kind != keys.Query || len(rd.matches) == 0 {
		return ""
	}
	resolved, err := keys.Resolve(r.keyTypes(), rd.Field)
	if err != nil {
		return ""
	}
	return resolved.Next()
}

func (r *storage) keyTypes() []*keys.Type {
	var types []*keys.Type
	for _, t := range r.sortedTypes() {
		types = append(types, t.Type)
	}
	return types
}
