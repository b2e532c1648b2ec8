package write

import (
	"context"
	"math"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

func (x *action) newStep(s *design.Step) *step {
	t := x.d.Type(s.Type)
	m := &design.Mutation{Name: x.m.Name, Kind: ownKind(s.Kind), Type: s.Type, Now: s.Times(t), HasID: s.ID != ""}
	in := &Input{}
	if x.m.IsFirst(s) {
		m.Owner, in.Owner = x.m.Owner, x.in.Owner
	}
	for _, set := range s.Set {
		m.Inputs = append(m.Inputs, set.Attribute)
	}
	return &step{
		Step: s, declared: s, of: x, t: t, own: &mutation{
			d: x.d, m: m, t: t, in: in, now: x.now, isStep: true, parents: x.parents,
			numbers: x.numbers,
		},
		reads: x.d.ReadsBefore(x.m, s),
	}
}

// ownKind returns the kind of the mutation that does what a step does.
func ownKind(k design.StepKind) design.MutationKind {
	switch k {
	case design.CreateStep:
		return design.CreateMutation
	case design.DeleteStep:
		return design.DeleteMutation
	default:
		return design.UpdateMutation
	}
}

// prepare finds what the step does, with the object as it is. A user error is added if the step cannot be carried out.
func (s *step) prepare(ctx context.Context) error {
	s.own.out, s.own.now, s.after = Outcome{}, s.of.now, nil
	if isKnown, err := s.identify(ctx); !isKnown || err != nil {
		return err
	}
	if s.reads && !s.wasRead {
		it, err := ReadItem(ctx, keys.KeyOf(s.base))
		if err != nil {
			return err
		}
		s.read, s.wasRead = it, true
		s.own.parents[keys.KeyOf(s.base)] = it
	}
	if s.wasRead && s.Kind != design.CreateStep && !s.isAsNeeded(s.read) {
		s.of.fail()
		return nil
	}
	v, _ := s.read.Get(s.t.Version)
	s.own.in.Version, _ = item.AsInt(v)
	c, err := s.changes(ctx)
	if err = s.own.inputError(err); err != nil {
		return err
	}
	s.adopt()
	s.change = c
	return nil
}

// identify finds the identity of the object. It returns false after a user error.
func (s *step) identify(ctx context.Context) (isKnown bool, _ error) {
	switch {
	case s.declared.Kind == design.UpsertStep:
		return s.upsert(ctx)
	case s.Kind == design.CreateStep:
		return s.create(ctx)
	case s.ID != "":
		id, _ := s.of.in.Set.Get(s.ID)
		if s.identity = identityOf(s.t, keys.ID(id.Text)); s.identity == nil {
			s.of.out.Add(CodeInvalid, s.ID, "%s must be an id of type %s, exactly as a response gave it", s.ID, s.t.Name)
			return false, nil
		}
	default:
		s.identity = s.assigned(s.Key)
	}
	return s.isKnown(), nil
}

// isKnown finds the base item of the object from its identity. It returns false after a user error.
func (s *step) isKnown() bool {
	key, err := s.t.BaseKey(attributesOf(s.identity))
	if s.own.invalid(err) {
		s.adopt()
		return false
	}
	s.base = append(key.Item(), item.Attribute{Name: item.EntityType, Value: item.StringValue(s.t.Name)})
	s.base = append(s.base, s.identity...)
	s.own.out.ID = idOf(s.t, s.identity)
	return true
}

// given returns the values of a new object that follow from the input and from other objects, and its new id.
func (s *step) given() item.Item {
	given := s.assigned(s.Set)
	if s.GeneratesID(s.t) {
		raw := s.of.attempt.created(s.Step).Value()
		given = append(given, item.Attribute{Name: fieldID, Value: item.StringValue(raw)})
	}
	return given
}

// identifyAgain finds the identity of the object of an earlier execution. The objects from which other values of a new
// one followed are not known. It returns false after a user error.
func (s *step) identifyAgain(ctx context.Context) (bool, error) {
	if !s.Kind.Creates() {
		return s.identify(ctx)
	}
	return s.identifyFrom(s.given()), nil
}

// identifyFrom sets the identity from the values of an object. It returns false after a user error.
func (s *step) identifyFrom(given item.Item) bool {
	s.identity = nil
	for _, name := range s.t.Identity {
		v, _ := given.Get(name)
		s.identity = append(s.identity, item.Attribute{Name: name, Value: v})
	}
	return s.isKnown()
}

// create finds the attributes of a new object. It returns false after a user error.
func (s *step) create(ctx context.Context) (isKnown bool, _ error) {
	given := s.given()
	for _, add := range s.increments() {
		n, err := item.AsInt(s.t.Attribute(add.Name).Default)
		if err != nil {
			n = 0
		}
		if n += add.By; !s.isWithin(add.Name, n) {
			return false, nil
		}
		given = append(given, item.Attribute{Name: add.Name, Value: item.NumberValue(n)})
	}
	s.own.m.Inputs = nil
	for i, a := range given {
		s.own.m.Inputs = append(s.own.m.Inputs, a.Name)
		if declared := s.t.Attribute(a.Name); declared != nil && declared.Kind == keys.IDKind && a.Value.Kind == item.String {
			given[i].Value = keys.IDAttribute(keys.NewID(declared.Ref, a.Value.Text))
		}
	}
	s.own.in.Set = given
	base, items, err := s.own.created(ctx)
	if err = s.own.inputError(err); base == nil || err != nil {
		s.adopt()
		return false, err
	}
	s.base, s.after, s.identity = base, base, nil
	for _, name := range s.t.Identity {
		v, _ := base.Get(name)
		s.identity = append(s.identity, item.Attribute{Name: name, Value: v})
	}
	s.change, err = s.own.creation(base, items)
	s.own.invalid(err)
	s.adopt()
	if s.change != nil {
		s.own.parents[keys.KeyOf(base)] = base // for what belongs to it
	}
	return s.change != nil, nil
}

// changes returns what the step does; nil after a user error. The error may be a keys.InputError.
func (s *step) changes(ctx context.Context) (*change, error) {
	switch {
	case s.Kind == design.CreateStep:
		return s.change, nil
	case s.Kind == design.CheckStep:
		var c change
		c.add(objectPart, Action{Kind: ActionCheck, Key: keys.KeyOf(s.base), Type: s.t.Name, If: s.conditions()})
		return &c, nil
	case s.Kind == design.DeleteStep:
		return s.deletion()
	case s.reads:
		return s.update(ctx)
	}
	a := s.directUpdate()
	if s.of.out.Any() {
		return nil, nil
	}
	var c change
	c.add(objectPart, a)
	return &c, nil
}

// conditions returns those of an object that was not read, or whose other attributes make no difference.
func (s *step) conditions() []Precondition {
	conditions := []Precondition{IfExists()}
	if s.wasRead {
		conditions = append(conditions, s.own.unchanged(s.read)...)
	} else {
		conditions = append(conditions, s.own.ifOwned()...)
	}
	return append(conditions, s.sent()...)
}

func (s *step) sent() []Precondition { return sentOf(s.t, s.comparisons()) }

// sentOf returns the comparisons of a condition on an object that DynamoDB makes: the others are those of attributes
// that were read and that must be unchanged.
func sentOf(t *design.Type, comparisons []Precondition) []Precondition {
	return slices.DeleteFunc(comparisons, func(c Precondition) bool {
		var others []string
		for _, other := range c.Values {
			if other.Name != "" {
				others = append(others, other.Name)
			}
		}
		return !t.ComparesAsStored(c.Name, c.Op, others)
	})
}

// directUpdate returns the update of an object that is not read.
func (s *step) directUpdate() Action {
	a := Action{Kind: ActionUpdate, Key: keys.KeyOf(s.base), Type: s.t.Name, If: s.conditions()}
	for _, set := range s.own.stamp(s.assigned(s.Set)) {
		if set.Value.Kind == item.Null {
			a.Remove = append(a.Remove, set.Name)
			continue
		}
		if declared := s.t.Attribute(set.Name); declared != nil {
			set.Value = s.t.Rounded(declared, set.Value)
		}
		a.Set = append(a.Set, set)
	}
	a.If = append(a.If, s.sentTransitions()...)
	a.Add = s.increments()
	for _, add := range a.Add {
		least, most := s.bounds(add.Name)
		if add.By > 0 {
			a.If = append(a.If, ifWithin(add.Name, predicate.AtMost, most-add.By))
		} else {
			a.If = append(a.If, ifWithin(add.Name, predicate.AtLeast, least-add.By))
		}
	}
	if s.t.Version != "" {
		a.Add = append(a.Add, Increment{Name: s.t.Version, By: 1})
		a.If = append(a.If, IfAtMost(s.t.Version, math.MaxInt32-1))
	}
	return a
}

// deletion returns what deletes the object.
func (s *step) deletion() (*change, error) {
	it := s.base
	if s.wasRead {
		it = s.read
	}
	delete, is := s.own.deleted, len(s.of.d.Below(s.t)) > 0
	if is { // It was read.
		delete = func(it item.Item, _ bool) (*change, error) { return s.own.softDeleted(it) }
	}
	c, err := delete(it, s.wasRead)
	if err != nil {
		return nil, err
	}
	c.tx.Actions[0].If = append(c.tx.Actions[0].If, s.sent()...)
	return c, nil
}

// update returns the update of an object that was read.
func (s *step) update(ctx context.Context) (*change, error) {
	given := s.assigned(s.Set)
	for _, add := range s.increments() {
		stored, _ := s.read.Get(add.Name)
		n, err := item.AsInt(stored)
		if err != nil {
			n = 0
		}
		least, most := s.bounds(add.Name)
		if n += add.By; add.By > 0 && n > most || add.By < 0 && n < least {
			s.beyond(add.Name, n)
			return nil, nil
		}
		given = append(given, item.Attribute{Name: add.Name, Value: item.NumberValue(n)})
	}
	s.own.in.Set = given
	if s.own.in.Version == math.MaxInt32 {
		s.beyond(s.t.Version, math.MaxInt32+1)
		return nil, nil
	}
	c, after, err := s.own.updated(ctx, s.read, given)
	if c == nil || err != nil {
		return nil, err
	}
	s.after = after
	c.tx.Actions[0].If = append(c.tx.Actions[0].If, s.sent()...)
	return c, nil
}
