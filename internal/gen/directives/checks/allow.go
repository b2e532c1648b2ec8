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

// checkAllows finds @allow with words that are no callers, or with an owner that is not known.
func checkAllows(r *checker) {
	for _, def := range r.Objects() {
		if d := def.Directives.ForName("allow"); d != nil {
			checkAllow(r, def, nil, d)
			if r.Types[def.Name] == nil && !reading.ReadAllow(d).IsPublic() {
				r.find(d.Position, def.Name, "@allow on a type that is not stored",
					"remove @allow from type "+def.Name+", and write it on the fields that return "+def.Name+", or on its own")
			}
		}
		for _, f := range def.Fields {
			if d := f.Directives.ForName("allow"); d != nil {
				checkAllow(r, def, f, d)
			}
		}
	}
}

// checkAllow checks the @allow of a type, or of a field of it.
func checkAllow(r *checker, def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate := def.Name
	if f != nil {
		coordinate += "." + f.Name
	}
	words := wordsOf(d)
	var corrected []string
	for _, word := range words {
		corrected = append(corrected, reading.RoleFrom(word))
	}
	if len(words) == 0 {
		r.find(d.Position, coordinate, "@allow allows nobody", `write to: ["VIEWER"], or PUBLIC, OWNER or a role`)
	}
	members := reading.MemberWords(d)
	checkGoWords(r, def, f, d)
	for i, word := range words {
		if corrected[i] != word && !slices.Contains(members, word) {
			r.find(d.Position, coordinate, notRole(word), fmt.Sprintf("write to: %s, "+wordsOfRoles, sdl.QuotedList(corrected)))
		}
	}
	var mutable []string
	if f == nil {
		mutable = mutableWords(def)
	}
	checkMemberUse(r, d, coordinate, words, mutable)
	isOwner, owner := slices.Contains(corrected, reading.AllowOwner), sdl.Text(d, "owner")
	switch {
	case f != nil && owner == "" && f.Directives.ForName("step") != nil: // checkActions
	case isOwner && owner == "":
		r.find(d.Position, coordinate, "OWNER without owner: the owner is unknown", ownerFix(r, def, f, d, words))
	case !isOwner && owner != "" && (f != nil || !reading.IsOwnerMutable(def) && !isOwnerAction(r, def)):
		r.find(d.Position, coordinate, "owner without OWNER: the owner is not allowed",
			fmt.Sprintf("write to: %s, or remove owner", sdl.QuotedList(append(words, reading.AllowOwner))))
	case owner != "" && !r.HoldsID(def, f, owner):
		findOwner(r, def, f, d, owner, words)
	}
}

// findOwner finds an owner that is no stored ID.
func findOwner(r *checker,
	def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive, owner string, words []string,
) {
	t, own := r.Types[def.Name], def.Fields.ForName(owner)
	if t != nil && own == nil && r.IsInKey(t, owner) {
		return // checkVariables finds this.
	}
	coordinate := def.Name
	if f != nil {
		coordinate += "." + f.Name
	}
	what := fmt.Sprintf("owner names %s, which is not a stored ID of %s", owner, def.Name)
	fix := ownerFix(r, def, f, d, words)
	if likely := finding.Likely(owner, owners(r, def, f)); likely != "" {
		what, fix = finding.IsLikely(likely, what), fmt.Sprintf("write owner: %q", likely)
	}
	isMeant := t != nil && (r.IsInKey(t, owner) || strings.HasSuffix(owner, "Id"))
	if isMeant && own != nil && sdl.IsAttribute(own) && own.Type.Elem == nil {
		fix = sdl.Retype(def.Name, own, sdl.WithNullability("ID", own.Type))
	}
	r.find(d.Position, coordinate, what, fix)
}

const wordsOfRoles = "because the words are PUBLIC, VIEWER, OWNER and roles in capital letters"

// notRole returns what is wrong with a word that is no role.
func notRole(word string) string {
	what := fmt.Sprintf("%q is not a role", word)
	if likely := reading.MisspeltWord(word); likely != "" {
		return finding.IsLikely(likely, what)
	}
	return what
}

// ownerFix returns the fix that names the field with the owner's id, or else allows all who have signed in.
func ownerFix(r *checker,
	def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive, words []string,
) string {
	if names := owners(r, def, f); len(names) > 0 {
		return fmt.Sprintf("write owner: %q, or another field of type ID that has the owner's id", names[0])
	}
	others := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == reading.AllowOwner })
	if len(others) == 0 {
		others = []string{reading.AllowViewer}
	}
	fix := "write to: " + sdl.QuotedList(others)
	if d.Arguments.ForName("owner") != nil {
		fix += "\nremove owner from @allow"
	}
	return fix
}

// owners returns the names that owner may have: the id of the object itself is the last one.
func owners(r *checker, def *ast.Definition, f *ast.FieldDefinition) []string {
	var names []string
	if f != nil {
		for _, a := range f.Arguments {
			names = append(names, a.Name)
		}
	}
	if t := r.Types[def.Name]; t != nil {
		names = append(names, reading.AttributeNames(t.Type)...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !r.HoldsID(def, f, name) })
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(sdl.BoolInt(a == "id"), sdl.BoolInt(b == "id"))
	})
	return names
}

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
		case t.Rule.DependsOnObject() && !isRuledBy(r, rd):
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
