package write

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// NewID returns the id of a new object: a UUIDv7, so that the ids of a type sort by age.
//
// https://www.rfc-editor.org/rfc/rfc9562#section-5.7
func NewID(typ string) keys.ID { return keys.NewID(typ, uuid.Must(uuid.NewV7()).String()) }

// create creates the object.
func (x *mutation) create(ctx context.Context) error {
	base, items, err := x.created(ctx)
	if base == nil || err != nil {
		return err
	}
	if err := x.admit(ctx, base); err != nil {
		return err
	}
	for attempt := range x.maxAttempts() {
		if attempt > 0 && x.isNumbered() {
			x.beginNumbers()
			if base, items, err = x.created(ctx); base == nil || err != nil {
				return err
			}
		}
		isDone, err := x.tryCreation(ctx, base, items)
		if isDone || err != nil || x.out.Any() {
			return err
		}
	}
	x.busy()
	return nil
}

// tryCreation sends the transaction of a creation. It is done, or there are user errors, unless an object that counts
// it is not as it was known.
func (x *mutation) tryCreation(ctx context.Context, base item.Item, items []item.Item) (isDone bool, _ error) {
	c, err := x.creation(base, items)
	if err == nil && c != nil {
		err = x.settleAll(ctx, c)
	}
	if err != nil || x.out.Any() {
		return false, err
	}
	id := idOf(x.t, base)
	earlier, failed, err := x.commitCreation(ctx, c, id)
	switch {
	case errors.Is(err, ErrKeyReused):
		x.out.Add(CodeKeyReused, fieldIdempotencyKey, "%s was used for another %s; make a new key for each %[2]s",
			fieldIdempotencyKey, x.t.Name)
		return false, nil
	case err != nil:
		return false, err
	case earlier != "" && earlier != id:
		return true, x.createdEarlier(ctx, earlier)
	case failed == nil:
		x.out.ID, x.out.Object = id, base
		return true, nil
	}
	return false, x.failCreation(c, failed, id)
}

// failCreation adds the user errors of the parts that failed.
func (x *mutation) failCreation(c *change, failed *Failure, id keys.ID) error {
	isChanged, err := x.expelled(c, failed)
	if err != nil {
		return err
	}
	x.missingParents(c, failed)
	switch {
	case x.out.Any():
	case isChanged:
		x.busy()
	case failed.Part(objectPart) && x.m.GeneratesID(x.t):
		return fmt.Errorf("write: the id of the new %s %s is in use", x.t.Name, id.Value())
	case failed.Part(objectPart):
		x.exists(failed.Item(objectPart), id)
	default:
		x.taken(c, failed)
	}
	return nil
}

// creation returns the change that stores a new object; nil after a user error.
func (x *mutation) creation(base item.Item, items []item.Item) (*change, error) {
	if x.illegal(started(x.t, base)) {
		return nil, nil
	}
	var c change
	c.add(objectPart, Create(x.d, items)...)
	c.tx.Actions[0].bounded = x.d.CountersIn(x.t)
	x.addMembers(&c)
	if err := c.claim(x.t, nil, base); err != nil {
		return nil, x.inputError(err)
	}
	if err := c.count(x.d, x.t, nil, base); err != nil {
		return nil, x.inputError(err)
	}
	if err := x.sequence(&c, base); err != nil {
		return nil, x.inputError(err)
	}
	if err := c.requireParents(x.d, x.t, nil, base); err != nil {
		return nil, x.inputError(err)
	}
	for _, n := range c.counts {
		if at, _ := ParentKey(x.d, n.Counter, base); at == keys.KeyOf(base) {
			x.missingParent(n.Counter)
			return nil, nil
		}
	}
	return &c, nil
}

// created returns the base item and all stored items of the new object; nil after a user error.
func (x *mutation) created(ctx context.Context) (base item.Item, items []item.Item, err error) {
	attributes := slices.Clone(x.in.Set)
	if x.m.GeneratesID(x.t) {
		attributes = with(attributes, fieldID, keys.IDAttribute(NewID(x.t.Name)))
	}
	if attributes, err = x.number(ctx, x.stamp(attributes)); attributes == nil || err != nil {
		return nil, nil, err
	}
	for _, a := range x.t.Attributes {
		if _, given := attributes.Get(a.Name); !given && a.NonNull && a.Default.Kind != item.Null {
			attributes = with(attributes, a.Name, a.Default)
		}
	}
	if x.t.Version != "" {
		attributes = with(attributes, x.t.Version, item.NumberValue(1))
	}
	for _, c := range x.d.CountersIn(x.t) {
		attributes = with(attributes, c.Attribute, item.NumberValue(0))
	}
	items, err = Items(x.t, attributes)
	if err != nil {
		return nil, nil, x.inputError(err)
	}
	if !x.owns(items[0]) {
		x.otherOwner()
		return nil, nil, nil
	}
	return items[0], items, nil
}

// commitCreation carries out the transaction, once for each idempotency key.
func (x *mutation) commitCreation(ctx context.Context, c *change, id keys.ID) (earlier keys.ID, _ *Failure, _ error) {
	if x.in.IdempotencyKey == "" {
		_, failed, err := c.tx.commit(ctx, "", c.handled())
		return "", failed, err
	}
	digest, err := Digest(plain(x.in.Set))
	if err != nil {
		return "", nil, err
	}
	once := idempotency(x.d, x.t)
	key, err := once.KeyFor(onceValues(x.m, x.in))
	if err != nil {
		return "", nil, err
	}
	return x.commitOnce(ctx, once, Attempt{Key: key, Created: id, Digest: digest}, c.tx, c.handled())
}

// commitOnce is Once.Commit, which reads the claim at most once.
func (x *mutation) commitOnce(
	ctx context.Context, once Once, a Attempt, tx Transaction, handled []string,
) (earlier keys.ID, _ *Failure, _ error) {
	commit := once.Commit
	if x.isSent {
		commit = once.commit
	}
	x.isSent = true
	return commit(ctx, a, tx, handled...)
}

// createdEarlier returns the object that an earlier attempt with the idempotency key has created.
func (x *mutation) createdEarlier(ctx context.Context, id keys.ID) error {
	key, err := ObjectKey(x.t, id)
	if err != nil {
		return fmt.Errorf("write: the claim of an idempotency key names no %s: %w", x.t.Name, err)
	}
	it, err := ReadItem(ctx, key)
	switch {
	case err != nil:
		return err
	case it == nil:
		x.out.Add(CodeNotFound, fieldIdempotencyKey, "the %s that was created with this %s has been deleted",
			x.t.Name, fieldIdempotencyKey)
	default:
		x.out.ID, x.out.Object = id, it
	}
	return nil
}

// onceLifetime is how long the idempotency key of a creation is remembered.
const onceLifetime = 24 * time.Hour

// IdempotencyClaim is the value of the type attribute of the claims of idempotency keys.
const IdempotencyClaim = "IdempotencyClaim"

// OncePrefix begins the keys of the claims of idempotency keys.
const OncePrefix = "ONCE"

// idempotency returns the claims of the idempotency keys of creations of a type.
func idempotency(d *design.Design, t *design.Type) Once { return onceOf(d, t.Name, len(t.Identity)) }

// onceOf returns the claims of idempotency keys whose holders have ids with so many values. The keys are not part of
// theirs, only a digest of them, so that any text may be one.
func onceOf(d *design.Design, holder string, values int) Once {
	delimiter := d.Layout.Delimiter
	return Once{
		Claims: Claims{
			Type: IdempotencyClaim, Holder: holder, Attribute: "createdId", Values: values,
			NoSK: !d.Layout.HasSortKey(),
			Key:  keys.MustDelimited(delimiter, strings.Join([]string{OncePrefix, "{mutation}", "{digest}"}, delimiter)),
		},
		Lifetime: onceLifetime, Expires: d.ExpiryAttribute(),
	}
}

// IsOnce reports whether an item is a claim of an idempotency key of a mutation of the design.
func IsOnce(d *design.Design, it item.Item) bool {
	isClaim := it.Type() == IdempotencyClaim
	if d.Layout.Type == "" {
		isClaim = it.Type() == "" && strings.HasPrefix(it.Text(keys.AttributePK), OncePrefix+d.Layout.Delimiter)
	}
	return isClaim && slices.ContainsFunc(d.Mutations, func(m *design.Mutation) bool { return m.HasIdempotencyKey })
}

// onceValues returns the values of the key of a claim.
func onceValues(m *design.Mutation, in *Input) keys.Values {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", in.Caller, in.IdempotencyKey))
	return keys.Values{
		{Name: "mutation", Value: keys.StringValue(m.Name)},
		{Name: "digest", Value: keys.StringValue(hex.EncodeToString(sum[:]))},
	}
}

// plain returns attributes as JSON values, for a digest: their order makes no difference.
func plain(it item.Item) map[string]any {
	fields := make(map[string]any, len(it))
	for _, a := range it {
		if a.Value.Kind != item.Null {
			fields[a.Name] = plainValue(a.Value)
		}
	}
	return fields
}

func plainValue(v item.Value) any {
	switch v.Kind {
	case item.List:
		elements := make([]any, len(v.Elements()))
		for i, e := range v.Elements() {
			elements[i] = plainValue(e)
		}
		return elements
	case item.Map:
		return plain(v.Fields())
	default:
		return [2]any{v.Kind, v.Text}
	}
}
