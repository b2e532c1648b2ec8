package check

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Kind is a stable code of what is wrong.
type Kind string

// What can be wrong between the items of any design. Rules have kinds of their
// own.
const (
	// ItemUnknown: the item's entityType is no type of the schema.
	ItemUnknown Kind = "ITEM_UNKNOWN"
	// ItemInvalid: the attributes do not make an object of the item's type.
	ItemInvalid Kind = "ITEM_INVALID"
	// ItemTooLarge: the item has more bytes than its type allows.
	ItemTooLarge Kind = "ITEM_TOO_LARGE"
	// KeyWrong: the key is not the one that follows from the attributes.
	KeyWrong Kind = "KEY_WRONG"
	// IndexEntryWrong: an item has other index attributes than follow from its
	// others.
	IndexEntryWrong Kind = "INDEX_ENTRY_WRONG"
	// CopyMissing: a copy of the object is not stored.
	CopyMissing Kind = "COPY_MISSING"
	// CopyDiffers: a copy has other attributes than the base item.
	CopyDiffers Kind = "COPY_DIFFERS"
	// CopyOrphan: there is no object that the item would be a copy of.
	CopyOrphan Kind = "COPY_ORPHAN"
	// ReferenceBroken: an object that must exist does not.
	ReferenceBroken Kind = "REFERENCE_BROKEN"
	// CounterWrong: a counter is not the number of items in its collection.
	CounterWrong Kind = "COUNTER_WRONG"
)

// Violation is one thing that is wrong with one item.
type Violation struct {
	Kind Kind    `json:"kind"`
	PK   keys.PK `json:"pk"`
	SK   keys.SK `json:"sk"`
	// Problem is a sentence on what is wrong.
	Problem string `json:"problem"`
	// Fix is what Repair does about it, or "" when it can do nothing.
	Fix string `json:"fix,omitempty"`
	// Mended is set once Repair has done that.
	Mended bool `json:"mended,omitempty"`
	// Mend is the transaction behind Fix. Its conditions must hold only while
	// everything is as the inspection read it.
	Mend []write.Action `json:"-"`
	// part tells violations of one kind of one item apart.
	part string
	// steady is what must be the same in each round of a confirmation; "" for
	// Problem.
	steady string
}

func (v Violation) finding() string {
	if v.steady != "" {
		return v.steady
	}
	return v.Problem
}

// slot is what can be wrong once at most.
type slot struct {
	kind Kind
	key  keys.Key
	part string
}

func (v Violation) slot() slot { return slot{v.Kind, keys.Key{PK: v.PK, SK: v.SK}, v.part} }

// At is a violation of the item with that key.
func At(key keys.Key, kind Kind, problem string) Violation {
	return Violation{Kind: kind, PK: key.PK, SK: key.SK, Problem: problem}
}

// MendedBy is the violation with what Repair does about it.
func (v Violation) MendedBy(fix string, actions ...write.Action) Violation {
	v.Fix, v.Mend = fix, actions
	return v
}
