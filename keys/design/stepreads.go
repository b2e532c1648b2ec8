package design

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// ReadsBefore reports whether the object of a step must be read before: what is written depends on more than the
// input, or DynamoDB cannot decide whether it may be.
func (d *Design) ReadsBefore(m *Mutation, s *Step) bool {
	t := d.Type(s.Type)
	switch {
	case s.Kind == CreateStep:
		return false
	case s.Kind == UpsertStep, len(t.Constants) > 0, t.IsMixed(), isReferred(m, s, t), !isDecidedByTable(m, s, t):
		return true
	case s.Kind == DeleteStep:
		return len(d.Below(t)) > 0 || d.ReadsBeforeDelete(t, "")
	case slices.ContainsFunc(t.Identity, func(name string) bool { return !t.Item.PK.Has(name) && !t.Item.SK.Has(name) }):
		return true
	case s.Kind == CheckStep:
		return false
	}
	isSource := func(name string) bool { return isDerivedFrom(d, t, name) }
	return len(t.Copies) > 0 || slices.ContainsFunc(written(t, s), isSource) ||
		slices.ContainsFunc(s.Set, func(a Assignment) bool { return !m.isBounded(t.Attribute(a.Attribute), a) }) ||
		slices.ContainsFunc(s.Set, func(a Assignment) bool { return hasUnsentWays(t, a.Attribute) }) ||
		slices.ContainsFunc(s.Add, func(a Addition) bool { return hasDefault(t.Attribute(a.Attribute)) })
}

// hasUnsentWays reports whether DynamoDB cannot decide whether an attribute may get a value, because of @transitions.
func hasUnsentWays(t *Type, name string) bool {
	return t.Attribute(name).Transitions != nil && !t.ComparesAsStored(name, predicate.In, nil)
}

// isReferred reports whether another step needs a value of the object beside its identity.
func isReferred(m *Mutation, s *Step, t *Type) bool {
	for _, other := range m.Steps {
		for _, o := range other.values() {
			step, field, is := strings.Cut(o.Text, ".")
			in := m.Input(o.Text)
			isElement := in != nil && in.List != ""
			if is && o.Kind == predicate.Variable && !isElement && step == s.Name && !slices.Contains(t.Identity, field) {
				return true
			}
		}
	}
	return false
}

// values returns the values of the step.
func (s *Step) values() []predicate.Operand {
	var all []predicate.Operand
	for _, a := range slices.Concat(s.Key, s.Set) {
		all = append(all, a.Value)
	}
	for _, a := range s.Add {
		all = append(all, a.Value)
	}
	for _, c := range s.If.Comparisons {
		all = append(all, c.Values...)
	}
	return all
}

// isDecidedByTable reports whether DynamoDB compares all that the condition of a step and the owner's right depend on.
func isDecidedByTable(m *Mutation, s *Step, t *Type) bool {
	if owner := t.Attribute(m.Owner); owner != nil && m.IsFirst(s) && owner.InKeys {
		return false
	}
	for _, c := range s.If.Comparisons {
		var others []string
		for _, o := range c.Values {
			if o.Kind == predicate.Variable && m.IsFieldOf(t, o.Text) {
				others = append(others, o.Text)
			}
		}
		if !t.ComparesAsStored(c.Field, c.Op, others) {
			return false
		}
	}
	return true
}

// ComparesAsStored reports whether DynamoDB compares an attribute to values and other attributes as package predicate
// does: they are attributes of their own, in a format with the same order.
func (t *Type) ComparesAsStored(name string, op predicate.Op, others []string) bool {
	isEquality := op == predicate.Equal || op == predicate.NotEqual || op == predicate.In
	isStored := func(name string, isOrdered bool) bool {
		a := t.Attribute(name)
		isSame := a.As == keys.Plain || a.As == keys.EpochSeconds || a.As == keys.EpochMillis
		return a.Kind != keys.Other && !a.InKeys && !hasDefault(a) && (isSame || !isOrdered)
	}
	return isStored(name, !isEquality || len(others) > 0) &&
		!slices.ContainsFunc(others, func(name string) bool { return !isStored(name, true) })
}

func hasDefault(a *Attribute) bool { return a.Default.Kind != item.Null }

// written returns the attributes that an update by a step changes.
func written(t *Type, s *Step) []string {
	names := s.Times(t)
	for _, a := range s.Set {
		names = append(names, a.Attribute)
	}
	for _, a := range s.Add {
		names = append(names, a.Attribute)
	}
	if t.Version != "" {
		names = append(names, t.Version)
	}
	return names
}

// isDerivedFrom reports whether other things than the attribute itself change with it: index entries, claims, counters
// or a key.
func isDerivedFrom(d *Design, t *Type, name string) bool {
	a := t.Attribute(name)
	return a == nil || a.InKeys || a.Exists || a.As == keys.Set || a.Object != "" ||
		name == t.Expires && len(t.Uniques) > 0 ||
		slices.ContainsFunc(t.Indexes, func(ix Index) bool { return ix.PK.Has(name) || ix.SK.Has(name) }) ||
		slices.ContainsFunc(t.Uniques, func(u Unique) bool {
			return u.Attribute == name || slices.Contains(u.Sources(), name)
		}) ||
		slices.ContainsFunc(d.CountersOf(t), func(c *Counter) bool {
			return c.Number == "" && slices.Contains(c.Identity, name) || slices.Contains(c.Sources(), name)
		}) || slices.ContainsFunc(d.CountersIn(t), func(c *Counter) bool { return c.IsBoundedBy(name) })
}

// isBounded reports whether a value has few bytes whatever the input is, so that the object cannot become larger than
// its type allows.
func (m *Mutation) isBounded(a *Attribute, one Assignment) bool {
	isGiven := one.Value.Kind == predicate.Variable && one.Value.Text != predicate.Viewer &&
		one.Value.Text != predicate.Now
	switch {
	case !isGiven:
		return a.Kind != keys.Other
	case a.Kind == keys.IDKind:
		return m.Input(one.Value.Text) == nil // that of an object of this action
	default:
		return a.Kind != keys.Other && a.Kind != keys.String
	}
}

// IsFieldOf reports whether a variable in the condition of a step is another field of the object: no field of the input
// has its name.
func (m *Mutation) IsFieldOf(t *Type, variable string) bool {
	isOwn := variable == predicate.Viewer || variable == predicate.Now || strings.Contains(variable, ".")
	return !isOwn && m.Input(variable) == nil && t.Attribute(variable) != nil
}

// ReadsBeforeDelete reports whether what a deletion of an object writes does not follow from the object's identity, so
// that the object must be read first, or an item with its key may be another one, or of another owner. needed are
// further attributes that the deletion depends on.
func (d *Design) ReadsBeforeDelete(t *Type, owner string, needed ...string) bool {
	if len(t.Constants) > 0 || t.IsMixed() || d.IsSwept(t) {
		return true
	}
	for _, c := range t.Copies {
		needed = append(append(needed, c.PK.Variables()...), c.SK.Variables()...)
		if c.Latest != "" {
			needed = append(needed, c.Latest)
		}
	}
	for _, u := range t.Uniques {
		needed = append(append(needed, u.Attribute), u.Sources()...)
	}
	for _, c := range d.CountersOf(t) {
		if c.Number != "" {
			continue
		}
		needed = append(append(needed, c.Identity...), c.Sources()...)
	}
	if a := t.Attribute(owner); a != nil && a.InKeys {
		needed = append(needed, owner)
	}
	isUnshown := func(name string) bool { return !t.Item.PK.Has(name) && !t.Item.SK.Has(name) }
	return slices.ContainsFunc(t.Identity, isUnshown) ||
		slices.ContainsFunc(needed, func(name string) bool { return !slices.Contains(t.Identity, name) })
}
