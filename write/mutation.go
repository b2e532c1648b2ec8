package write

import (
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Input is the input of a design.Mutation.
type Input struct {
	// ID is the global id of the object of an update or a deletion. The attributes of a Mutation's Viewer and Keys are in
	// Set instead, if it has no id.
	ID keys.ID
	// Set are the given attributes by their field names, in the form of [Items]: IDs are global ones. For an action they
	// are the values of the fields of the input by their names, the ids of its objects among them. A list has the number
	// of its elements, whose fields have names such as lines.2.sku.
	Set item.Item
	// Remove are the attributes that an update removes.
	Remove []string
	// Version is the version on which an update or a deletion is based.
	Version int
	// IdempotencyKey is that of a creation, "" for none. It is remembered for the Caller, whose id is "" if the caller is
	// anonymous.
	IdempotencyKey, Caller string
	// Owner is the raw id that the owner attribute of the object must have; "" if the viewer may write all objects. With
	// Members, the Caller may instead be one of them.
	Owner   string
	Members []*design.Member
}

// Outcome is what a mutation returns.
type Outcome struct {
	// ID is the global id of the object; "" if there is none.
	ID keys.ID
	// Object is the object's base item. It is the one that is stored now: after a creation or an update, and after
	// CONFLICT, ALREADY or TAKEN. After a deletion it has at least the attributes of the identity. Counters may have
	// changed since it was read before an update. It is nil if there is no object.
	Object item.Item
	// IsSwept is set if the object was deleted and a Sweep has to remove what is below it.
	IsSwept bool
	// Steps are the objects of an action, in the order of the steps that it declares.
	Steps []StepOutcome
	UserErrors
}

// StepOutcome is what an action has done to the object of a step.
type StepOutcome struct {
	// ID is the global id of the object; "" if there is none.
	ID keys.ID
	// Object is the object's base item as it is stored now, as far as it is known; nil otherwise.
	Object item.Item
	// Identity are the attributes of the object's identity, by which it can be read; nil if there is no object.
	Identity item.Item
	// IsDeleted is set for an object that was deleted.
	IsDeleted bool
	// Elements are the outcomes of a step for the elements of a list, in the order of that; nil if none is known. All else
	// is empty then.
	Elements []StepOutcome
}

// mutation is one execution of Mutate.
type mutation struct {
	d   *design.Design
	m   *design.Mutation
	t   *design.Type
	in  *Input
	now time.Time
	out Outcome
	// isStep is set for a step of an action: its caller has no version, and the schema says which values it sets.
	isStep bool
	// isSent is set once the claim of the idempotency key has been read, or sent.
	isSent bool
	// members are those on whom the write depends.
	members []membership
	// parents are objects with counters, as far as they have been read.
	parents map[keys.Key]item.Item
	// moved are copies whose keys change, as they were read; nil is one that is not there.
	moved   map[keys.Key]item.Item
	numbers sequences
}

// raw returns the given attributes as they are stored. It adds a user error for the ID of another type.
func (x *mutation) raw() item.Item {
	attributes := make(item.Item, 0, len(x.in.Set)+4)
	for _, a := range x.in.Set {
		declared := x.t.Attribute(a.Name)
		if declared != nil && declared.Kind == keys.IDKind && a.Value.Kind == item.String {
			raw, err := x.t.RawID(*declared, keys.ID(a.Value.Text))
			if err != nil {
				x.invalid(err)
				continue
			}
			a.Value = item.StringValue(raw)
		}
		attributes = append(attributes, a)
	}
	return attributes
}

// invalid adds an InputError as a user error, and reports whether it is one. What is wrong with the id of the viewer is
// no mistake in the input.
func (x *mutation) invalid(err error) bool {
	var errs UserErrors
	switch {
	case !errs.AddInput("", err):
		return false
	case x.m.Viewer != "" && errs.list[0].Field != nil && *errs.list[0].Field == x.m.Viewer:
		x.noViewer(x.t.Attribute(x.m.Viewer).Ref)
	default:
		x.out.list = append(x.out.list, errs.list...)
	}
	return true
}

// identify returns the attributes of the identity of the object of an update or a deletion; nil after a user error.
func (x *mutation) identify() item.Item {
	identity := x.raw()
	if x.m.HasID {
		if identity = identityOf(x.t, x.in.ID); identity == nil {
			x.out.Add(CodeInvalid, fieldID, "%s must be an id of type %s, exactly as a response gave it", fieldID, x.t.Name)
			return nil
		}
	}
	identity = slices.DeleteFunc(identity, func(a item.Attribute) bool { return !slices.Contains(x.t.Identity, a.Name) })
	if x.out.Any() {
		return nil
	}
	key, err := x.t.BaseKey(attributesOf(identity))
	if err != nil {
		if x.m.HasID {
			x.out.AddInput(fieldID, err)
		} else {
			x.invalid(err)
		}
		return nil
	}
	x.out.ID = idOf(x.t, identity)
	it := append(key.Item(), item.Attribute{Name: item.EntityType, Value: item.StringValue(x.t.Name)})
	return append(it, identity...)
}

// identityOf returns the stored attributes of the identity that a global id has; nil for the id of another type.
func identityOf(t *design.Type, id keys.ID) item.Item {
	values := id.Values()
	if id.Type() != t.Name || len(values) != len(t.Identity) {
		return nil
	}
	identity := make(item.Item, len(values))
	for i, name := range t.Identity {
		identity[i] = item.Attribute{Name: name, Value: identityValue(t, name, values[i])}
	}
	return identity
}

// ObjectKey returns the key of the base item of the object of the type with an ID. The error is a keys.InputError.
func ObjectKey(t *design.Type, id keys.ID) (keys.Key, error) {
	identity := identityOf(t, id)
	if identity == nil {
		return keys.Key{}, inputError(fieldID, "this is no id of a %s", t.Name)
	}
	return t.BaseKey(attributesOf(identity))
}

// identityValue returns the stored value of an attribute from the text that an id has of it.
func identityValue(t *design.Type, name, text string) item.Value {
	if a := t.Attribute(name); a != nil {
		switch a.Kind {
		case keys.Int, keys.Int64, keys.Float:
			return item.Value{Kind: item.Number, Text: text}
		case keys.Boolean:
			return item.Value{Kind: item.Bool, Text: text}
		}
	}
	return item.StringValue(text)
}

// attributesOf returns the function from names to values of an item's attributes.
func attributesOf(it item.Item) func(string) keys.Value {
	return func(name string) keys.Value { return keys.AttributeValue(it, name) }
}

// idOf returns the global id of the object with these attributes.
func idOf(t *design.Type, it item.Item) keys.ID {
	values := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		values[i] = it.Text(name)
	}
	return keys.NewID(t.Name, values...)
}

// owns reports whether the object belongs to the owner of the input, if that has one. Members are admitted otherwise.
func (x *mutation) owns(it item.Item) bool {
	return x.in.Owner == "" || len(x.in.Members) > 0 || it.Text(x.m.Owner) == x.in.Owner
}

// stamp sets the attributes that are the time of the write. A hook may have set one.
func (x *mutation) stamp(attributes item.Item) item.Item {
	for _, name := range x.m.Now {
		if _, given := x.in.Set.Get(name); given {
			continue
		}
		value := item.TimeValue(x.now)
		if a := x.t.Attribute(name); a != nil && a.Kind == keys.Date {
			value = item.StringValue(x.now.UTC().Format(time.DateOnly))
		}
		attributes = with(attributes, name, value)
	}
	return attributes
}

// with returns the item with an attribute set. It may modify the item.
func with(it item.Item, name string, value item.Value) item.Item {
	for i := range it {
		if it[i].Name == name {
			it[i].Value = value
			return it
		}
	}
	return append(it, item.Attribute{Name: name, Value: value})
}

// maxChanges limits how often a change is made anew because the object has changed since it was read.
const maxChanges = 8

// noViewer adds that the viewer does not exist.
func (x *mutation) noViewer(typ string) {
	x.out.Add(CodeNotFound, "", "there is no %s with the id that you are signed in with", typ)
}

// membership is the condition on the item of a member.
type membership struct {
	*design.Member
	condition *design.Condition
	check     Action
	part      string
}

// sequences are the last numbers of objects, as the transaction that is being made leaves them.
type sequences map[sequence]int

type sequence struct {
	parent    keys.Key
	attribute string
}

// Fields of the inputs of mutations that are no attributes.
const (
	fieldID             = "id"
	fieldIdempotencyKey = "idempotencyKey"
)
