package write

import (
	"math"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// uuidBytes is the length of what NewID returns as the value of an id.
const uuidBytes = 36

// onceBytes is the largest size of the claim of an idempotency key without the raw id of its holder.
const onceBytes = 512

// claimBytes returns the largest size of the claim of a unique value. Only with isNew is its value that of the input. A
// claim of another library may have attributes that Partita does not write, so it is at least otherBytes.
func (x *planner) claimBytes(u design.Unique, isNew bool) int {
	claim := UniqueClaims(x.t, u).Item(keys.Key{}, "")
	if x.t.Expires != "" {
		claim = append(claim, item.Attribute{Name: x.d.ExpiryAttribute(), Value: item.IntValue(math.MaxInt64)})
	}
	pk := x.claimKeyBytes(u, isNew)
	sk := pk
	if u.IsForeign() && len(u.SK.Variables()) == 0 {
		sk = len(u.SK.String())
	}
	return max(otherBytes, x.d.ToStored(claim).Size()+pk+sk+x.holderBytes(x.in))
}

// claimKeyBytes returns the largest size of the partition key of a claim. A mutation with a longer one writes nothing.
func (x *planner) claimKeyBytes(u design.Unique, isNew bool) int {
	limit := keys.MaxSKBytes
	if u.IsForeign() && len(u.SK.Variables()) == 0 {
		limit = keys.MaxPKBytes
	}
	bytes, isKnown, isAsStored := len(u.Key.String()), isNew, !u.IgnoreCase
	for _, s := range u.Key.Segments() {
		if s.Variable == "" {
			continue
		}
		text := x.value(s.Variable)
		if s.Variable == u.Attribute {
			text = folded(u, text)
		}
		isKnown, isAsStored = isKnown && text != "", isAsStored && s.Case == keys.AsIs && s.Width == 0
		bytes += max(len(s.Case.Of(text)), s.Width)
	}
	switch {
	case isKnown:
		return min(bytes, limit)
	case isAsStored: // The item of the object has the values.
		return min(len(u.Key.String())+x.t.MaxBytes, limit)
	default:
		return limit
	}
}

// holderBytes returns the largest size of the raw id of the object in a claim, for a given input or with nil for any. A
// mutation with a longer id writes nothing.
func (x *planner) holderBytes(in *Input) int {
	if x.isWorst {
		in = nil
	}
	if x.m.HasID && in != nil {
		return min(len(in.ID), mostHolderBytes(x.t))
	}
	values := make([]string, len(x.t.Identity))
	for i, name := range x.t.Identity {
		if in != nil {
			values[i] = in.Set.Text(name)
		}
		if values[i] == "" && (name != fieldID || !x.m.GeneratesID(x.t)) {
			return mostHolderBytes(x.t)
		}
	}
	return len(keys.NewID("", values...)) + uuidBytes
}

// escapedBytes is how long a character of a value is at most in an id of several values.
const escapedBytes = len("%25")

// mostHolderBytes returns the largest size of the raw id of an object of the type: its values are in the key and in the
// item of the object.
func mostHolderBytes(t *design.Type) int {
	bytes := 0
	for _, name := range t.Identity {
		most := t.MaxBytes
		for _, s := range t.Shapes() {
			if s.PK.Has(name) {
				most = min(most, keys.MaxPKBytes)
			}
			if s.SK.Has(name) {
				most = min(most, keys.MaxSKBytes)
			}
		}
		if a := t.Attribute(name); a != nil {
			switch a.Kind {
			case keys.Int, keys.Int64, keys.Boolean, keys.Time, keys.Date:
				most = min(most, len(item.TimeLayout))
			}
		}
		bytes += most
	}
	if len(t.Identity) > 1 {
		return min(bytes, t.MaxBytes)*escapedBytes + len(t.Identity)
	}
	return bytes
}
