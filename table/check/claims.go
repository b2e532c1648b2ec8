package check

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// expiredClaims is how long an idempotency claim may be there after it has expired. DynamoDB deletes most expired items
// within a few days, if the table has it turned on.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
const expiredClaims = 14 * 24 * time.Hour

// claims compares the unique values of an object with their claims.
func (in *inspector) claims(t *design.Type, it item.Item, r Reader) []Violation {
	var found []Violation
	for _, u := range t.Uniques {
		if v, wrong := in.claimed(t, u, it, r); wrong {
			v.part = u.Attribute
			found = append(found, v)
		}
	}
	return found
}

// claimed compares one unique value of an object with its claim.
func (in *inspector) claimed(t *design.Type, u design.Unique, it item.Item, r Reader) (v Violation, wrong bool) {
	at := keys.KeyOf(it)
	value := it.Text(u.Attribute)
	claim, err := write.UniqueClaim(t, u, it)
	if err != nil {
		return At(at, ItemInvalid, fmt.Sprintf("nothing can claim this %s: %v", u.Attribute, err)), true
	}
	if claim == nil {
		return Violation{}, false
	}
	still := write.CheckItem(at, write.IfUnchanged(in.design, it)...)
	stored := r.Get(keys.KeyOf(claim))
	if stored == nil {
		v := At(at, ClaimMissing, fmt.Sprintf("nothing claims %s for this %s", value, t.Name))
		return v.completedBy("put the claim", write.PutItem(claim, write.IfMissing()), still), true
	}
	claims := write.UniqueClaims(t, u)
	if !claims.HasHolder(stored) {
		return Violation{}, false // Another library has written it.
	}
	holder, err := write.ObjectKey(t, claims.HolderOf(stored))
	if err == nil && holder == at {
		if write.ExpiresWith(t, claim, stored) {
			return Violation{}, false
		}
		v := At(at, ClaimWrong, fmt.Sprintf("the claim of %s does not expire when this %s does", value, t.Name))
		return v.FixedBy("put it anew", write.PutItem(claim, write.IfUnchanged(in.design, stored)...), still), true
	}
	what := fmt.Sprintf("%s is claimed for another %s, %s", value, t.Name, in.showPK(holder))
	if err != nil {
		what = fmt.Sprintf("the claim of %s names no %s", value, t.Name)
	}
	v = At(at, ClaimWrong, what)
	actions := []write.Action{write.PutItem(claim, write.IfUnchanged(in.design, stored)...), still}
	if err == nil {
		rival := r.Get(holder)
		if has(t, u, rival, keys.KeyOf(claim)) {
			return v, true // Two objects have the value; which of them may keep it is for people to say.
		}
		other := write.CheckItem(holder, write.IfMissing())
		if rival != nil {
			other.If = write.IfUnchanged(in.design, rival)
		}
		actions = append(actions, other)
	}
	return v.FixedBy("claim it for this "+t.Name, actions...), true
}

// has reports whether an object, nil for none, has the value of a claim.
func has(t *design.Type, u design.Unique, it item.Item, claim keys.Key) bool {
	claimed, err := write.UniqueClaim(t, u, it)
	return err == nil && claimed != nil && keys.KeyOf(claimed) == claim
}

// inspectClaim inspects a claim of a unique value: its holder must have the value.
func (in *inspector) inspectClaim(t *design.Type, u design.Unique, it item.Item, r Reader) []Violation {
	at := keys.KeyOf(it)
	remove := write.DeleteItem(at, write.IfUnchanged(in.design, it)...)
	if !write.UniqueClaims(t, u).HasHolder(it) {
		return nil // Another library has written it, and only that one knows for which object.
	}
	holder, err := write.ObjectKey(t, write.UniqueClaims(t, u).HolderOf(it))
	if err != nil {
		// Another program may have another attribute for its holder, and whoever has the value cannot be found by it.
		return []Violation{At(at, ClaimOrphan, "the claim names no "+t.Name+", and it is not known who has the value")}
	}
	stored := r.Get(holder)
	if stored == nil {
		v := At(at, ClaimOrphan, fmt.Sprintf("the %s %s does not exist", t.Name, in.showPK(holder)))
		why := cmp.Or(in.otherCase(holder, r), in.claimHasMore(t, u, it))
		return []Violation{v.deletedBy(why, "delete it", remove, write.CheckItem(holder, write.IfMissing()))}
	}
	if has(t, u, stored, at) && !keys.IsDeleted(stored) {
		return nil
	}
	what := fmt.Sprintf("the %s %s does not have this %s", t.Name, in.showPK(holder), u.Attribute)
	if condition := u.Where.String(); condition != "" {
		what += ", or not where " + condition
	}
	v := At(at, ClaimOrphan, what)
	still := write.CheckItem(holder, write.IfUnchanged(in.design, stored)...)
	return []Violation{v.deletedBy(in.claimHasMore(t, u, it), "delete it", remove, still)}
}

// claimHasMore returns that a claim has attributes that those of Partita do not have, "" if it has none.
func (in *inspector) claimHasMore(t *design.Type, u design.Unique, claim item.Item) string {
	if !in.design.HasOtherWriters() {
		return ""
	}
	for _, a := range claim.WithoutNulls() {
		isOwn := in.design.IsKeyAttribute(a.Name) || a.Name == u.Holder || a.Name == t.Expires ||
			slices.Contains(t.Identity, a.Name)
		if !isOwn {
			return "but it has " + a.Name + ", which another program has written"
		}
	}
	return ""
}

// inspectOnce inspects the claim of an idempotency key. The object that was created with it may be deleted since.
func (in *inspector) inspectOnce(it item.Item) []Violation {
	at := keys.KeyOf(it)
	v, hasExpiry := it.Get(cmp.Or(in.design.ExpiryAttribute(), keys.AttributeExpiry))
	expires, err := item.AsInt64(v)
	remove := write.DeleteItem(at, write.IfUnchanged(in.design, it)...)
	switch {
	case !hasExpiry || err != nil:
		return []Violation{At(at, ClaimExpired, "the claim does not expire").FixedBy("delete it", remove)}
	case in.now().Sub(time.Unix(expires, 0)) > expiredClaims:
		return []Violation{At(at, ClaimExpired, "the claim has expired long ago").FixedBy("delete it", remove)}
	default:
		return nil
	}
}
