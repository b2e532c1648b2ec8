package check

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// withOthers returns an item as it should be, but in an existing table with the attributes of the stored one that the
// type does not declare: they are those of other programs, such as keys of indexes that the schema does not name.
func (in *inspector) withOthers(t *design.Type, wanted, stored item.Item) item.Item {
	if !in.design.Translates() {
		return wanted
	}
	return write.ItemOnto(in.design, t, stored, wanted)
}

// show returns a key as people find it in the table: "USER#1 INFO", or "7" with a Number and no sort key.
func (in *inspector) show(key keys.Key) string {
	pk, sk := in.design.Layout.ShowKey(key)
	return Violation{PK: keys.PK(pk), SK: keys.SK(sk)}.Where()
}

func (in *inspector) showPK(key keys.Key) string { return in.show(keys.Key{PK: key.PK}) }
