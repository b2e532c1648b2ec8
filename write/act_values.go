package write

import (
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// readInput reads the values of the input as they are stored. It adds a user error for the id of another type, and for
// an amount that is not positive: the schema says in which direction it goes.
func (x *action) readInput() {
	for _, given := range x.in.Set {
		in := x.m.Input(given.Name)
		if in == nil {
			continue // a hook has added it
		}
		v, a := given.Value, x.d.Type(in.Type).Attribute(in.Attribute)
		if a != nil && a.Kind == keys.IDKind && v.Kind == item.String {
			raw, err := x.d.Type(in.Type).RawID(*a, keys.ID(v.Text))
			if err != nil {
				x.out.Add(CodeInvalid, given.Name, "%s must be an id of type %s, exactly as a response gave it", given.Name,
					a.Ref)
				continue
			}
			v = item.StringValue(raw)
		}
		x.values = append(x.values, item.Attribute{Name: given.Name, Value: v})
	}
	var found []string
	for _, s := range x.steps {
		for _, name := range s.amounts() {
			if n, err := item.AsInt(x.input(name)); err == nil && n < 1 && !slices.Contains(found, name) {
				x.out.Add(CodeInvalid, name, "%s must be greater than 0", name)
				found = append(found, name)
			}
		}
	}
}

// amounts returns the fields of the input that the step adds or subtracts.
func (s *step) amounts() []string {
	var names []string
	for _, add := range s.Add {
		if add.Value.Kind == predicate.Variable {
			names = append(names, add.Value.Text)
		}
	}
	for _, set := range s.Set {
		if set.IsNegative {
			names = append(names, set.Value.Text)
		}
	}
	return names
}

// input returns the value of a field of the input; Null if it has none.
func (x *action) input(name string) item.Value {
	v, _ := x.values.Get(name)
	return v
}

// value returns the value of an operand for an attribute, as it is stored; Null for none.
func (x *action) value(a *design.Attribute, o predicate.Operand) item.Value {
	if o.Kind != predicate.Variable {
		return o.Value(nil)
	}
	step, field, isStep := strings.Cut(o.Text, ".")
	switch {
	case x.m.Input(o.Text) != nil:
		return x.input(o.Text)
	case isStep:
		return x.step(step).attribute(field)
	case o.Text == predicate.Viewer && x.in.Caller == "":
		return item.Value{}
	case o.Text == predicate.Viewer:
		return item.StringValue(x.in.Caller)
	case o.Text == predicate.Now:
		return timeFor(a, o.Time(x.now))
	}
	return item.Value{}
}

// timeFor returns a time as the value of an attribute.
func timeFor(a *design.Attribute, at time.Time) item.Value {
	if a != nil && a.Kind == keys.Date {
		return item.StringValue(at.UTC().Format(time.DateOnly))
	}
	return item.TimeValue(at)
}

// assigned returns the values of assignments: Null for those that the input has not given. It lacks those that an
// update may leave out, and adds a user error for a null that the object cannot have.
func (s *step) assigned(all []design.Assignment) item.Item {
	values := make(item.Item, 0, len(all))
	for _, one := range all {
		a := s.t.Attribute(one.Attribute)
		v := signed(one, s.of.value(a, one.Value))
		switch isLeft := one.IsTaken && !slices.Contains(s.of.in.Remove, one.Value.Text); {
		case v.Kind == item.Null && isLeft:
			continue
		case v.Kind == item.Null && s.Kind != design.CreateStep && a != nil && a.NonNull:
			s.own.out.Add(CodeInvalid, one.Attribute, "%s must not be null", one.Attribute)
			s.adopt()
		}
		values = append(values, item.Attribute{Name: one.Attribute, Value: v})
	}
	return values
}

// signed returns a value with the sign that it gets.
func signed(one design.Assignment, v item.Value) item.Value {
	if n, err := item.AsInt(v); err == nil && one.IsNegative {
		return item.NumberValue(-n)
	}
	return v
}

// check adds INVALID for each value of the input that breaks the @check of an attribute.
func (s *step) check() {
	for _, one := range s.Set {
		if v := s.of.input(one.Value.Text); one.Value.Kind == predicate.Variable && v.Kind != item.Null {
			s.own.out.Check(s.t, item.Item{{Name: one.Attribute, Value: signed(one, v)}})
		}
	}
	s.adopt()
}

// increments returns what the step adds to numbers.
func (s *step) increments() []Increment {
	var all []Increment
	for _, add := range s.Add {
		by, _ := item.AsInt(s.of.value(nil, add.Value))
		if add.IsNegative {
			by = -by
		}
		all = append(all, Increment{Name: add.Attribute, By: by})
	}
	return all
}

// holds reports whether the condition of the step holds for an object.
func (s *step) holds(it item.Item) bool {
	for _, c := range s.comparisons() {
		if !c.Holds(it) {
			return false
		}
	}
	return true
}

// comparisons returns the condition of the step with the values of this execution.
func (s *step) comparisons() []Precondition {
	var all []Precondition
	for _, c := range s.If.Comparisons {
		var others item.Item
		for _, o := range c.Values {
			if o.Kind == predicate.Variable && s.of.m.IsFieldOf(s.t, o.Text) {
				others = append(others, item.Attribute{Name: o.Text})
				continue
			}
			others = append(others, item.Attribute{Value: s.of.value(s.t.Attribute(c.Field), o)})
		}
		all = append(all, IfCompares(c.Field, c.Op, others...))
	}
	return all
}
