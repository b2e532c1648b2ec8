package directives

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkRules: whoever may write is written down, and nothing that not everybody
// may see is promised to be there.
func (r *reader) checkRules() {
	if mutation := r.schema.Mutation; mutation != nil {
		for _, f := range mutation.Fields {
			if f.Directives.ForName("allow") == nil {
				r.find(f.Position, mutation.Name+"."+f.Name, "no @allow: nobody may call it",
					`say who may, as in @allow(to: ["VIEWER"]) for all who have signed in, or @allow(to: ["PUBLIC"])`)
			}
		}
	}
	for _, rule := range r.rules {
		f := r.schema.Types[rule.Parent].Fields.ForName(rule.Name)
		if f.Type.NonNull && !rule.Rule.IsPublic() {
			r.find(f.Position, rule.Parent+"."+rule.Name, "the field is never null, but not everybody may have it",
				fmt.Sprintf("return %s without '!'", nullable(f.Type)))
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

// checkRuled: a collection tells that it is empty, so who may not see its objects
// must not see the field.
func (r *reader) checkRuled(rd *read) {
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
			r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("the field is never null, but not everybody may see a type %s", name),
				fmt.Sprintf("return %s without '!'", rd.def.Type.Name()))
		case t.Rule.Owner != "" && !r.isRuled(rd):
			r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("not everybody may see a type %s, but everybody would see whether there is any", name),
				"say on the field, too, who may see it, with @allow")
		}
	}
}

// isRuled reports whether a rule of the field or of its parent keeps it from
// some.
func (r *reader) isRuled(rd *read) bool {
	return rd.parent != nil && !rd.parent.Rule.IsPublic() || slices.ContainsFunc(r.rules, func(rule *keys.FieldRule) bool {
		return rule.Parent == rd.Parent && rule.Name == rd.Name && !rule.Rule.IsPublic()
	})
}
