package write

import (
	"context"
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// MostElements returns how many elements the lists of an action may have, each of them, so that its transaction never
// has too many actions: 0 if one element is too many.
func MostElements(d *design.Design, m *design.Mutation) int {
	items := func(n int) int {
		x := &planner{d: d, m: m, t: d.Type(m.Type), elements: n}
		return x.workload().Items()
	}
	one := items(1)
	each := items(2) - one
	return max(0, (MaxActions-one+each)/each)
}

// Length returns how many elements a list of the input of an action has.
func (in *Input) Length(list string) int {
	v, _ := in.Set.Get(list)
	n, err := item.AsInt(v)
	if err != nil {
		return 0
	}
	return n
}

// length returns how many elements a list has, at most if the input is not known.
func (x *planner) length(list string) int {
	switch {
	case x.elements > 0:
		return x.elements
	case x.in == nil:
		return x.m.AtMost(list)
	}
	return x.in.Length(list)
}

// isOverList reports whether a step of the action, which has been Expanded, is for an element of a list.
func (x *planner) isOverList() bool {
	return slices.ContainsFunc(x.m.Steps, func(s design.Step) bool { return s.Each != "" })
}

// group makes equal writes one that is there several times.
func (w *Workload) group() {
	var all []ItemWrite
	for _, one := range w.Writes {
		i := slices.IndexFunc(all, func(other ItemWrite) bool {
			return other.Part == one.Part && other.Kind == one.Kind && other.Type == one.Type && other.bytes == one.bytes &&
				other.entries == one.entries && other.Attribute == one.Attribute && slices.Equal(other.Others, one.Others) &&
				other.Shape.PK.String() == one.Shape.PK.String() && other.Shape.SK.String() == one.Shape.SK.String()
		})
		if i < 0 {
			all = append(all, one)
			continue
		}
		all[i].Times = max(1, all[i].Times) + max(1, one.Times)
		all[i].Units += one.Units
	}
	w.Writes = all
}

// element returns the place of the element in the input that the step is for; nil if it is not for one.
func (s *step) element() *string {
	if place := s.Element(); place != "" {
		return &place
	}
	return nil
}

// place returns the field of the input that names the object, or the element that the step is for; "" for none.
func (s *step) place() string {
	if s.ID != "" {
		return s.ID
	}
	return s.Element()
}

// nameElements lets user errors about the ids of a list of nothing else be about its elements.
func (x *action) nameElements() {
	for _, e := range x.out.list {
		if e.Field == nil {
			continue
		}
		if in := x.m.Input(*e.Field); in != nil && in.IsElement {
			name := *e.Field
			element := name[:strings.LastIndexByte(name, '.')]
			e.Field, e.Message = &element, strings.ReplaceAll(e.Message, name, element)
		}
	}
}

// readElements reads the objects of the steps for elements of lists that must be read, as far as their keys follow
// from the input.
func (x *action) readElements(ctx context.Context) error {
	var steps []*step
	var all []keys.Key
	for _, s := range x.steps {
		isUpsert := s.declared.Kind == design.UpsertStep
		if !isUpsert && !s.reads || s.wasRead || !readsElement(x.m, s.declared) {
			continue
		}
		if isKnown, err := s.identifyElement(ctx); !isKnown || err != nil {
			return err
		}
		steps = append(steps, s)
		if key := keys.KeyOf(s.base); !slices.Contains(all, key) {
			all = append(all, key)
		}
	}
	items, err := ReadItems(ctx, all)
	if err != nil {
		return err
	}
	for _, s := range steps {
		key := keys.KeyOf(s.base)
		s.read, s.wasRead = items[slices.Index(all, key)], true
		s.own.parents[key] = s.read
	}
	return nil
}

// readsElement reports whether the object of a step is one of an element of a list, and its key follows from the
// input, so that it is read with those of the other elements.
func readsElement(m *design.Mutation, s *design.Step) bool {
	isOfStep := func(a design.Assignment) bool {
		return a.Value.Kind == predicate.Variable && strings.Contains(a.Value.Text, ".") && m.Input(a.Value.Text) == nil
	}
	from := s.Key
	if s.Kind == design.UpsertStep {
		from = s.Set
	}
	return s.Each != "" && s.Kind != design.CreateStep && !slices.ContainsFunc(from, isOfStep)
}

// grouped returns the outcomes of steps as those of the steps that the schema declares.
func (x *action) grouped(all []StepOutcome) []StepOutcome {
	declared := make([]StepOutcome, len(x.declared.Steps))
	for i, s := range x.declared.Steps {
		n := 1
		if s.Each != "" {
			n = x.in.Length(s.Each)
			if elements := all[:n]; slices.ContainsFunc(elements, func(o StepOutcome) bool { return o.ID != "" }) {
				declared[i].Elements = elements
			}
		} else {
			declared[i] = all[0]
		}
		all = all[n:]
	}
	return declared
}
