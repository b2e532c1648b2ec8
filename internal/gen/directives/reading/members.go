package reading

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// AllowMember is the word of a member that has no other.
const AllowMember = "MEMBER"

// Member is an element of the argument member of an @allow.
type Member struct {
	// Read is that of the member's item: its Def is the field with the rule, or one that stands for a type with it.
	*Read
	Word, Where string
	// PKText and SKText are the templates as they are written, and Err is why one of them is none.
	PKText, SKText string
	Err            error
	// Of is the object type, and On its field with the rule, or nil.
	Of *ast.Definition
	On *ast.FieldDefinition
	// Built is that of the design; nil if the item is not stored.
	Built *design.Member
}

// MemberWords returns the words that the members of an @allow define.
func MemberWords(d *ast.Directive) []string {
	if d == nil {
		return nil
	}
	var words []string
	for _, m := range sdl.ListOf(sdl.Raw(d, "member")) {
		words = append(words, memberWord(m))
	}
	return words
}

func memberWord(member any) string {
	fields, _ := member.(map[string]any)
	word, _ := fields["as"].(string)
	return cmp.Or(word, AllowMember)
}

// readMembers reads the members of all rules. The items of edges are known.
func (r *Design) readMembers() {
	for _, def := range r.Objects() {
		r.readMembersOf(def, nil, def.Directives.ForName("allow"))
		for _, f := range def.Fields {
			r.readMembersOf(def, f, f.Directives.ForName("allow"))
		}
	}
	var reads []*Read
	for _, m := range r.Members {
		if m.Err == nil {
			reads = append(reads, m.Read)
		}
	}
	r.match(reads)
}

func (r *Design) readMembersOf(def *ast.Definition, f *ast.FieldDefinition, d *ast.Directive) {
	if d == nil {
		return
	}
	parent := r.Types[def.Name]
	if parent == nil {
		parent = r.edgeItem(def.Name)
	}
	for _, raw := range sdl.ListOf(sdl.Raw(d, "member")) {
		fields, _ := raw.(map[string]any)
		m := &Member{Word: memberWord(raw), Of: def, On: f}
		m.PKText, _ = fields["pk"].(string)
		m.SKText, _ = fields["sk"].(string)
		m.Where, _ = fields["where"].(string)
		m.Read = &Read{Field: &design.Field{Parent: def.Name, Kind: design.Get}, Def: f, Directive: d, ParentType: parent}
		if f == nil {
			m.Def = &ast.FieldDefinition{Type: ast.NamedType(def.Name, nil), Position: d.Position}
		} else {
			m.Name = f.Name
		}
		if m.PK, m.Err = r.Parse(m.PKText); m.Err == nil {
			m.SK, m.Err = r.Parse(m.SKText)
		}
		r.Members = append(r.Members, m)
	}
}

// Coordinate returns that of the type or the field with the rule.
func (m *Member) Coordinate() string {
	if m.On == nil {
		return m.Of.Name
	}
	return m.Of.Name + "." + m.On.Name
}

// Target returns the type of the member's item, or nil: of several whose items have its key, the first that has all
// fields of its predicate.
func (r *Design) Target(m *Member) *Type {
	var first *Type
	where, _ := predicate.Parse(m.Where)
	for _, match := range m.Matches {
		t := r.Types[match.Type.Name]
		lacks := func(name string) bool { return t.Attribute(name) == nil }
		if !slices.ContainsFunc(where.Fields(), lacks) {
			return t
		}
		first = cmp.Or(first, t)
	}
	return first
}

// buildMembers builds the members whose items are stored.
func (r *Design) buildMembers() {
	for _, m := range r.Members {
		t := r.Target(m)
		if t == nil {
			continue
		}
		m.Built = &design.Member{Word: m.Word, Type: t.Name, PK: m.PK, SK: m.SK, Where: m.Where}
		if m.On == nil {
			continue
		}
		for _, a := range m.On.Arguments {
			i := slices.IndexFunc(m.Matches, func(match design.Match) bool { return match.Type.Name == t.Name })
			of := Attribute(m.Matches[i], a.Name)
			if of == "" {
				continue
			}
			argument := keys.Argument{Name: a.Name, Kind: r.Kind(a.Type)}
			if stored := t.Attribute(of); stored != nil && argument.Kind == keys.IDKind {
				argument.Ref = stored.Ref
			}
			m.Built.Arguments = append(m.Built.Arguments, argument)
		}
	}
}

// membersOf returns the members of a rule that words name.
func (r *Design) membersOf(d *ast.Directive, words []string) []*design.Member {
	var members []*design.Member
	for _, m := range r.Members {
		if d != nil && m.Directive == d && m.Built != nil && slices.Contains(words, m.Word) {
			members = append(members, m.Built)
		}
	}
	return members
}
