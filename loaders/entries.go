package loaders

import (
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// completeEntries replaces the entries of a page of a projected index by their items, if they lack something that is
// selected, and otherwise marks them as entries. isReady is false while the items are being read.
//
// The page lacks an entry whose item does not exist, or has another place in the index: the index is behind the table,
// which does not have such an item there any more.
func (r *run) completeEntries(v *Value, p *Page) (isReady bool, err error) {
	c := v.condition
	if !r.op.bound.Schema.NeedsItems(v.Field, c.Field) {
		p.replace(keys.Entry)
		return true, nil
	}
	if v.items == nil {
		for _, entry := range p.Items {
			s := r.get(keys.KeyOf(entry), false, r.op.bound.ReadsState(v.Field))
			s.countAt(v.trace.ItemsID())
			v.items = append(v.items, s)
		}
		if !v.isReady() {
			v.finished = false
			r.waiting = append(r.waiting, v)
			return false, nil
		}
	}
	whole := make(map[keys.Key]item.Item, len(v.items))
	for i, s := range v.items {
		switch {
		case s.err != nil:
			return true, s.err
		case len(s.items) > 0 && isEntryOf(c, p.Items[i], s.items[0]) && !c.Excludes(s.items[0]):
			whole[s.key] = s.items[0]
		}
	}
	p.omit(func(entry item.Item) bool { return whole[keys.KeyOf(entry)] == nil })
	p.replace(func(entry item.Item) item.Item { return whole[keys.KeyOf(entry)] })
	return true, nil
}

// keepFirst omits all items but the first one, and reports whether there is one. The others have been read because the
// items of the first entries are missing.
func (p *Page) keepFirst() bool {
	p.Items = p.Items[:min(1, len(p.Items))]
	return len(p.Items) > 0
}

// isEntryOf reports whether an entry that the condition selects is that of the item. `table repair` may have moved the
// entry to another shard since, where it has the same place in the collection.
func isEntryOf(c *design.Condition, entry, it item.Item) bool {
	pk, sk := keys.IndexPK(c.Field.Index), keys.IndexSK(c.Field.Index)
	at := keys.Key{PK: keys.PK(it.Text(pk)), SK: keys.SK(it.Text(sk))}
	return entry.Text(sk) == string(at.SK) && (entry.Text(pk) == string(at.PK) || !c.Chronological() && c.Find(at) >= 0)
}

// replace replaces each item. Those of a Read are shared with other pages, and remain.
func (p *Page) replace(with func(item.Item) item.Item) {
	items := make([]item.Item, len(p.Items))
	for i, it := range p.Items {
		items[i] = with(it)
	}
	p.Items = items
}
