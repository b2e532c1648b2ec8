package browse

import (
	"slices"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// The kinds of links.
const (
	linkBase      = "base"      // the base item of the object
	linkCopy      = "copy"      // a copy of the object
	linkEntry     = "entry"     // an entry of the object in an index
	linkClaim     = "claim"     // the claim of a unique value
	linkHolder    = "holder"    // the object that has a claim
	linkReference = "reference" // an object whose id the item has
	linkField     = "field"     // what a field of the object reads
	linkReferrer  = "referrer"  // items that have the id of the object
)

// maxPartitions is how many partitions of one link are shown: those of a field over shards or time buckets.
const maxPartitions = 3

// link leads to a collection. With Exact, SK is a sort key, otherwise the beginning of sort keys.
type link struct {
	Kind  string `json:"kind"`
	Label string `json:"label"`
	Index string `json:"index,omitempty"`
	PK    string `json:"pk"`
	SK    string `json:"sk,omitempty"`
	Exact bool   `json:"exact,omitempty"`
}

// linker collects the links of an item, each place once.
type linker struct {
	*Browser
	links []link
}

func (l *linker) add(kind, label, index string, key keys.Key, exact bool) {
	ix := l.design.Layout.Index(index)
	added := link{kind, label, index, ix.ShowPK(key.PK), beginning(&ix, key.SK), exact}
	same := func(o link) bool {
		return o.Index == added.Index && o.PK == added.PK && o.SK == added.SK && o.Exact == exact
	}
	if !slices.ContainsFunc(l.links, same) {
		l.links = append(l.links, added)
	}
}

// links returns where the keys and the attributes of an item lead, and where the items are that refer to it. Whether
// anything is stored there is not known.
func (b *Browser) links(t *design.Type, it item.Item, s *itemShown) []link {
	l := &linker{Browser: b}
	if t == nil {
		l.holder(it)
		return l.links
	}
	l.object(t, it)
	for _, a := range t.Attributes {
		if to := b.reference(t, a.Name, it.Text(a.Name)); to != nil {
			l.links = append(l.links, *to)
		}
	}
	l.fields(t, it)
	l.referrers(t, it)
	return slices.DeleteFunc(l.links, func(o link) bool {
		return o.Exact && o.Index == "" && o.PK == s.PK.Text && o.SK == s.SK.Text && o.Kind != linkField
	})
}

// object adds the items in which the object is stored, their entries in indexes, and its claims.
func (l *linker) object(t *design.Type, it item.Item) {
	items, err := write.ItemsOf(l.design, t, it)
	if err != nil { // It lacks attributes: an entry of an index, or a damaged item.
		items = []item.Item{it}
	}
	for i, stored := range items {
		kind, label := linkBase, "base item"
		if i > 0 || err != nil && !t.IsBase(keys.KeyOf(it)) {
			kind, label = linkCopy, "copy"
		}
		l.add(kind, label, "", keys.KeyOf(stored), true)
	}
	for _, stored := range items {
		for _, name := range l.design.IndexNames() {
			at := keys.Key{PK: keys.PK(stored.Text(keys.IndexPK(name))), SK: keys.SK(stored.Text(keys.IndexSK(name)))}
			if at.PK != "" && (at.SK != "" || l.design.Layout.Index(name).SK.String() == "") {
				l.add(linkEntry, "entry in "+name, name, at, true)
			}
		}
	}
	for _, u := range t.Uniques {
		if claim, err := write.UniqueClaim(t, u, it); err == nil && claim != nil {
			l.add(linkClaim, "claim of "+t.Name+"."+u.Attribute, "", keys.KeyOf(claim), true)
		}
	}
}

// holder adds the object that has a claim.
func (l *linker) holder(it item.Item) {
	t, u := write.ClaimOf(l.design, it)
	if t == nil {
		return
	}
	if key, err := write.ObjectKey(t, write.UniqueClaims(t, u).HolderOf(it)); err == nil {
		l.add(linkHolder, t.Name+" with this "+u.Attribute, "", key, true)
	}
}

// fields adds what the fields of the object read, as far as that does not depend on arguments.
func (l *linker) fields(t *design.Type, it item.Item) {
	for _, f := range l.design.Fields {
		if f.Parent != t.Name {
			continue
		}
		bound := f.Bind(func(name string) keys.Value {
			if f.Argument(name) != nil || name == keys.ViewerVariable {
				return keys.Value{}
			}
			return keys.AttributeValue(it, name)
		})
		c, err := bound.At(l.source.Now()).Condition()
		switch {
		case err != nil || c.IsEmpty():
		case f.Kind == design.Get:
			l.add(linkField, f.Coordinate(), "", c.Key, true)
		default:
			for _, p := range c.Partitions[:min(len(c.Partitions), maxPartitions)] {
				label := strings.TrimSpace(f.Coordinate() + " " + p.Label)
				l.add(linkField, label, f.Index, keys.Key{PK: p.PK, SK: c.Prefix}, f.Extent() == keys.Exact)
			}
		}
	}
}

// referrers adds the collections whose partition key follows from the id of the object alone, because items in them
// have it in an attribute.
func (l *linker) referrers(t *design.Type, it item.Item) {
	if len(t.Identity) != 1 {
		return
	}
	id := keys.StringValue(it.Text(t.Identity[0]))
	for _, from := range l.design.Types {
		for _, a := range from.Attributes {
			if a.Ref != t.Name || from == t && slices.Contains(t.Identity, a.Name) {
				continue
			}
			values := keys.Values{{Name: a.Name, Value: id}}
			label := from.Name + "." + a.Name
			for _, s := range from.Shapes() {
				l.referrer(label, "", s, values)
			}
			for _, ix := range from.Indexes {
				if ix.Shards <= 1 {
					l.referrer(label, ix.Name, ix.Shape, values)
				}
			}
		}
	}
}

func (l *linker) referrer(label, index string, s keys.Shape, values keys.Values) {
	if len(s.PK.Variables()) == 0 {
		return
	}
	pk, err := s.PK.Build(values.Get)
	if err != nil {
		return
	}
	l.add(linkReferrer, label, index, keys.Key{PK: keys.PK(pk), SK: keys.SK(s.SK.Leading())}, false)
}

// reference returns where the object is that a value of an item of the type identifies: that of an attribute for ids of
// another type, or of one from which alone a field gets its object. It is nil for any other value.
func (b *Browser) reference(t *design.Type, name, value string) *link {
	a := t.Attribute(name)
	if a == nil || value == "" {
		return nil
	}
	target := b.design.Type(a.Ref)
	if target == nil || target == t && slices.Contains(t.Identity, name) {
		return b.got(t, name, value)
	}
	key, err := write.ObjectKey(target, keys.NewID(a.Ref, value))
	if err != nil {
		return nil
	}
	return b.referenceTo(key, name, a.Ref)
}

// got returns where the object is that a field of the type gets with the value of one attribute; nil if there is none.
func (b *Browser) got(t *design.Type, name, value string) *link {
	if len(t.Identity) == 1 && t.Identity[0] == name {
		return nil // It is read by a field of the object.
	}
	isOther := func(variable string) bool { return variable != name }
	for _, f := range b.design.Fields {
		if f.Kind != design.Get || f.Parent != t.Name || f.Types[0] == t.Name || f.Argument(name) != nil ||
			slices.ContainsFunc(append(f.PK.Variables(), f.SK.Variables()...), isOther) {
			continue
		}
		c, err := f.Bind(keys.Values{{Name: name, Value: keys.StringValue(value)}}.Get).Condition()
		if err == nil && !c.IsEmpty() {
			return b.referenceTo(c.Key, name, f.Types[0])
		}
	}
	return nil
}

// referenceTo returns the link of an attribute to the object of a type with the key.
func (b *Browser) referenceTo(key keys.Key, name, typeName string) *link {
	pk, sk := b.design.Layout.ShowKey(key)
	return &link{linkReference, name + " → " + typeName, "", pk, sk, true}
}
