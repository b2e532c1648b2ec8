package write

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// Deletion is an object that was deleted while there is more below it than one transaction can delete. Its base item is
// a tombstone, which reads as missing, and a list in the table has it until a [Sweep] has removed all that is below it.
type Deletion struct {
	// Key is that of its item in the list.
	Key keys.Key
	// ID is the global id of the object.
	ID keys.ID
	// At is when it was deleted, as its tombstone has it.
	At item.Value
}

// DeletionsPK is the partition key of the list of Deletions, oldest first.
const DeletionsPK keys.PK = "DELETED"

// DeletionType is the value of the type attribute of the list's items, and attributeDeletedID their attribute with the
// global id of the object.
const (
	DeletionType       = "Deletion"
	attributeDeletedID = "deletedId"
)

// newDeletion returns the Deletion of an object at a time. Its key has a digest of the id, because ids may be too long
// for a sort key.
func newDeletion(d *design.Design, id keys.ID, at time.Time) Deletion {
	sum := sha256.Sum256([]byte(id))
	v := item.TimeValue(at)
	sk := v.Text + d.Layout.Delimiter + hex.EncodeToString(sum[:16])
	return Deletion{Key: keys.Key{PK: DeletionsPK, SK: keys.SK(sk)}, ID: id, At: v}
}

// item returns the item of the list.
func (n Deletion) item() item.Item {
	return append(n.Key.Item(),
		item.Attribute{Name: item.EntityType, Value: item.StringValue(DeletionType)},
		item.Attribute{Name: attributeDeletedID, Value: item.TextValue(n.ID)})
}

// DeletionOf returns the Deletion that an item of the list has, and whether it is one.
func DeletionOf(d *design.Design, it item.Item) (Deletion, bool) {
	key := keys.KeyOf(it)
	at, _, is := strings.Cut(string(key.SK), d.Layout.Delimiter)
	isOther := d.Layout.Type != "" && it.Type() != DeletionType
	if !is || key.PK != DeletionsPK || isOther {
		return Deletion{}, false
	}
	return Deletion{Key: key, ID: keys.ID(it.Text(attributeDeletedID)), At: item.StringValue(at)}, true
}

// Listed returns the Deletion of a tombstone of a type, and the action that puts it into the list.
func Listed(d *design.Design, t *design.Type, tombstone item.Item) (Deletion, Action, error) {
	v, _ := tombstone.Get(keys.AttributeDeletedAt)
	at, err := item.AsTime(v)
	if err != nil {
		return Deletion{}, Action{}, err
	}
	n := newDeletion(d, idOf(t, tombstone), at)
	return n, PutItem(n.item(), IfMissing()), nil
}

// softDelete adds what turns an object that was read into a tombstone, and puts it into the list of the sweep. Its
// copies, its claims and what counts it change as if it was deleted.
func (c *change) softDelete(
	d *design.Design, t *design.Type, it item.Item, at time.Time, conditions ...Precondition,
) error {
	items, err := ItemsOf(d, t, it)
	if err != nil {
		return &InvalidItemError{keys.KeyOf(it), err.Error()}
	}
	actions := Delete(d, items)
	left := tombstone(d, t, items[0], at)
	actions[0] = Change(changedEntries(t, items[0], left, it), left)
	actions[0].If = append(actions[0].If, conditions...)
	if c.isBelow {
		c.addBelow(actions...)
	} else {
		c.add(objectPart, actions...)
	}
	if err := c.leave(d, t, it); err != nil {
		return err
	}
	c.listed++
	c.add("deletion of "+fmt.Sprint(len(c.below)), PutItem(newDeletion(d, idOf(t, it), at).item()))
	return nil
}

// tombstone returns what is left of the base item of an object: its key and its identity, and its counters, so that
// what is below it can be counted down.
func tombstone(d *design.Design, t *design.Type, base item.Item, at time.Time) item.Item {
	kept := append([]string{keys.AttributePK, keys.AttributeSK, item.EntityType}, t.Identity...)
	for counter := range d.Counted(t) {
		kept = append(kept, counter)
	}
	isLost := func(a item.Attribute) bool { return !slices.Contains(kept, a.Name) && !t.IsConstant(a.Name) }
	left := slices.DeleteFunc(slices.Clone(base), isLost)
	if v, has := base.Get(t.Version); has { // What is based on the version of before fails.
		n, _ := item.AsInt(v)
		left = append(left, item.Attribute{Name: t.Version, Value: item.NumberValue(n + 1)})
	}
	return append(left, item.Attribute{Name: keys.AttributeDeletedAt, Value: item.TimeValue(at)})
}

// Tombstone returns what a tombstone of a type should be: nothing else of the object. The error is for one without a
// time.
func Tombstone(d *design.Design, t *design.Type, it item.Item) (item.Item, error) {
	v, _ := it.Get(keys.AttributeDeletedAt)
	at, err := item.AsTime(v)
	if err != nil {
		return nil, err
	}
	left := tombstone(d, t, it, at)
	if version, has := it.Get(t.Version); has {
		left = with(left, t.Version, version)
	}
	return left, nil
}
