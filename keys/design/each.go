package design

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/keys/predicate"
)

// Input returns the field of the input of an action, also one of an element of a list, or nil.
func (m *Mutation) Input(name string) *ActionInput {
	if list, rest, is := strings.Cut(name, "."); is {
		if i, field, hasIndex := strings.Cut(rest, "."); hasIndex && isIndex(i) {
			name = list + "." + field
		}
	}
	i := slices.IndexFunc(m.ActionInputs, func(in ActionInput) bool { return in.Name == name })
	if i < 0 {
		return nil
	}
	return &m.ActionInputs[i]
}

func isIndex(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// ElementField returns the name of a field of an element of a list in the input of an action: lines.2.sku.
func ElementField(list string, index int, field string) string {
	return list + "." + strconv.Itoa(index) + "." + field
}

// Lists returns the names of the lists of an action, in the order of its steps.
func (m *Mutation) Lists() []string {
	var names []string
	for _, s := range m.Steps {
		if s.Each != "" && !slices.Contains(names, s.Each) {
			names = append(names, s.Each)
		}
	}
	return names
}

// AtMost returns how many elements a list of an action may have.
func (m *Mutation) AtMost(list string) int {
	return m.Steps[slices.IndexFunc(m.Steps, func(s Step) bool { return s.Each == list })].AtMost
}

// Expanded returns the action with a step for each element of its lists in place of those with Each. length returns
// how many elements a list has.
func (m *Mutation) Expanded(length func(list string) int) *Mutation {
	if len(m.Lists()) == 0 {
		return m
	}
	other := *m
	other.Steps = nil
	for _, s := range m.Steps {
		if s.Each == "" {
			other.Steps = append(other.Steps, s)
			continue
		}
		for i := range length(s.Each) {
			other.Steps = append(other.Steps, m.element(s, i))
		}
	}
	return &other
}

// elementSeparator separates the name of a step from the index of its element.
const elementSeparator = "/"

// element returns the step for one element of its list.
func (m *Mutation) element(s Step, i int) Step {
	within := func(name string) string {
		of, field, isNamed := strings.Cut(name, ".")
		isSame := func(other Step) bool { return other.Name == of && other.Each == s.Each }
		switch {
		case isNamed && of == s.Each:
			return ElementField(of, i, field)
		case isNamed && slices.ContainsFunc(m.Steps, isSame):
			return of + elementSeparator + strconv.Itoa(i) + "." + field
		}
		return name
	}
	value := func(o predicate.Operand) predicate.Operand {
		if o.Kind == predicate.Variable {
			o.Text = within(o.Text)
		}
		return o
	}
	s.Name, s.ID = s.Name+elementSeparator+strconv.Itoa(i), within(s.ID)
	s.Key, s.Set, s.Add = slices.Clone(s.Key), slices.Clone(s.Set), slices.Clone(s.Add)
	for _, assigned := range [][]Assignment{s.Key, s.Set} {
		for n := range assigned {
			assigned[n].Value = value(assigned[n].Value)
		}
	}
	for n := range s.Add {
		s.Add[n].Value = value(s.Add[n].Value)
	}
	s.If.Comparisons = slices.Clone(s.If.Comparisons)
	for n := range s.If.Comparisons {
		c := &s.If.Comparisons[n]
		c.Values = slices.Clone(c.Values)
		for k := range c.Values {
			c.Values[k] = value(c.Values[k])
		}
	}
	return s
}

// Element returns the place of the element of a step of an action that has been Expanded, such as lines.2; "" for that
// of another one.
func (s *Step) Element() string {
	i, is := s.Index()
	if !is {
		return ""
	}
	return s.Each + "." + strconv.Itoa(i)
}

// Index returns the index of the element of a step of an action that has been Expanded. It reports whether the step is
// for one.
func (s *Step) Index() (i int, isElement bool) {
	_, text, _ := strings.Cut(s.Name, elementSeparator)
	i, err := strconv.Atoi(text)
	return i, s.Each != "" && err == nil
}

// IsFirst reports whether a step of an action, or of one that has been Expanded, is its first, or for an element of its
// first.
func (m *Mutation) IsFirst(s *Step) bool {
	declared := func(s *Step) string {
		name, _, _ := strings.Cut(s.Name, elementSeparator)
		return name
	}
	return s.Name == m.Steps[0].Name || s.Each != "" && declared(s) == declared(&m.Steps[0])
}
