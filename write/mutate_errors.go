package write

import (
	"errors"
	"fmt"
	"slices"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// handled returns the names of the parts whose failures are user errors.
func (c *change) handled() []string {
	handled := []string{objectPart}
	for _, u := range c.claims {
		handled = append(handled, claimOf(u))
	}
	for _, n := range c.counts {
		handled = append(handled, n.part)
	}
	return slices.Concat(handled, c.below, c.members)
}

// inputError adds an InputError as a user error; it returns any other error.
func (x *mutation) inputError(err error) error {
	if x.invalid(err) {
		return nil
	}
	return err
}

// missing adds that the object of an update or a deletion does not exist.
func (x *mutation) missing() {
	x.out.ID, x.out.Object = "", nil
	field := x.identityField()
	switch {
	case x.m.HasID:
		x.out.Missing(field, x.t.Name)
	case field == "" && len(x.m.Keys) == 0:
		x.noViewer(x.t.Name)
	default:
		x.out.Add(CodeNotFound, field, "%s", MissingObject(x.m))
	}
}

// MissingObject returns the message of an update or a deletion of an object that does not exist, and that the input
// identifies without an id.
func MissingObject(m *design.Mutation) string {
	return fmt.Sprintf("there is no such %s", m.Type)
}

// identityField returns the field of the input that identifies the object; "" if it is no single one.
func (x *mutation) identityField() string {
	if x.m.HasID {
		return fieldID
	}
	field := ""
	for _, name := range x.t.Identity {
		switch {
		case name == x.m.Viewer:
		case field != "":
			return ""
		default:
			field = name
		}
	}
	return field
}

// missingParents adds an error for each object with a counter that does not exist. Of others, it is known then why the
// counter could not be changed.
func (x *mutation) missingParents(c *change, failed *Failure) {
	for _, n := range c.counts {
		switch {
		case !failed.Part(n.part):
		case failed.Item(n.part) == nil && (!n.OnDemand || n.by < 0):
			x.missingParent(n.Counter)
		default:
			x.parents[n.key] = failed.Item(n.part)
		}
	}
}

// missingParent adds that the object with a counter does not exist, once for all counters that it has.
func (x *mutation) missingParent(c *design.Counter) {
	field := x.referenceField(c)
	if x.out.has(CodeNotFound, field) {
		return
	}
	switch {
	case len(c.Identity) == 1 && c.Identity[0] == x.m.Viewer:
		x.noViewer(c.Parent)
	default:
		x.out.Missing(field, c.Parent)
	}
}

// referenceField returns the field of the input that names the object with a counter; "" if it is no single one.
func (x *mutation) referenceField(c *design.Counter) string {
	isGiven := func(name string) bool { return slices.Contains(x.m.Inputs, name) || slices.Contains(x.m.Keys, name) }
	if len(c.Identity) == 1 && isGiven(c.Identity[0]) {
		return c.Identity[0]
	}
	if x.m.HasID && x.m.Kind == design.DeleteMutation {
		return fieldID
	}
	return ""
}

// taken adds an error for each unique value that another object has.
func (x *mutation) taken(c *change, failed *Failure) {
	for _, u := range c.claims {
		if failed.Part(claimOf(u)) {
			x.takenBy(&TakenError{x.t.Name, u.Attribute})
		}
	}
}

func (x *mutation) takenBy(e *TakenError) { x.out.Add(CodeTaken, e.Attribute, "%s", e) }

// otherOwner adds that the object would belong to somebody else than the viewer.
func (x *mutation) otherOwner() {
	x.out.Add(CodeInvalid, x.m.Owner, "%s must be your own id", x.m.Owner)
}

// busy adds that others have changed the object again and again.
func (x *mutation) busy() {
	x.out.Add(CodeConflict, "", "this is being changed by others all the time; look at it and try again")
}

// illegal adds a TransitionError as a user error, and reports whether it is one.
func (x *mutation) illegal(err error) bool {
	if !errors.As(err, new(*TransitionError)) {
		return false
	}
	return x.out.AddInput("", err)
}

// damaged returns the error of an object whose stored attributes are not valid. It is no InputError, because no input
// is the cause.
func (x *mutation) damaged(err error) error {
	return fmt.Errorf("write: what is stored of a %s is not valid: %s", x.t.Name, err.Error())
}

// isCounting reports whether a counter of an object that is to be deleted is not 0, and adds the user error.
func (x *mutation) isCounting(it item.Item) bool {
	for _, c := range x.d.CountersIn(x.t) {
		v, _ := it.Get(c.Attribute)
		switch isZero := v.Text == "" || v.Text == "0"; {
		case isZero, c.Number != "", x.d.Cascades(c):
		case c.IsOfAll():
			x.out.Add(CodeInvalid, x.identityField(), "this %s has %s %s; delete them first", x.t.Name, v.Text, c.Field)
		case !x.out.Any():
			x.out.Add(CodeInvalid, x.identityField(), "%s of this %s is %s; delete its %s first", c.Attribute, x.t.Name,
				v.Text, c.Field)
		}
	}
	return x.out.Any()
}

// exists adds the error of an object that is there already: stored is its base item if that is known. It may be one of
// another type under the same key.
func (x *mutation) exists(stored item.Item, id keys.ID) {
	if name := stored.Type(); name != "" && name != x.t.Name {
		x.out.Add(CodeAlready, x.identityField(), "an object of another type has this key already")
		return
	}
	x.out.Add(CodeAlready, x.identityField(), "this %s exists already", x.t.Name)
	if x.out.Object = stored; stored != nil {
		x.out.ID = id
	}
}
