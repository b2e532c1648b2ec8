package loaders

import (
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys/design"
)

// accessCheck is what InterceptField checks before and after a field is resolved.
type accessCheck struct {
	// rule of the field; nil if it has none.
	rule *design.Rule
	// ownerIsArgument is set if the owner is one of the field's arguments.
	ownerIsArgument bool
	// isMutation is set on the fields of Mutation.
	isMutation bool
	// decidesItself is set for a resolver that replaces a generated one: only it knows the object.
	decidesItself bool
	// checksResult is set if the field may return an object of a type with a rule. Pages are
	// excluded: the loaders check them when they read them.
	checksResult bool
}

// accessChecks are by field name and then by object type. Fields that need no check are left out.
type accessChecks map[string]map[string]*accessCheck

func newAccessChecks(d *design.Design, schema *ast.Schema) accessChecks {
	all := accessChecks{}
	pages := pageTypes(d, schema)
	for _, def := range schema.Types {
		if def.Kind != ast.Object || def.BuiltIn {
			continue
		}
		for _, f := range def.Fields {
			check := accessCheck{rule: d.Rule(def.Name, f.Name), isMutation: def == schema.Mutation}
			if check.isMutation && d.Mutation(f.Name) != nil && !d.IsHandWritten(def.Name, f.Name) {
				continue // Mutate decides.
			}
			if check.isMutation && check.rule == nil {
				check.rule = &design.Rule{} // A mutation without a rule is denied to everyone.
			}
			check.decidesItself = check.isMutation && d.Mutation(f.Name) != nil
			check.ownerIsArgument = check.rule != nil && f.Arguments.ForName(check.rule.Owner) != nil
			check.checksResult = !pages[def.Name] && mayHaveRule(d, schema, f.Type.Name())
			if !check.rule.IsPublic() || check.checksResult {
				if all[f.Name] == nil {
					all[f.Name] = map[string]*accessCheck{}
				}
				all[f.Name][def.Name] = &check
			}
		}
	}
	return all
}

// pageTypes returns the connection types that the loaders fill, and their edge types.
func pageTypes(d *design.Design, schema *ast.Schema) map[string]bool {
	pages := map[string]bool{}
	for _, fd := range d.Fields {
		if def := schema.Types[fd.Parent]; def != nil && fd.Result == design.Connection {
			pages[fd.Edge] = true
			pages[def.Fields.ForName(fd.Name).Type.Name()] = true
		}
	}
	return pages
}

// mayHaveRule reports whether a value of the type may be an object of a type with a rule.
func mayHaveRule(design *design.Design, schema *ast.Schema, name string) bool {
	def := schema.Types[name]
	if def == nil || !def.IsCompositeType() {
		return false
	}
	for _, object := range schema.GetPossibleTypes(def) {
		if t := design.Type(object.Name); t != nil && !t.Rule.IsPublic() {
			return true
		}
	}
	return false
}
