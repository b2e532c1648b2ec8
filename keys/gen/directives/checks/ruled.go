package directives

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkRules finds mutations without @allow, and fields that are never null although not everybody
// may read them.
func (r *checker) checkRules() {
	if mutation := r.schema.Mutation; mutation != nil {
		for _, f := range mutation.Fields {
			if f.Directives.ForName("allow") == nil && r.mutationOf(f.Name) == nil {
				r.find(f.Position, mutation.Name+"."+f.Name, "no @allow: nobody may call it",
					fmt.Sprintf(`add @allow(to: ["VIEWER"]) to field %s.%s, for all who have signed in, or another list`,
						mutation.Name, f.Name))
			}
		}
	}
	for _, rule := range r.rules {
		f := r.schema.Types[rule.Parent].Fields.ForName(rule.Name)
		if f.Type.NonNull && !rule.Rule.IsPublic() {
			r.find(f.Position, rule.Parent+"."+rule.Name, "the field is never null, but not everybody may read it",
				fmt.Sprintf("return %s, without '!'", nullable(f.Type)))
		}
	}
	for _, rd := range r.reads {
		r.checkRuled(rd)
	}
}

func nullable(t *ast.Type) string {
	bare := *t
	bare.NonNull = false
	return bare.String()
}

// checkRuled finds a collection without a rule of its own whose objects not everybody may read:
// everybody could see whether it is empty.
func (r *checker) checkRuled(rd *read) {
	if rd.Kind == keys.Nodes || rd.Result == keys.One && !rd.def.Type.NonNull {
		return
	}
	for _, name := range rd.Types {
		t := r.types[name]
		if t.Rule.IsPublic() {
			continue
		}
		switch {
		case rd.Result == keys.One:
			r.find(rd.def.Position, rd.Coordinate(),
				fmt.Sprintf("the field is never null, but not everybody may read objects of type %s", name),
				fmt.Sprintf("return %s, without '!'", rd.def.Type.Name()))
		case t.Rule.Owner != "" && !r.isRuled(rd):
			r.find(rd.def.Position, rd.Coordinate(),
				fmt.Sprintf("not everybody may read objects of type %s, but everybody could see whether there are any", name),
				fmt.Sprintf(`add @allow(to: ["VIEWER"]) to field %s, or another list of those who may know it`, rd.Coordinate()))
		}
	}
}

// isRuled reports whether not everybody may read the field, by its own rule or that of its parent.
func (r *checker) isRuled(rd *read) bool {
	return rd.parent != nil && !rd.parent.Rule.IsPublic() || !r.fieldRule(rd).IsPublic()
}

// fieldRule returns the field's own rule, or nil.
func (r *checker) fieldRule(rd *read) *keys.Rule {
	for _, rule := range r.rules {
		if rule.Parent == rd.Parent && rule.Name == rd.Name {
			return rule.Rule
		}
	}
	return nil
}
