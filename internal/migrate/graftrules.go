package migrate

import (
	"slices"

	"github.com/partita/partita/keys/design"
)

// rules returns the rules of the fields of the API, and sets those of the types. A rule is no stored part, but the
// items of its members are: where the stored version has them under other keys, what the rule is about is not ready,
// and nobody is a member.
func (g *graft) rules() []*design.FieldRule {
	for _, t := range g.types {
		rule, reason := g.rule(t.Name, t.Rule)
		if t.Rule = rule; reason != "" {
			g.notReady[t.Name] = "the members of a " + t.Name + " are not known: it " + reason
		}
	}
	rules := make([]*design.FieldRule, len(g.api.Rules))
	for i, r := range g.api.Rules {
		rule, reason := g.rule(r.Parent, r.Rule)
		if rules[i] = r; reason != "" {
			rules[i] = &design.FieldRule{Parent: r.Parent, Name: r.Name, Rule: rule}
			g.refuse(r.Parent+"."+r.Name, reason)
		}
	}
	return rules
}

// rule returns a rule of the API, without members whose items are not stored as the API has them, and the reason.
func (g *graft) rule(parent string, r *design.Rule) (_ *design.Rule, reason string) {
	if r == nil || len(r.Members) == 0 {
		return r, ""
	}
	own := *r
	own.Members = nil
	for _, m := range r.Members {
		if unready := g.unreadMember(parent, m); unready != "" {
			reason = unready
			continue
		}
		own.Members = append(own.Members, m)
	}
	if reason == "" {
		return r, ""
	}
	return &own, reason
}

// unreadMember returns the reason if the item of a member cannot be read by its key, or "".
func (g *graft) unreadMember(parent string, m *design.Member) string {
	f := &design.Field{
		Parent: parent, Kind: design.Get, PK: m.PK, SK: m.SK, Types: []string{m.Type}, Arguments: m.Arguments,
	}
	own, reason := g.asIs(f)
	if own == nil {
		return reason
	}
	return g.unready(f, own)
}

// mutationMembers returns the reason if one of those who may call a mutation is a member who is not known, or "".
func (g *graft) mutationMembers(m *design.Mutation) string {
	for _, of := range m.Members {
		if reason := g.unreadMember(m.Type, of); reason != "" {
			return reason
		}
	}
	return ""
}

// isMemberVariable reports whether a rule decides by an attribute.
func isMemberVariable(r *design.Rule, name string) bool {
	return r != nil && slices.ContainsFunc(r.Members, func(m *design.Member) bool {
		return slices.Contains(m.PK.Variables(), name) || slices.Contains(m.SK.Variables(), name)
	})
}
