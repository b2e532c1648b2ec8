package write

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// attributeInput is the attribute of a claim with the digest of an input.
const attributeInput = "input"

// ErrKeyReused means that an earlier attempt had the same idempotency key and another
// input. Nothing was written.
var ErrKeyReused = errors.New("write: the idempotency key was used for another input")

// Once is a kind of claims by which a mutation is carried out once for each idempotency key. The
// holder of a claim is the object that the mutation created. A claim also has a digest of the
// mutation's input, and the time at which it expires.
type Once struct {
	Claims
	// Lifetime is how long a key is remembered at least. DynamoDB deletes the claim
	// some time after that.
	Lifetime time.Duration
	// Expires is the attribute with the time at which a claim expires: that of design.Design.ExpiryAttribute;
	// keys.AttributeExpiry with "".
	Expires string
}

// Item returns the claim with that key by the object that an input created. now is the time by the clock of the table,
// which deletes the claim after its Lifetime.
func (o Once) Item(key keys.Key, created keys.ID, digest string, now time.Time) item.Item {
	return append(o.Claims.Item(key, created),
		item.Attribute{Name: attributeInput, Value: item.StringValue(digest)},
		item.Attribute{Name: cmp.Or(o.Expires, keys.AttributeExpiry), Value: item.IntValue(now.Add(o.Lifetime).Unix())},
	)
}

// Digest returns the SHA-256 of an input's JSON in hexadecimal. It should be the
// input as it is stored, so that what makes no difference is not another input.
func Digest(input any) (string, error) {
	text, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Attempt is one attempt of a mutation that must happen once.
type Attempt struct {
	// Key is the key of the claim.
	Key keys.Key
	// Created is the id of the object that this attempt would create.
	Created keys.ID
	// Digest is that of the input.
	Digest string
}

// claimPart is the part of an attempt's transaction with the claim.
const claimPart = "claim of the idempotency key"

// Commit carries out the transaction together with the attempt's claim; see
// Transaction.Commit. If an earlier attempt with the same key has succeeded, nothing
// is written. The id of the object that it created is then returned, or ErrKeyReused
// if its input was another one. If that id is a.Created, this attempt has succeeded
// although an answer was lost.
//
// The claim is read first only if the Store is a RepeatStore that has seen the key: a second attempt, which is rare,
// then costs one read unit, and not the units of a transaction that is cancelled.
func (o Once) Commit(
	ctx context.Context, a Attempt, t Transaction, handled ...string,
) (earlier keys.ID, failed *Failure, err error) {
	s, err := FromContext(ctx)
	if err != nil {
		return "", nil, err
	}
	if repeats, is := s.(RepeatStore); is && repeats.IsRepeated(a.Key) {
		if found, earlier, err := o.find(ctx, a); found || err != nil {
			return earlier, nil, err
		}
	}
	return o.commit(ctx, a, t, handled...)
}

// commit is Commit without a read of the claim.
func (o Once) commit(
	ctx context.Context, a Attempt, t Transaction, handled ...string,
) (earlier keys.ID, failed *Failure, err error) {
	s, err := FromContext(ctx)
	if err != nil {
		return "", nil, err
	}
	handled = append(slices.Clone(handled), claimPart)
	t.Add(claimPart, Claim(o.Item(a.Key, a.Created, a.Digest, s.Now())))
	t.Token = uuid.NewSHA1(uuid.NameSpaceOID, []byte(a.Key.PK)).String()
	// A transaction whose answer was lost finds its own claim, and its own objects with it.
	_, failed, err = t.commit(ctx, claimPart, handled)
	if errors.Is(err, ErrTokenReused) {
		// Another attempt with the key has sent a transaction of its own. If there is no claim now, that attempt has
		// written nothing.
		if found, earlier, err := o.find(ctx, a); found || err != nil {
			return earlier, nil, err
		}
		t.Token = ""
		_, failed, err = t.commit(ctx, claimPart, handled)
	}
	switch {
	case err != nil || failed == nil:
		return "", nil, err
	case failed.Part(claimPart): // whatever has changed since the attempt that has put it
		earlier, err = o.earlier(a, failed.Item(claimPart))
		return earlier, nil, err
	default:
		return "", failed, nil
	}
}

// find reads the claim of the attempt's key and reports whether there is one. It returns the object of its holder.
func (o Once) find(ctx context.Context, a Attempt) (found bool, earlier keys.ID, err error) {
	claim, err := ReadItem(ctx, a.Key)
	if claim == nil || err != nil {
		return false, "", err
	}
	earlier, err = o.earlier(a, claim)
	return true, earlier, err
}

// earlier returns the object that the attempt with that claim created.
func (o Once) earlier(a Attempt, claim item.Item) (keys.ID, error) {
	if claim.Text(attributeInput) != a.Digest {
		return "", ErrKeyReused
	}
	return o.HolderOf(claim), nil
}
