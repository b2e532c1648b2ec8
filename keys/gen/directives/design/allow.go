package directives

import (
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
	roleName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
)

func (r *design) readAllows() {
	for _, def := range r.objects() {
		if d := def.Directives.ForName("allow"); d != nil {
			r.readTypeRule(def, d)
		}
		for _, f := range def.Fields {
			if d := f.Directives.ForName("allow"); d != nil {
				r.rules = append(r.rules, &keys.FieldRule{Parent: def.Name, Name: f.Name, Rule: readAllow(d)})
			}
		}
	}
}

// readTypeRule reads the rule of a type. Which objects are of the type, and who owns them, is known only of a stored
// type.
func (r *design) readTypeRule(def *ast.Definition, d *ast.Directive) {
	if t := r.types[def.Name]; t != nil {
		t.Rule = readAllow(d)
	}
}

// isOwnerMutable reports whether the owner of an object may call a mutation of it.
func isOwnerMutable(def *ast.Definition) bool {
	return slices.ContainsFunc(mutationsOf(def, nil), func(m *mutation) bool { return slices.Contains(m.to, allowOwner) })
}

// isRole reports whether a word names a role. One letter from a word of @allow is none: it would deny in silence what
// that word allows.
func isRole(word string) bool { return roleName.MatchString(word) && misspeltWord(word) == "" }

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

// holdsID reports whether the name is an argument of the field or an attribute
// of the type, and an ID.
func (r *access) holdsID(def *ast.Definition, f *ast.FieldDefinition, name string) bool {
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

// readAllow returns the rule that an @allow declares.
func readAllow(d *ast.Directive) *keys.Rule {
	rule := &keys.Rule{}
	for _, word := range listArgument(d, "to") {
		switch word, _ := word.(string); {
		case word == allowPublic:
			rule.Public = true
		case word == allowViewer:
			rule.SignedIn = true
		case word == allowOwner:
			rule.Owner = textArgument(d, "owner")
		case isRole(word):
			rule.Roles = append(rule.Roles, word)
		}
	}
	slices.Sort(rule.Roles)
	rule.Roles = slices.Compact(rule.Roles)
	return rule
}
