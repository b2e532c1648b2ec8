package checks

import (
	"fmt"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys/design"
)

// checkRules finds mutations without @allow, and fields that are never null although not everybody
// may read them.
func checkRules(r *checker) {
	if mutation := r.Schema.Mutation; mutation != nil {
		for _, f := range mutation.Fields {
			if f.Directives.ForName("allow") == nil && r.MutationOf(f.Name) == nil {
				r.find(f.Position, mutation.Name+"."+f.Name, "no @allow: nobody may call it",
					fmt.Sprintf(`add @allow(to: ["VIEWER"]) to field %s.%s, for all who have signed in, or another list`,
						mutation.Name, f.Name))
			}
		}
	}
	for _, rule := range r.Rules {
		f := r.Schema.Types[rule.Parent].Fields.ForName(rule.Name)
		if f.Type.NonNull && !rule.Rule.IsPublic() {
			r.find(f.Position, rule.Parent+"."+rule.Name, "the field is never null, but not everybody may read it",
				fmt.Sprintf("return %s, without '!'", sdl.Nullable(f.Type)))
		}
	}
	for _, rd := range r.Reads {
		checkRuled(r, rd)
	}
}

// checkRuled finds a collection without a rule of its own whose objects not everybody may read:
// everybody could see whether it is empty.
func checkRuled(r *checker, rd *reading.Read) {
	if rd.Kind == design.Nodes || rd.Result == design.One && !rd.Def.Type.NonNull {
		return
	}
	for _, name := range rd.Types {
		t := r.Types[name]
		if t.Rule.IsPublic() {
			continue
		}
		switch {
		case rd.Result == design.One:
			r.find(rd.Def.Position, rd.Coordinate(),
				fmt.Sprintf("the field is never null, but not everybody may read objects of type %s", name),
				fmt.Sprintf("return %s, without '!'", rd.Def.Type.Name()))
		case t.Rule.Owner != "" && !isRuledBy(r, rd):
			r.find(rd.Def.Position, rd.Coordinate(),
				fmt.Sprintf("not everybody may read objects of type %s, but everybody could see whether there are any", name),
				fmt.Sprintf(`add @allow(to: ["VIEWER"]) to field %s, or another list of those who may know it`, rd.Coordinate()))
		}
	}
}

// isRuledBy reports whether not everybody may read the field, by its own rule or that of its parent.
func isRuledBy(r *checker, rd *reading.Read) bool {
	return rd.ParentType != nil && !rd.ParentType.Rule.IsPublic() || !fieldRule(r, rd).IsPublic()
}

// fieldRule returns the field's own rule, or nil.
func fieldRule(r *checker, rd *reading.Read) *design.Rule {
	for _, rule := range r.Rules {
		if rule.Parent == rd.Parent && rule.Name == rd.Name {
			return rule.Rule
		}
	}
	return nil
}
