package stored

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// HasSortKey reports whether the primary key of the table has a sort key.
func (l *Layout) HasSortKey() bool { return len(l.SK) > 0 }

// HasNumberKey reports whether an attribute of the table's primary key is a Number.
func (l *Layout) HasNumberKey() bool { return l.PK.HasNumber() || l.SK.HasNumber() }

// KeyOf returns the primary key of a stored item, which may have other attributes as well. A part that is missing, or
// of another type than the table's, is "": see IsWhole.
func (l *Layout) KeyOf(stored item.Item) keys.Key {
	return keys.Key{PK: keys.PK(l.PK.Text(stored)), SK: keys.SK(l.SK.Text(stored))}
}

// IsWhole reports whether a key has the parts that each key of the table has, and no other.
func (l *Layout) IsWhole(k keys.Key) bool { return k.PK != "" && (k.SK != "") == l.HasSortKey() }

// StoredKey returns the attributes that a primary key is in the table: Strings or Numbers. It is the inverse of KeyOf.
func (l *Layout) StoredKey(k keys.Key) item.Item {
	return l.SK.AppendStored(l.PK.AppendStored(make(item.Item, 0, 2), string(k.PK)), string(k.SK))
}

// ShowKey returns the parts of a primary key as people know them: see KeyAttributes.Show. sk is "" in a table without a
// sort key.
func (l *Layout) ShowKey(k keys.Key) (pk, sk string) {
	return l.PK.Show(string(k.PK)), l.SK.Show(string(k.SK))
}

// ParseKey returns the primary key with the parts that ShowKey returns. The error is an InputError: a part is missing
// or too long, or it is no Number although its attribute is one.
func (l *Layout) ParseKey(pk, sk string) (keys.Key, error) {
	table := l.Index("")
	p, err := table.ParsePK(pk)
	if err != nil {
		return keys.Key{}, err
	}
	s, err := table.ParseSK(sk)
	if err != nil {
		return keys.Key{}, err
	}
	if k := (keys.Key{PK: p, SK: s}); l.IsWhole(k) {
		return k, nil
	}
	return keys.Key{}, keys.InputErrorf("sk", "a sort key has 1 to %d bytes", keys.MaxSKBytes)
}

// IsKey reports whether a stored attribute is part of the table's primary key.
func (l *Layout) IsKey(name string) bool { return l.PK.Has(name) || l.SK.Has(name) }

// DescribeShape returns the key of items of the shape, as templates: "PK = USER#{id}, SK = INFO".
func (l *Layout) DescribeShape(s keys.Shape) string {
	return l.DescribeKey(s.PK.String(), s.SK.String())
}

// DescribeKey returns a key with parts that ShowKey has returned, or other texts of its parts, as people write it:
// "PK = USER#7, SK = INFO".
func (l *Layout) DescribeKey(pk, sk string) string {
	text := l.PK.Describe(pk)
	if l.HasSortKey() {
		text += ", " + l.SK.Describe(sk)
	}
	return text
}

// ParsePK and ParseSK return the text of a key of the index from that which ShowPK and ShowSK return. The error is an
// InputError for a text that cannot be a key.
func (ix *IndexLayout) ParsePK(text string) (keys.PK, error) {
	if text == "" || len(text) > keys.MaxPKBytes {
		return "", keys.InputErrorf("pk", "a partition key has 1 to %d bytes", keys.MaxPKBytes)
	}
	pk, err := ix.PK.Parse(text, true)
	return keys.PK(pk), err
}

// ParseSK is ParsePK for a sort key, or for the beginning of one that is a text; "" for none.
func (ix *IndexLayout) ParseSK(text string) (keys.SK, error) {
	switch {
	case text == "":
		return "", nil
	case len(ix.SK) == 0:
		return "", keys.InputErrorf("sk", "%s has no sort key", ix.title())
	case len(text) > keys.MaxSKBytes:
		return "", keys.InputErrorf("sk", "a sort key has at most %d bytes", keys.MaxSKBytes)
	}
	sk, err := ix.SK.Parse(text, false)
	return keys.SK(sk), err
}

// title returns what an error calls the index, or the table.
func (ix *IndexLayout) title() string {
	if ix.Name == "" {
		return "the table"
	}
	return "the index " + ix.Name
}
