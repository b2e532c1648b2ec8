package check

import (
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

// Kind is a stable code for what is wrong.
type Kind string

// The kinds of violations of any design. Rules have kinds of their own.
const (
	// ItemUnknown: the item's entityType is no type of the schema.
	ItemUnknown Kind = "ITEM_UNKNOWN"
	// TenantMissing: no tenant precedes the partition key, in a table with tenants.
	TenantMissing Kind = "TENANT_MISSING"
	// ItemInvalid: the attributes do not make an object of the item's type.
	ItemInvalid Kind = "ITEM_INVALID"
	// ExpiryWrong: the attribute by which items of the type expire is no time in seconds, so that DynamoDB never deletes
	// the item.
	ExpiryWrong Kind = "EXPIRY_WRONG"
	// ItemTooLarge: the item has more bytes than its type allows.
	ItemTooLarge Kind = "ITEM_TOO_LARGE"
	// KeyWrong: the key is not the one that follows from the attributes.
	KeyWrong Kind = "KEY_WRONG"
	// IndexEntryWrong: the index attributes of an item do not follow from its other
	// attributes.
	IndexEntryWrong Kind = "INDEX_ENTRY_WRONG"
	// CopyMissing: a copy of the object is not stored.
	CopyMissing Kind = "COPY_MISSING"
	// CopyDiffers: a copy has other attributes than the base item.
	CopyDiffers Kind = "COPY_DIFFERS"
	// CopyOrphan: the item is a copy of an object that does not exist.
	CopyOrphan Kind = "COPY_ORPHAN"
	// LatestWrong: a copy that several objects share is missing, or does not hold the
	// one with the greatest value.
	LatestWrong Kind = "LATEST_WRONG"
	// LatestUnknown: the object that such a copy held was deleted, and the copy reads
	// as missing.
	LatestUnknown Kind = "LATEST_UNKNOWN"
	// ReferenceBroken: an object that must exist does not.
	ReferenceBroken Kind = "REFERENCE_BROKEN"
	// CounterWrong: a counter is not the number of items in its collection.
	CounterWrong Kind = "COUNTER_WRONG"
	// ClaimMissing: there is no claim of a unique value of an object.
	ClaimMissing Kind = "CLAIM_MISSING"
	// ClaimWrong: the claim of a unique value is for another object.
	ClaimWrong Kind = "CLAIM_WRONG"
	// ClaimOrphan: a claim is for an object that does not exist, or does not have the value.
	ClaimOrphan Kind = "CLAIM_ORPHAN"
	// ClaimExpired: the claim of an idempotency key never expires, or should have been deleted long ago.
	ClaimExpired Kind = "CLAIM_EXPIRED"
	// TombstoneWrong: a deleted object is not as the sweep needs it.
	TombstoneWrong Kind = "TOMBSTONE_WRONG"
)

// Kinds are the kinds of violations of any design.
var Kinds = []Kind{
	ItemUnknown, TenantMissing, ItemInvalid, ExpiryWrong, ItemTooLarge, KeyWrong, IndexEntryWrong, CopyMissing,
	CopyDiffers, CopyOrphan, LatestWrong, LatestUnknown, ReferenceBroken, CounterWrong, ClaimMissing, ClaimWrong,
	ClaimOrphan, ClaimExpired, TombstoneWrong,
}

// Violation is one thing that is wrong with one item.
type Violation struct {
	Kind Kind `json:"kind"`
	// PK and SK are the key of the item. In a Report they are the texts of stored.Layout.ShowKey, with the tenant.
	PK keys.PK `json:"pk"`
	SK keys.SK `json:"sk,omitempty"`
	// Problem is a sentence that describes what is wrong.
	Problem string `json:"problem"`
	// Fix is what Repair does about it, or "" if it can do nothing.
	Fix string `json:"fix,omitempty"`
	// Needs is the flag without which Repair leaves it, because another program may have meant it; "" for none.
	Needs string `json:"needs,omitempty"`
	// Repaired is set once Repair has done that.
	Repaired bool `json:"repaired,omitempty"`
	// Actions are the transaction that does it. Its conditions must be true only
	// while everything is as the inspection read it.
	Actions []write.Action `json:"-"`
	// isLossless is set if nothing is lost by the repair, whatever other programs have meant: it writes what is not there,
	// or a number that has been counted.
	isLossless bool
	// isOfAnother is set if the damage is not the item's own: what it refers to, or is a copy of, is missing. The item may
	// be what that is restored from.
	isOfAnother bool
	// index is the index whose entry is wrong, or "".
	index string
	// lowers is set if a shared copy may hold a lower value once this is repaired. The
	// first pass repairs it, so that the second one finds the greatest.
	lowers bool
	// part distinguishes violations of one kind of one item.
	part string
	// steady is what must be the same in each round of a confirmation; "" means
	// Problem.
	steady string
}

// Where returns the key of the item in one text: "USER#1 INFO".
func (v Violation) Where() string { return strings.TrimSuffix(string(v.PK)+" "+string(v.SK), " ") }

func (v Violation) finding() string {
	if v.steady != "" {
		return v.steady
	}
	return v.Problem
}

// slot identifies what can be wrong at most once.
type slot struct {
	kind Kind
	key  keys.Key
	part string
}

func (v Violation) slot() slot { return slot{v.Kind, keys.Key{PK: v.PK, SK: v.SK}, v.part} }

// At returns a violation of the item with that key.
func At(key keys.Key, kind Kind, problem string) Violation {
	return Violation{Kind: kind, PK: key.PK, SK: key.SK, Problem: problem}
}

// completedBy is FixedBy for a repair that only writes what is not there.
func (v Violation) completedBy(fix string, actions ...write.Action) Violation {
	v.isLossless = true
	return v.FixedBy(fix, actions...)
}

// deletedBy is FixedBy for a repair that deletes something. If there is a reason why it may be needed, the violation
// has that, and no repair.
func (v Violation) deletedBy(why, fix string, actions ...write.Action) Violation {
	if why != "" {
		v.Problem += ", " + why
		return v
	}
	return v.FixedBy(fix, actions...)
}

// FixedBy returns the violation with what Repair does about it.
func (v Violation) FixedBy(fix string, actions ...write.Action) Violation {
	v.Fix, v.Actions = fix, actions
	return v
}

// deletes reports whether Repair would delete an item.
func (v Violation) deletes() bool {
	return slices.ContainsFunc(v.Actions, func(a write.Action) bool { return a.Kind == write.ActionDelete })
}
