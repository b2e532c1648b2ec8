package directives

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// The words of @allow that are not roles.
const (
	allowPublic = "PUBLIC"
	allowOwner  = "OWNER"
	allowViewer = "VIEWER"
)

var (
	roleName  = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	notInRole = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

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
			"remove @allow from type "+def.Name+", and write it on the fields that return "+def.Name+", or on its own")
	}
}

// readAllow returns the rule of a type, or of a field of it.
func (r *reader) readAllow(def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) *keys.Rule {
	rule := &keys.Rule{Owner: textArgument(d, "owner")}
	coordinate := def.Name
	if f != nil {
		coordinate += "." + f.Name
	}
	to := listArgument(d, "to")
	if len(to) == 0 {
		r.find(d.Position, coordinate, "@allow allows nobody",
			`write to: ["VIEWER"], or PUBLIC, OWNER or a role`)
	}
	owner := false
	var words, corrected []string
	for _, word := range to {
		text, _ := word.(string)
		words = append(words, text)
		corrected = append(corrected, roleFrom(text))
	}
	for _, word := range to {
		switch word, _ := word.(string); {
		case word == allowPublic:
			rule.Public = true
		case word == allowViewer:
			rule.SignedIn = true
		case word == allowOwner:
			owner = true
		case isRole(word):
			rule.Roles = append(rule.Roles, word)
		default:
			owner = owner || misspeltWord(word) == allowOwner
			r.find(d.Position, coordinate, notRole(word), fmt.Sprintf("write to: %s, "+wordsOfRoles, quotedList(corrected)))
		}
	}
	slices.Sort(rule.Roles)
	rule.Roles = slices.Compact(rule.Roles)
	switch {
	case owner && rule.Owner == "":
		r.find(d.Position, coordinate, "OWNER without owner: the owner is unknown",
			r.ownerFix(def, f, words))
	case !owner && rule.Owner != "" && (f != nil || !isOwnerMutable(def)):
		r.find(d.Position, coordinate, "owner without OWNER: the owner is not allowed",
			fmt.Sprintf("write to: %s, or remove owner", quotedList(append(words, allowOwner))))
	case rule.Owner != "" && !r.holdsID(def, f, rule.Owner):
		what := fmt.Sprintf("owner names %s, which is not a stored ID of %s", rule.Owner, def.Name)
		fix := r.ownerFix(def, f, words)
		if likely := Likely(rule.Owner, r.owners(def, f)); likely != "" {
			what, fix = isLikely(likely, what), fmt.Sprintf("write owner: %q", likely)
		}
		t := r.types[def.Name]
		isMeant := t != nil && (r.isInKey(t, rule.Owner) || strings.HasSuffix(rule.Owner, "Id"))
		if own := def.Fields.ForName(rule.Owner); isMeant && own != nil && isAttribute(own) && own.Type.Elem == nil {
			fix = retype(def.Name, own, withNullability("ID", own.Type))
		}
		if t == nil || def.Fields.ForName(rule.Owner) != nil || !r.isInKey(t, rule.Owner) { // checkVariables finds this.
			r.find(d.Position, coordinate, what, fix)
		}
	}
	if !owner {
		rule.Owner = ""
	}
	return rule
}

// isOwnerMutable reports whether the owner of an object may call a mutation of it.
func isOwnerMutable(def *ast.Definition) bool {
	return slices.ContainsFunc(mutationsOf(def, nil), func(m *mutation) bool { return slices.Contains(m.to, allowOwner) })
}

const wordsOfRoles = "because the words are PUBLIC, VIEWER, OWNER and roles in capital letters"

// isRole reports whether a word names a role. One letter from a word of @allow is none: it would deny in silence what
// that word allows.
func isRole(word string) bool { return roleName.MatchString(word) && misspeltWord(word) == "" }

// notRole returns what is wrong with a word that is no role.
func notRole(word string) string {
	what := fmt.Sprintf("%q is not a role", word)
	if likely := misspeltWord(word); likely != "" {
		return isLikely(likely, what)
	}
	return what
}

// misspeltWord returns the word of @allow that another one is a misspelling of, or "". Roles may continue such a word,
// as OWNERS does.
func misspeltWord(word string) string {
	for _, known := range [...]string{allowPublic, allowViewer, allowOwner} {
		if word != known && !strings.HasPrefix(word, known) && distance(strings.ToUpper(word), known) <= 1 {
			return known
		}
	}
	return ""
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
func (r *reader) ownerFix(def *ast.Definition, f *ast.FieldDefinition, words []string) string {
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
func (r *reader) owners(def *ast.Definition, f *ast.FieldDefinition) []string {
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
