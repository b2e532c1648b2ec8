package directives

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// checkAllows finds @allow with words that are no callers, or with an owner that is not known.
func (r *checker) checkAllows() {
	for _, def := range r.objects() {
		if d := def.Directives.ForName("allow"); d != nil {
			r.checkAllow(def, nil, d)
			if r.types[def.Name] == nil && !readAllow(d).IsPublic() {
				r.find(d.Position, def.Name, "@allow on a type that is not stored",
					"remove @allow from type "+def.Name+", and write it on the fields that return "+def.Name+", or on its own")
			}
		}
		for _, f := range def.Fields {
			if d := f.Directives.ForName("allow"); d != nil {
				r.checkAllow(def, f, d)
			}
		}
	}
}

// checkAllow checks the @allow of a type, or of a field of it.
func (r *checker) checkAllow(def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate := def.Name
	if f != nil {
		coordinate += "." + f.Name
	}
	var words, corrected []string
	for _, word := range listArgument(d, "to") {
		text, _ := word.(string)
		words = append(words, text)
		corrected = append(corrected, roleFrom(text))
	}
	if len(words) == 0 {
		r.find(d.Position, coordinate, "@allow allows nobody", `write to: ["VIEWER"], or PUBLIC, OWNER or a role`)
	}
	for i, word := range words {
		if corrected[i] != word {
			r.find(d.Position, coordinate, notRole(word), fmt.Sprintf("write to: %s, "+wordsOfRoles, quotedList(corrected)))
		}
	}
	isOwner, owner := slices.Contains(corrected, allowOwner), textArgument(d, "owner")
	switch {
	case isOwner && owner == "":
		r.find(d.Position, coordinate, "OWNER without owner: the owner is unknown", r.ownerFix(def, f, words))
	case !isOwner && owner != "" && (f != nil || !isOwnerMutable(def)):
		r.find(d.Position, coordinate, "owner without OWNER: the owner is not allowed",
			fmt.Sprintf("write to: %s, or remove owner", quotedList(append(words, allowOwner))))
	case owner != "" && !r.holdsID(def, f, owner):
		r.findOwner(def, f, d, owner, words)
	}
}

// findOwner finds an owner that is no stored ID.
func (r *checker) findOwner(
	def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive, owner string, words []string,
) {
	t, own := r.types[def.Name], def.Fields.ForName(owner)
	if t != nil && own == nil && r.isInKey(t, owner) {
		return // checkVariables finds this.
	}
	coordinate := def.Name
	if f != nil {
		coordinate += "." + f.Name
	}
	what := fmt.Sprintf("owner names %s, which is not a stored ID of %s", owner, def.Name)
	fix := r.ownerFix(def, f, words)
	if likely := Likely(owner, r.owners(def, f)); likely != "" {
		what, fix = isLikely(likely, what), fmt.Sprintf("write owner: %q", likely)
	}
	isMeant := t != nil && (r.isInKey(t, owner) || strings.HasSuffix(owner, "Id"))
	if isMeant && own != nil && isAttribute(own) && own.Type.Elem == nil {
		fix = retype(def.Name, own, withNullability("ID", own.Type))
	}
	r.find(d.Position, coordinate, what, fix)
}

const wordsOfRoles = "because the words are PUBLIC, VIEWER, OWNER and roles in capital letters"

// notRole returns what is wrong with a word that is no role.
func notRole(word string) string {
	what := fmt.Sprintf("%q is not a role", word)
	if likely := misspeltWord(word); likely != "" {
		return isLikely(likely, what)
	}
	return what
}

// roleFrom returns the role that a word probably means.
func roleFrom(word string) string {
	if likely := misspeltWord(word); likely != "" {
		return likely
	}
	if role := strings.ToUpper(notInRole.ReplaceAllString(word, "_")); roleName.MatchString(role) {
		return role
	}
	return allowViewer
}

// ownerFix returns the fix that names the field with the owner's id, or else allows all who have signed in.
func (r *checker) ownerFix(def *ast.Definition, f *ast.FieldDefinition, words []string) string {
	if names := r.owners(def, f); len(names) > 0 {
		return fmt.Sprintf("write owner: %q, or another field of type ID that has the owner's id", names[0])
	}
	others := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == allowOwner })
	if len(others) == 0 {
		others = []string{allowViewer}
	}
	return "write to: " + quotedList(others) + "\nremove owner from @allow"
}

// owners returns the names that owner may have: the id of the object itself is the last one.
func (r *checker) owners(def *ast.Definition, f *ast.FieldDefinition) []string {
	var names []string
	if f != nil {
		for _, a := range f.Arguments {
			names = append(names, a.Name)
		}
	}
	if t := r.types[def.Name]; t != nil {
		names = append(names, attributeNames(t.Type)...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !r.holdsID(def, f, name) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(boolInt(a == "id"), boolInt(b == "id")) })
	return names
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

var notInRole = regexp.MustCompile(`[^A-Za-z0-9]+`)
