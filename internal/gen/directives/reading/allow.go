package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

func (r *Design) readAllows() {
	for _, def := range r.Objects() {
		if d := def.Directives.ForName("allow"); d != nil {
			r.readTypeRule(def, d)
		}
		for _, f := range def.Fields {
			if d := f.Directives.ForName("allow"); d != nil {
				r.Rules = append(r.Rules, &design.FieldRule{Parent: def.Name, Name: f.Name, Rule: r.ruleOf(d)})
			}
		}
	}
}

// readTypeRule reads the rule of a type. Which objects are of the type, and who owns them, is known only of a stored
// type.
func (r *Design) readTypeRule(def *ast.Definition, d *ast.Directive) {
	if t := r.Types[def.Name]; t != nil {
		t.Rule = r.ruleOf(d)
	}
}

// ruleOf returns the rule that an @allow declares, with its members.
func (r *Design) ruleOf(d *ast.Directive) *design.Rule {
	rule := ReadAllow(d)
	var words []string
	for _, word := range sdl.List(d, "to") {
		text, _ := word.(string)
		words = append(words, text)
	}
	rule.Members = r.membersOf(d, words)
	return rule
}

// IsOwnerMutable reports whether the owner of an object may call a mutation of it.
func IsOwnerMutable(def *ast.Definition) bool {
	return slices.ContainsFunc(MutationsOf(def, nil), func(m *Mutation) bool { return slices.Contains(m.To, AllowOwner) })
}

// HoldsID reports whether the name is an argument of the field or an attribute
// of the type, and an ID.
func (r *Access) HoldsID(def *ast.Definition, f *ast.FieldDefinition, name string) bool {
	if f != nil {
		if a := f.Arguments.ForName(name); a != nil {
			return r.Kind(a.Type) == keys.IDKind
		}
	}
	t := r.Types[def.Name]
	if t == nil {
		if t = r.edgeItem(def.Name); t == nil {
			return false
		}
	}
	a := t.Attribute(name)
	return a != nil && a.Kind == keys.IDKind
}

// ReadAllow returns the rule that an @allow declares, without its members.
func ReadAllow(d *ast.Directive) *design.Rule {
	rule := &design.Rule{}
	members, goWords := MemberWords(d), GoWords(d)
	for _, word := range sdl.List(d, "to") {
		word, _ := word.(string)
		of := slices.IndexFunc(goWords, func(g design.GoWord) bool { return g.Word == word })
		switch {
		case slices.Contains(members, word):
		case of >= 0:
			rule.Go = append(rule.Go, goWords[of])
		case word == allowPublic:
			rule.Public = true
		case word == AllowViewer:
			rule.SignedIn = true
		case word == AllowOwner:
			rule.Owner = sdl.Text(d, "owner")
		case IsRole(word):
			rule.Roles = append(rule.Roles, word)
		}
	}
	slices.Sort(rule.Roles)
	rule.Roles = slices.Compact(rule.Roles)
	return rule
}

// GoWords returns the words of an @allow about which Go code decides.
func GoWords(d *ast.Directive) []design.GoWord {
	var words []design.GoWord
	if d == nil {
		return nil
	}
	for _, of := range sdl.ListOf(sdl.Raw(d, "go")) {
		fields, _ := of.(map[string]any)
		g := design.GoWord{}
		g.Word, _ = fields["as"].(string)
		for _, name := range sdl.ListOf(fields["by"]) {
			text, _ := name.(string)
			g.By = append(g.By, text)
		}
		words = append(words, g)
	}
	return words
}

// The words of @allow that are not roles.
const (
	allowPublic = "PUBLIC"
	AllowOwner  = "OWNER"
	AllowViewer = "VIEWER"
)

var roleName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// IsRole reports whether a word names a role. One letter from a word of @allow is none: it would deny in silence what
// that word allows.
func IsRole(word string) bool { return roleName.MatchString(word) && MisspeltWord(word) == "" }

// MisspeltWord returns the word of @allow that another one is a misspelling of, or "". Roles may continue such a word,
// as OWNERS does.
func MisspeltWord(word string) string {
	for _, known := range [...]string{allowPublic, AllowViewer, AllowOwner} {
		if word != known && !strings.HasPrefix(word, known) && finding.Distance(strings.ToUpper(word), known) <= 1 {
			return known
		}
	}
	return ""
}

// RoleFrom returns the role that a word probably means.
func RoleFrom(word string) string {
	if likely := MisspeltWord(word); likely != "" {
		return likely
	}
	if role := strings.ToUpper(notInRole.ReplaceAllString(word, "_")); roleName.MatchString(role) {
		return role
	}
	return AllowViewer
}

var notInRole = regexp.MustCompile(`[^A-Za-z0-9]+`)
