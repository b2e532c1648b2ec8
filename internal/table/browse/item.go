package browse

import (
	"cmp"
	"slices"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

// The roles of items.
const (
	roleObject  = "object"  // the base item of an object
	roleCopy    = "copy"    // a copy of an object
	roleClaim   = "claim"   // the claim of a unique value or of an idempotency key
	roleOther   = "other"   // an item of a type that only rules know
	roleUnknown = "unknown" // an item of no type
)

// itemShown is an item of a collection.
type itemShown struct {
	recognised
	// PK and SK are the primary key, AtPK and AtSK the key in the index that is read.
	PK   keyShown `json:"pk"`
	SK   keyShown `json:"sk"`
	AtPK string   `json:"atPK"`
	AtSK string   `json:"atSK"`
	// Entries are the item's entries in indexes, as far as they are in its attributes.
	Entries []entryShown `json:"entries,omitempty"`
	// ID is the global id of the object.
	ID string `json:"id,omitempty"`
	// Bytes is the size of the item. ReadUnits is what a GetItem of it consumes, eventually consistent.
	Bytes      int              `json:"bytes"`
	ReadUnits  float64          `json:"readUnits"`
	Attributes []attributeShown `json:"attributes"`
	// Partial is set for an entry of an index that does not have all attributes.
	Partial bool `json:"partial,omitempty"`
	// Expired is set for an item that DynamoDB will delete, Deleted for a tombstone. Both are read as missing.
	Expired  bool           `json:"expired,omitempty"`
	Deleted  bool           `json:"deleted,omitempty"`
	Problems []problemShown `json:"problems,omitempty"`
	Links    []link         `json:"links,omitempty"`
}

// recognised is what an item is.
type recognised struct {
	// Type is the name of its type; that of the type whose value a claim claims is in Label. "" for an item of no type.
	Type string `json:"type"`
	Role string `json:"role"`
	// Label describes the item, such as "copy of Order".
	Label string `json:"label"`
}

type entryShown struct {
	Index string   `json:"index"`
	PK    keyShown `json:"pk"`
	SK    keyShown `json:"sk"`
}

// problemShown is what `table check` finds in the item by itself.
type problemShown struct {
	Kind    check.Kind `json:"kind"`
	Problem string     `json:"problem"`
}

// recognise returns what an item is, as check.Table recognises it.
func (b *Browser) recognise(it item.Item) recognised {
	if write.IsOnce(b.design, it) {
		return recognised{it.Type(), roleClaim, "claim of an idempotency key"}
	}
	if _, is := write.DeletionOf(b.design, it); is {
		return recognised{it.Type(), roleClaim, "list of deleted objects"}
	}
	t := b.design.Type(it.Type())
	if t == nil {
		if of, u := write.ClaimOf(b.design, it); of != nil {
			return recognised{cmp.Or(it.Type(), u.Claim), roleClaim, "claim of " + of.Name + "." + u.Attribute}
		}
		if it.Type() == "" {
			return recognised{"", roleUnknown, "item of no type"}
		}
		if b.inspector.IsRuled(it.Type()) {
			return recognised{it.Type(), roleOther, it.Type()}
		}
		return recognised{it.Type(), roleUnknown, "item of no type of the schema"}
	}
	key := keys.KeyOf(it)
	isCopy := func(c design.Copy) bool { return c.Holds(key) }
	if !t.IsBase(key) && slices.ContainsFunc(t.Copies, isCopy) {
		return recognised{t.Name, roleCopy, copyOf(t)}
	}
	return recognised{t.Name, roleObject, t.Name}
}

// shown returns an item of an index, or of the table, as the page shows it.
func (b *Browser) shown(ix *stored.IndexLayout, d item.Item) itemShown {
	it := b.design.FromStored(d)
	s := itemShown{recognised: b.recognise(it), Bytes: d.Size(), Deleted: keys.IsDeleted(it)}
	s.AtPK, s.AtSK = ix.ShowPK(ix.PartitionKey(d)), ix.ShowSK(ix.SortKey(d))
	s.ReadUnits = capacity.Get(s.Bytes, false)
	s.Partial = ix.Projection != stored.All
	s.Expired = b.design.ExpiryAt(b.source.Now()).IsExpired(it)
	t := b.design.Type(it.Type())
	table, key := b.design.Layout.Index(""), keys.KeyOf(it)
	s.PK, s.SK = b.keyShown(&table, t, key)
	for _, name := range b.design.IndexNames() {
		entry := b.design.Layout.Index(name)
		at := keys.Key{PK: entry.PartitionKey(d), SK: entry.SortKey(d)}
		if at.PK == "" || at.SK == "" && len(entry.SK) > 0 {
			continue
		}
		pk, sk := b.keyShown(&entry, t, at)
		s.Entries = append(s.Entries, entryShown{name, pk, sk})
	}
	s.Attributes = b.attributes(t, it, d)
	if !s.Partial {
		for _, v := range b.inspector.Inspect(it) {
			s.Problems = append(s.Problems, problemShown{v.Kind, v.Problem})
		}
	}
	if t != nil {
		s.ID = globalID(t, it)
	}
	s.Links = b.links(t, it, &s)
	return s
}

// globalID returns the global id of an object; "" if its type is no Node or a value is missing.
func globalID(t *design.Type, it item.Item) string {
	if !slices.Contains(t.Satisfies, "Node") {
		return ""
	}
	values := make([]string, len(t.Identity))
	for i, name := range t.Identity {
		if values[i] = it.Text(name); values[i] == "" {
			return ""
		}
	}
	return keys.NewID(t.Name, values...).Encode()
}
