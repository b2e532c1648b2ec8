package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// checkStep finds what is wrong with one step of an action whose types are stored.
func (a *actionChecker) checkStep(i int, s *reading.Step) {
	c := &stepChecker{actionChecker: a, Step: s, t: a.Types[s.Type], place: i}
	c.checkArguments()
	c.checkEach()
	c.checkTake()
	for _, v := range s.Key {
		c.checkValue("key", v, c.t.Identity)
	}
	c.checkKey()
	for _, v := range s.Set {
		c.checkValue("set", v, c.settable())
	}
	for _, v := range s.Add {
		c.checkAddition(v)
	}
	c.checkCondition()
	c.checkRequired()
}

// stepChecker checks one step.
type stepChecker struct {
	*actionChecker
	*reading.Step
	t     *reading.Type
	place int
}

func (c *stepChecker) wrong(what, fix string) { c.at(c.Step, what, fix) }

// checkArguments finds arguments that a step of its kind does not have.
func (c *stepChecker) checkArguments() {
	verb := reading.StepKinds[c.Kind]
	for _, one := range []struct {
		name string
		fits bool
	}{
		{"key", !c.Kind.Creates()},
		{"take", c.Kind.Creates() || c.Kind == design.UpdateStep},
		{"set", c.Kind.Creates() || c.Kind == design.UpdateStep},
		{"add", c.Kind == design.UpdateStep || c.Kind == design.UpsertStep},
		{"if", c.Kind != design.CreateStep},
		{"error", c.Directive.Arguments.ForName("if") != nil || c.IsCheckByKey()},
		{"message", c.Directive.Arguments.ForName("if") != nil || c.IsCheckByKey()},
	} {
		switch {
		case one.fits || c.Directive.Arguments.ForName(one.name) == nil:
		case one.name == "error" || one.name == "message":
			c.wrong(one.name+" without if: it is never returned", fmt.Sprintf("remove %s from @step", one.name))
		default:
			c.wrong(fmt.Sprintf("a step with %s has no %s", verb, one.name), fmt.Sprintf("remove %s from @step", one.name))
		}
	}
	if c.Kind == design.UpdateStep && len(c.Take)+len(c.Set)+len(c.Add) == 0 {
		fix := "replace update: with check:"
		if names := c.settable(); len(names) > 0 {
			fix = fmt.Sprintf("write take: [%q], or set or add something", names[0])
		}
		c.wrong("the update changes nothing", fix)
	}
	if id := c.t.Def.Fields.ForName("id"); c.ID != "" && (id == nil || id.Type.Name() != "ID") {
		fix := fmt.Sprintf("add id: ID! to type %s", c.t.Name)
		if id != nil {
			fix = sdl.Retype(c.t.Name, id, "ID!")
		}
		c.wrong("the input names the object by its id, which the type does not have", fix)
	}
	if code := sdl.RawText(c.Directive, "error"); code != "" && !reading.IsRole(code) {
		c.wrong(fmt.Sprintf("%q is no code", code), fmt.Sprintf("write error: %q", reading.RoleFrom(code)))
	}
}

// settable returns the attributes that a step can set.
func (c *stepChecker) settable() []string {
	var names []string
	for _, a := range c.t.Attributes {
		f := c.t.Def.Fields.ForName(a.Name)
		isKey := !c.Kind.Creates() && slices.Contains(c.t.Identity, a.Name)
		if !isKey && !slices.ContainsFunc(f.Directives, reading.IsWritten) {
			names = append(names, a.Name)
		}
	}
	return names
}

// whyNot returns why a name is not one of those that can be set.
func (c *stepChecker) whyNot(name string) string {
	f := c.t.Def.Fields.ForName(name)
	switch {
	case f == nil:
		return fmt.Sprintf("%s has no field %s", c.t.Name, name)
	case slices.ContainsFunc(f.Directives, reading.IsWritten):
		return fmt.Sprintf("%s of %s is set by each write", name, sdl.Article(c.t.Name))
	case slices.Contains(c.t.Identity, name):
		return fmt.Sprintf("%s is part of the key of %s, which cannot change", name, sdl.Article(c.t.Name))
	case !sdl.IsAttribute(f) || c.t.Attribute(name) == nil:
		return fmt.Sprintf("%s of %s is not stored", name, sdl.Article(c.t.Name))
	}
	return fmt.Sprintf("%s is not part of the key of %s", name, sdl.Article(c.t.Name))
}

func (c *stepChecker) checkTake() {
	names := c.settable()
	var left []string
	var what string
	for i, name := range c.Take {
		isSet := func(v reading.StepValue) bool { return v.Name == name }
		switch {
		case slices.ContainsFunc(c.Set, isSet) || slices.Contains(c.Take[:i], name):
			what = fmt.Sprintf("%s has two values", name)
		case slices.Contains(names, name):
			left = append(left, name)
		default:
			what = c.whyNot(name)
			if likely := finding.Likely(name, names); likely != "" && c.t.Def.Fields.ForName(name) == nil &&
				!slices.Contains(c.Take, likely) {
				what = finding.IsLikely(likely, what)
				left = append(left, likely)
			}
		}
	}
	switch {
	case what == "":
	case len(left) == 0:
		c.wrong(what, "remove take from @step")
	default:
		c.wrong(what, "write take: "+sdl.QuotedList(left))
	}
}

// checkKey finds a key that does not have exactly the values of the identity.
func (c *stepChecker) checkKey() {
	if c.Key == nil {
		return
	}
	for _, name := range c.t.Identity {
		if !slices.ContainsFunc(c.Key, func(v reading.StepValue) bool { return v.Name == name }) {
			c.wrong(fmt.Sprintf("the key of %s has {%s}, too", sdl.Article(c.t.Name), name),
				"remove key from @step, so that the input has the id of the object, or add "+name+" to it")
			return
		}
	}
}

// checkRequired finds attributes that a new object must have and that the step does not set.
func (c *stepChecker) checkRequired() {
	if !c.Kind.Creates() {
		return
	}
	take := slices.Clone(c.Take)
	for _, name := range c.settable() {
		a := c.t.Attribute(name)
		isSet := func(v reading.StepValue) bool { return v.Name == name }
		isMade := name == "id" && c.GeneratesID(c.t.Def, c.t.Identity)
		isNeeded := a.NonNull && a.Default.Kind == item.Null || slices.Contains(c.t.Identity, name)
		if !isNeeded || isMade || slices.Contains(take, name) ||
			slices.ContainsFunc(c.Set, isSet) || slices.ContainsFunc(c.Add, isSet) {
			continue
		}
		if slices.ContainsFunc(c.Sequences(), isLast(c.t.Name, name)) {
			c.wrong(fmt.Sprintf("a new %s must have %s", c.t.Name, name), fixOfLast(c.t, name))
			continue
		}
		take = append(take, name)
	}
	if missing := take[len(c.Take):]; len(missing) > 0 {
		c.wrong(fmt.Sprintf("a new %s must have %s", c.t.Name, strings.Join(missing, ", ")),
			fmt.Sprintf("write take: %s, or set it", sdl.QuotedList(take)))
	}
}
