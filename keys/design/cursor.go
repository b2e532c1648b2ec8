package design

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// CursorPosition is the content of a cursor: a position in a Condition's range.
type CursorPosition struct {
	// Partition is the index in Condition.Partitions.
	Partition int
	keys.Position
}

const maxCursorBytes = 2 * (2*keys.MaxSKBytes + keys.MaxPKBytes + 64)

// wholeKey begins the label in a cursor whose sort key does not begin with the condition's Prefix: that of a foreign
// item at the upper bound of the range, EndOf(Prefix).
const wholeKey = "\x00"

// Cursor returns the opaque position of an item of the range, encrypted by c.Cursors: the label of its partition, its
// sort key without the condition's Prefix, and for an index its primary key. It does not contain the collection, which
// always comes from the field, but it is valid for that collection only.
func (c *Condition) Cursor(partition int, it item.Item) string {
	return string(c.AppendCursor(nil, partition, it))
}

// AppendCursor appends what Cursor returns.
func (c *Condition) AppendCursor(b []byte, partition int, it item.Item) []byte {
	p := c.position(it)
	label, sk := c.Partitions[partition].Label, string(p.SK)
	if suffix, begins := strings.CutPrefix(sk, string(c.Prefix)); begins {
		sk = suffix
	} else {
		label = wholeKey + label
	}
	position := [...]string{label, sk, string(p.Base.PK), string(p.Base.SK)}
	n := len(position)
	if c.Field.Index == "" {
		n = 2
	}
	scope, from := c.cursorScope()
	return c.cursors().AppendSeal(b, scope[from:], position[:n])
}

// openCursors are those of a Condition without Cursors. Everybody can read them.
var openCursors = keys.NewCursors(nil)

func (c *Condition) cursors() *keys.Cursors {
	if c.Cursors == nil {
		return openCursors
	}
	return c.Cursors
}

// IsBefore reports whether an item of the range is before a position in the order of the field, or at it.
func (c *Condition) IsBefore(partition int, it item.Item, at CursorPosition) (isBefore, isAt bool) {
	p := c.position(it)
	if p == at.Position && partition == at.Partition {
		return false, true
	}
	if p.SK != at.SK {
		return (p.SK < at.SK) != c.Field.Descending, false
	}
	return partition != at.Partition && (partition < at.Partition) != c.Field.Descending, false
}

// position returns the place of an item that a Query returned.
func (c *Condition) position(it item.Item) keys.Position {
	if c.Field.Index == "" {
		return keys.Position{SK: keys.SK(it.Text(keys.AttributeSK))}
	}
	return keys.Position{
		SK:   keys.SK(it.Text(keys.IndexSK(c.Field.Index))),
		Base: keys.Key{PK: keys.PK(it.Text(keys.AttributePK)), SK: keys.SK(it.Text(keys.AttributeSK))},
	}
}

// cursorScope returns the texts of the collection that a cursor is valid for: those from the index from on. It returns
// an array, so that none is allocated for each cursor.
func (c *Condition) cursorScope() (texts [6]string, from int) {
	f := c.Field
	if f.Live != nil {
		f = f.Live // a cursor of an event is one of the field that is live
	}
	if c.Tenant == "" {
		from = 2
	}
	name := f.Name
	if f.Cursors != "" {
		name += " " + f.Cursors
	}
	// No field has an empty parent.
	return [...]string{"", c.Tenant, f.Parent, name, c.scope, string(c.Prefix)}, from
}

// ParseCursor reads a cursor of this Condition's range. If the range is one over time buckets without a lower end, it
// sets the Partitions to those around the cursor. The error is an InputError for any other
// text: a cursor of another collection or with another secret, an incomplete or changed one, or one
// outside of the range.
func (c *Condition) ParseCursor(argument, text string) (CursorPosition, error) {
	bad := func() (CursorPosition, error) {
		return CursorPosition{}, keys.InputErrorf(argument,
			"%s is not a cursor of this connection; pass one that it returned for the same arguments, or none", argument)
	}
	if len(text) > maxCursorBytes {
		return bad()
	}
	scope, from := c.cursorScope()
	parts, ok := c.cursors().Open(scope[from:], text)
	switch {
	case !ok:
		return bad()
	case c.Field.Index == "" && len(parts) == 2:
		parts = append(parts, "", "")
	case c.Field.Index == "" || len(parts) != 4:
		return bad()
	}
	label, suffix := parts[0], parts[1]
	p := keys.Position{SK: c.Prefix + keys.SK(suffix), Base: keys.Key{PK: keys.PK(parts[2]), SK: keys.SK(parts[3])}}
	if cut, isWhole := strings.CutPrefix(label, wholeKey); isWhole {
		label, p.SK = cut, keys.SK(suffix)
	}
	if !c.canContain(p) {
		return bad()
	}
	if bounded := c.Field.rest.next.Variable; bounded != "" && !c.inBounds(p.SK) {
		return CursorPosition{}, keys.InputErrorf(argument,
			"%s lies outside of %s; start again without it, or ask for the span it came from", argument, bounded)
	}
	if c.HasNoBeginning() {
		partitions, ok := c.around(label)
		if !ok {
			return bad()
		}
		c.Partitions = partitions
	}
	partition := slices.IndexFunc(c.Partitions, func(part Partition) bool { return part.Label == label })
	if partition < 0 || !c.inBounds(p.SK) {
		return bad()
	}
	return CursorPosition{partition, p}, nil
}

func (c Condition) inBounds(sk keys.SK) bool {
	return c.From == "" || sk >= c.From && sk <= c.To
}

// canContain reports whether an item can be at the position. Its keys need not be those of the design, and may have
// control characters: a page may end with an item that is not, and the next one begins behind it.
func (c Condition) canContain(p keys.Position) bool {
	if c.Field.Index != "" && !c.canBeBase(p.Base) {
		return false
	}
	if c.Field.hasNoSortKey() {
		return p.SK == ""
	}
	return canBeKey(string(p.SK), keys.MaxSKBytes) && (c.Children == "" || keys.InTree(p.SK, c.Prefix, c.Children)) &&
		(c.Prefix == "" || p.SK >= c.Prefix && p.SK <= keys.EndOf(c.Prefix))
}

// canBeBase reports whether an item of the table can have the primary key.
func (c *Condition) canBeBase(k keys.Key) bool {
	return canBeKey(string(k.PK), keys.MaxPKBytes) &&
		(k.SK == "" && !c.Field.sorted || c.Field.sorted && canBeKey(string(k.SK), keys.MaxSKBytes))
}

func canBeKey(text string, maxBytes int) bool {
	return text != "" && len(text) <= maxBytes && utf8.ValidString(text)
}
