package design

import (
	"time"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// ExpiryAttribute returns the stored name of the attribute with the time after which DynamoDB deletes an item, "" if no
// type of the design has one. A table has one such attribute.
func (d *Design) ExpiryAttribute() string {
	if d == nil {
		return ""
	}
	for _, t := range d.Types {
		if t.Expires == "" {
			continue
		}
		if a := t.Attribute(t.Expires); a != nil {
			return a.StoredName()
		}
		return t.Expires
	}
	return ""
}

// Expiry is a time by DynamoDB's clock. It decides which items have expired then: DynamoDB deletes them some days
// later, and until then they are read as missing.
type Expiry struct {
	design      *Design
	stored      string
	oldest, now int64
}

// ExpiryAt returns the Expiry of a time.
func (d *Design) ExpiryAt(now time.Time) Expiry {
	oldest, latest := ExpiredBetween(now)
	return Expiry{design: d, stored: d.ExpiryAttribute(), oldest: oldest, now: latest}
}

// ExpiredBetween returns the first and the last second since 1970 of an item that has expired. DynamoDB keeps items
// whose time is more than five years ago.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
func ExpiredBetween(now time.Time) (oldest, latest int64) {
	const years = 5
	return now.AddDate(-years, 0, 0).Unix(), now.Unix()
}

// IsMissing reports whether an item is read as missing: it is a tombstone or has expired.
func (e Expiry) IsMissing(it item.Item) bool { return keys.IsDeleted(it) || e.IsExpired(it) }

// IsExpired reports whether an item has expired. An item of a type without an expiry, or without a type, such as a
// claim, expires by the attribute of the table, because DynamoDB deletes it too.
func (e Expiry) IsExpired(it item.Item) bool {
	if e.stored == "" {
		return false
	}
	name, isTime := e.stored, false
	if t := e.design.types[it.Type()]; t != nil && t.Expires != "" {
		name, isTime = t.Expires, t.Attribute(t.Expires) != nil
	}
	v, _ := it.Get(name)
	switch {
	case v.Kind == item.Number:
		// A time may have a fraction. It is compared as the conditions of writes compare it, which know the Number alone.
		at, err := item.AsFloat(v)
		return err == nil && float64(e.oldest) <= at && at <= float64(e.now)
	case v.Kind == item.String && isTime:
		at, err := item.AsTime(v)
		return err == nil && e.oldest <= at.Unix() && at.Unix() <= e.now
	default:
		return false
	}
}
