package price

import (
	"slices"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// member is the Get of a member that decides about a field.
type member struct {
	// The names in PK and SK are those of the field's arguments and of the attributes of its parent; of a member that only
	// an item shows, of the item's attributes. parent is the type that has them.
	pk, sk keys.Template
	parent string
	own    wave
}

func (m *member) equals(other *member) bool {
	return m.pk.String() == other.pk.String() && m.sk.String() == other.sk.String() && m.parent == other.parent
}

// decided is a member that has been read for a rule when a field is decided about.
type decided struct {
	member
	rule         *design.Rule
	phase, after int
}

// decide adds the Gets of the members of a field's rules beside it. It returns those that only its items show.
func (p *fold) decide(n *field) []member {
	if n.read == nil {
		p.beside(n, n.Rule, p.memberOf(n.parent))
		return nil
	}
	p.beside(n, n.read.Rule(), p.memberOf(n.parent))
	p.beside(n, n.read.ParentRule(), p.memberOf(n.parent))
	if n.read.Kind.IsByID() {
		return nil
	}
	var later []member
	for _, name := range n.read.Types {
		t := p.Schema.Design.Type(name)
		later = append(later, p.decideType(n, t, fromMatches(n, t), float64(p.Elements(n.Field)))...)
	}
	return later
}

// decideType adds the Gets of the members of a type's rule beside a field, for so many objects, whose condition has the
// attributes by other names. It returns those that only its items show.
func (p *fold) decideType(n *field, t *design.Type, names map[string]string, objects float64) (later []member) {
	if r := t.Rule; r != nil && r.Owner != "" && names[r.Owner] == keys.ViewerVariable {
		return nil // The viewer owns all of them.
	}
	p.beside(n, t.Rule, func(of *design.Member) *member {
		m := member{pk: of.PK, sk: of.SK, parent: t.Name, own: p.memberWave(n, of)}
		isUnknown := func(name string) bool { return name != keys.ViewerVariable && names[name] == "" }
		if slices.ContainsFunc(append(of.PK.Variables(), of.SK.Variables()...), isUnknown) {
			later = append(later, m)
			return nil
		}
		renamed := func(name string) string {
			if name == keys.ViewerVariable {
				return name
			}
			return names[name]
		}
		m.pk, m.sk, m.own = of.PK.Renamed(renamed), of.SK.Renamed(renamed), wave{}.plus(m.own, objects)
		if !n.read.Kind.IsByID() {
			m.parent = n.parent
		}
		return &m
	})
	return later
}

// memberOf returns the function that returns a member of the rule of a field itself.
func (p *fold) memberOf(parent string) func(*design.Member) *member {
	return func(of *design.Member) *member { return &member{pk: of.PK, sk: of.SK, parent: parent} }
}

// beside adds the Gets of a rule's members beside a field. shown returns a member whose key is known as early as that
// of the field, or nil.
func (p *fold) beside(n *field, rule *design.Rule, shown func(*design.Member) *member) {
	if rule.IsPublic() {
		return
	}
	for _, of := range rule.Members {
		m := shown(of)
		if m == nil {
			continue
		}
		if m.own == (wave{}) {
			m.own = p.memberWave(n, of)
		}
		switch known, isWider := p.isDecided(n, rule, m); {
		case known && !isWider:
			continue
		case known: // It is read for one of both fields, depending on the viewer.
			m.own.units = 0
		}
		n.members, n.besides = append(n.members, *m), n.besides.plus(m.own, 1)
		p.decided = append(p.decided, decided{*m, rule, n.phase, n.after})
	}
}

func (p *fold) memberWave(n *field, m *design.Member) wave {
	return p.getWave(1, p.maxBytes(m.Type), p.IsConsistent(n.Field))
}

// isDecided reports whether a member decides about the field's parent as well, or about another field of the same
// parent, so that it is read once. isWider is set if the rule there allows viewers without a member whom the field's
// does not: it is read for them with the field.
func (p *fold) isDecided(n *field, rule *design.Rule, m *member) (known, isWider bool) {
	if usesArguments(n, m) {
		return false, false
	}
	t := p.Schema.Design.Type(n.parent)
	if t == nil {
		t = p.Schema.Design.EdgeItem(n.parent)
	}
	if t != nil && !t.Rule.IsPublic() {
		for _, own := range t.Rule.Members {
			if m.equals(&member{pk: own.PK, sk: own.SK, parent: n.parent}) {
				return true, len(t.Rule.Members) > 1 || !isNoWider(t.Rule, rule)
			}
		}
	}
	for _, d := range p.decided {
		if m.equals(&d.member) && d.phase == n.phase && d.after <= n.after {
			return true, !isNoWider(d.rule, rule)
		}
	}
	return false, false
}

// isNoWider reports whether a rule allows only viewers without a member whom another one allows as well.
func isNoWider(rule, other *design.Rule) bool {
	isOther := func(role string) bool { return !slices.Contains(other.Roles, role) }
	return rule.Owner == "" && len(rule.Go) == 0 && !rule.SignedIn && !slices.ContainsFunc(rule.Roles, isOther)
}

func usesArguments(n *field, m *member) bool {
	return n.read != nil && slices.ContainsFunc(append(m.pk.Variables(), m.sk.Variables()...), func(name string) bool {
		return n.read.Argument(name) != nil
	})
}

// fromMatches returns the variables of a field's condition by the attributes of a type that have their values in all
// items of the condition.
func fromMatches(n *field, t *design.Type) map[string]string {
	names := map[string]string{}
	first := true
	for _, match := range n.read.Matches() {
		switch {
		case n.read.Kind == design.Get && match.Type != t:
			return nil // Which type an item has is not known before it is read.
		case match.Type != t:
			continue
		}
		for name, source := range match.Variables {
			if first && match.Shape.Has(name) && n.isGiven(source) {
				names[name] = source
			}
		}
		for name := range names {
			if names[name] != match.Variables[name] || !match.Shape.Has(name) {
				delete(names, name)
			}
		}
		first = false
	}
	return names
}

// isGiven reports whether a variable of a field has a value whenever the field reads something.
func (n *field) isGiven(variable string) bool {
	a := n.read.Argument(variable)
	return a == nil || !a.Range && (n.read.Kind == design.Get || slices.Contains(n.read.PK.Variables(), variable))
}

// idNames returns the attributes of a type that a global id shows.
func (p *fold) idNames(t *design.Type) map[string]string {
	names := map[string]string{}
	for _, a := range p.Schema.KeyNamesOfID(t.Name).Item {
		names[a.Name] = a.Name
	}
	return names
}

// after adds the Gets of members that only the items of a field show, between the field and what is below it.
func (p *fold) after(n *field, later []member) {
	if len(later) == 0 {
		return
	}
	n.children, n.mixed = []child{{1, "", nil, p.afterItem(n, later, n.children, n.mixed)}}, true
}

func (p *fold) afterItem(n *field, later []member, below []child, isMixed bool) *object {
	get := &field{
		step: step{n.Field, -1, false}, parent: n.parent, isMember: true, after: 1, children: below, mixed: isMixed,
		members: later,
	}
	byType := map[string]wave{}
	for _, m := range later {
		byType[m.parent] = byType[m.parent].plus(m.own, 1)
	}
	for _, w := range byType { // An item has one type.
		get.besides = get.besides.max(w)
	}
	return p.summed(&object{fields: []*field{get}})
}

// returned returns the members that decide about the objects that a hand-written resolver may return.
func (p *fold) returned(n *field, g *plan.Group) []member {
	var later []member
	for _, o := range g.Children {
		if t := p.Schema.Design.Type(o.Name); t != nil && !t.Rule.IsPublic() {
			for _, of := range t.Rule.Members {
				later = append(later, member{pk: of.PK, sk: of.SK, parent: t.Name, own: p.memberWave(n, of)})
			}
		}
	}
	return later
}

// event adds the members that decide about the item of an event: before the change and after it, they may differ.
func (p *fold) event(n *field, later []member) {
	for _, m := range later {
		m.own = wave{}.plus(m.own, 2)
		n.members, n.besides = append(n.members, m), n.besides.plus(m.own, 1)
	}
}
