package migrate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
	"github.com/partita/partita/keys/stored"
)

// Difference is what differs in what two versions store. Fields, rules and all else of an API are no part of it.
type Difference struct {
	Names
	Parts []Part
}

// Compare returns what differs in what two versions store, in an order that is the same in each call.
func Compare(from, to Version) Difference {
	d := Difference{Names: NewNames(from, to)}
	d.table()
	d.tenants()
	for _, t := range to.Types {
		if former := from.Type(d.FormerType(t.Name)); former != nil {
			d.compareTypes(former, t)
		} else {
			d.add(Part{Kind: TypeOf, Change: New, Type: t.Name, IsFree: true})
		}
	}
	for _, t := range from.Types {
		if to.Type(d.LaterType(t.Name)) == nil {
			d.add(Part{Kind: TypeOf, Change: Gone, Type: t.Name})
		}
	}
	d.counters()
	d.blockCopiedCounters()
	d.alone()
	return d
}

// IsEmpty reports whether both versions store the same.
func (d *Difference) IsEmpty() bool { return len(d.Parts) == 0 }

// Blocked returns the parts to which no step leads.
func (d *Difference) Blocked() []Part {
	return slices.DeleteFunc(slices.Clone(d.Parts), func(p Part) bool { return p.Blocked == "" })
}

// NeedsData reports whether stored items have to change before the later version is right.
func (d *Difference) NeedsData() bool {
	return slices.ContainsFunc(d.Parts, func(p Part) bool { return !p.IsFree && p.Change != Gone })
}

// NeedsMigration reports whether the versions store differently, so that one cannot simply replace the other.
func (d *Difference) NeedsMigration() bool {
	return slices.ContainsFunc(d.Parts, func(p Part) bool { return !p.IsFree })
}

func (d *Difference) add(p Part) { d.Parts = append(d.Parts, p) }

// changed adds a part if its text differs. "" is a part that a version does not have.
func (d *Difference) changed(p Part, from, to string) {
	if from == to {
		return
	}
	p.From, p.To = from, to
	switch {
	case from == "":
		p.Change = New
	case to == "":
		p.Change = Gone
	default:
		p.Change = Changed
	}
	d.add(p)
}

// table compares the names of the table and its indexes.
func (d *Difference) table() {
	from, to := d.from.Layout, d.to.Layout
	d.changed(Part{Kind: TableKey, Blocked: "the keys of a table cannot be changed: load an export into another table"},
		from.PK.String()+" "+from.SK.String(), to.PK.String()+" "+to.SK.String())
	d.changed(Part{Kind: TypeValue, IsInPlace: true}, from.Type, to.Type)
	names := slices.Compact(slices.Sorted(slices.Values(slices.Concat(d.from.IndexNames(), d.to.IndexNames()))))
	for _, name := range names {
		p := Part{Kind: TableIndex, Name: name}
		was, is := d.indexText(d.from, name), d.indexText(d.to, name)
		if was != "" && is != "" {
			p.Blocked = "the keys of an index cannot be changed: write another index in @table(indexes:)"
		}
		d.changed(p, was, is)
	}
}

// indexText returns the keys and the projection of an index of a version, "" if it does not have the index.
func (d *Difference) indexText(v Version, name string) string {
	if !slices.Contains(v.IndexNames(), name) {
		return ""
	}
	ix := v.Layout.Index(name)
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", ix.PK, ix.SK, ix.Projection, strings.Join(ix.Include, " ")))
}

// compareTypes compares what is stored of the objects of one type.
func (d *Difference) compareTypes(from, to *design.Type) {
	part := func(kind PartKind) Part { return Part{Kind: kind, Type: to.Name} }
	if from.Name != to.Name {
		p := part(TypeOf)
		p.IsFree = from.TypeValue() == to.TypeValue()
		d.changed(p, from.Name, to.Name)
	}
	value := part(TypeValue)
	value.IsInPlace = true
	d.changed(value, from.TypeValue(), to.TypeValue())
	d.changed(value, constants(from), constants(to))
	d.changed(part(Expiry), from.Expires, to.Expires)
	was, is := d.keyTexts(from, to)
	key := part(ItemKey)
	key.Blocked = cmp.Or(d.ambiguous(from, to), isLikeShard(from, to, was, is), sharedPlace(to.Item, to.Identity, was, is))
	d.changed(key, was.text(from.Item, from.Shards), is.text(to.Item, to.Shards))
	d.copies(from, to, was, is)
	d.entries(from, to, was, is)
	d.uniques(from, to, was, is)
	d.attributes(from, to)
	if !sharesItem(from, to, was, is) {
		for i := range d.Parts {
			d.Parts[i].IsInPlace = d.Parts[i].IsInPlace && d.Parts[i].Type != to.Name
		}
	}
}

// sharesItem reports whether an item of an object has the same key in both versions.
func sharesItem(from, to *design.Type, was, is keyTexts) bool {
	return slices.ContainsFunc(from.Shapes(), func(a keys.Shape) bool {
		return slices.ContainsFunc(to.Shapes(), func(b keys.Shape) bool { return was.text(a, 1) == is.text(b, 1) })
	})
}

// isLikeShard returns why the shards of one version cannot be distinguished from the keys of the other one, which may
// end with any text; "" if they can, by the attribute with that text.
func isLikeShard(from, to *design.Type, was, is keyTexts) string {
	plain, sharded, k := from, to, was
	if to.Shards <= 1 {
		plain, sharded, k = to, from, is
	}
	segments := plain.Item.PK.Segments()
	last := segments[len(segments)-1].Variable
	a := plain.Attribute(last)
	if (from.Shards > 1) == (to.Shards > 1) || was.text(from.Item, 1) != is.text(to.Item, 1) ||
		a == nil || a.Kind != keys.String && a.Kind != keys.IDKind {
		return ""
	}
	for i := range sharded.Attributes {
		b := &sharded.Attributes[i]
		isIt := b.Name == last || k.name(b.Name) == last || k.name(last) == b.Name
		if isIt && !a.InKeys && !b.InKeys && a.StoredName() == b.StoredName() {
			return ""
		}
	}
	return fmt.Sprintf("a key with a shard is like that of another object, since it ends with %s, which is no attribute "+
		"of both designs with the same name: write a literal that the former keys do not have", last)
}

func formatText(a *design.Attribute) string {
	return strings.TrimSpace(a.Kind.String() + " " + a.As.String())
}

func constants(t *design.Type) string {
	var all []string
	for _, c := range t.Constants {
		all = append(all, fmt.Sprintf("%s %s", c.Name, valueText(c.Value)))
	}
	return strings.Join(all, ", ")
}

func valueText(v item.Value) string {
	if v.Kind == item.String {
		return strconv.Quote(v.Text)
	}
	return v.Text
}

// copies compares the copies. One that differs is another copy.
func (d *Difference) copies(from, to *design.Type, was, is keyTexts) {
	texts := func(t *design.Type, k keyTexts) []string {
		var all []string
		for _, c := range t.Copies {
			text := k.text(c.Shape, 1)
			if c.Latest != "" {
				text += " of the latest " + k.name(c.Latest)
			}
			all = append(all, text)
		}
		return all
	}
	d.sets(Part{Kind: CopyItem, Type: to.Name, Blocked: placesOfCopies(to, was, is)}, texts(from, was), texts(to, is))
	d.orders(from, to)
}

// orders adds the attributes by which a copy has the latest object and whose values have another format: values with
// two formats have no order.
func (d *Difference) orders(from, to *design.Type) {
	isOrder := func(t *design.Type, name string) bool {
		return slices.ContainsFunc(t.Copies, func(c design.Copy) bool { return c.Latest == name })
	}
	for i := range to.Attributes {
		a := &to.Attributes[i]
		b := from.Attribute(d.FormerField(to.Name, a.Name))
		if b == nil || a.As == b.As || !isOrder(to, a.Name) && !isOrder(from, b.Name) {
			continue
		}
		p := Part{Kind: CopyItem, Type: to.Name, Blocked: fmt.Sprintf("the latest object is not known while %s has two "+
			"formats: write another field for the new one", a.Name)}
		d.changed(p, "the latest by "+formatText(b), "the latest by "+formatText(a))
	}
}

// sets adds the parts that are in one of two lists alone.
func (d *Difference) sets(p Part, was, is []string) {
	for _, text := range is {
		if !slices.Contains(was, text) {
			d.changed(p, "", text)
		}
	}
	for _, text := range was {
		if !slices.Contains(is, text) {
			d.changed(p, text, "")
		}
	}
}

// entries compares the entries in indexes, each by the stored item that it belongs to. One that an item takes along to
// another key differs only as the item does.
func (d *Difference) entries(from, to *design.Type, was, is keyTexts) {
	before, after := entryTexts(from, was), entryTexts(to, is)
	places := slices.Concat(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(after)))
	slices.Sort(places)
	for _, at := range slices.Compact(places) {
		if isElsewhere(at, before, after) || isElsewhere(at, after, before) {
			continue
		}
		index, _, _ := strings.Cut(at, " ")
		p := Part{Kind: IndexEntry, Type: to.Name, Name: index, IsInPlace: before[at] != "" && after[at] != ""}
		p.IsFree = before[at] == "" && !isWritten(d.to.Layout, to, index)
		d.changed(p, before[at], after[at])
	}
}

// isElsewhere reports whether the entry of an item in one version is that of another one, which is new, in the other.
func isElsewhere(at string, in, other map[string]string) bool {
	index, _, _ := strings.Cut(at, " ")
	if in[at] == "" || other[at] != "" {
		return false
	}
	for place, text := range other {
		if text == in[at] && in[place] == "" && strings.HasPrefix(place, index+" ") {
			return true
		}
	}
	return false
}

// isWritten reports whether entries of a type in an index have an attribute that exists for the index alone. All others
// are there with the object.
func isWritten(l *stored.Layout, t *design.Type, index string) bool {
	ix := l.Index(index)
	return slices.ContainsFunc(slices.Concat(ix.PK, ix.SK), func(k keys.KeyAttribute) bool {
		isAttribute := func(a design.Attribute) bool { return a.StoredName() == k.Name && !a.InKeys }
		return !l.IsKey(k.Name) && k.Name != l.Type && !slices.ContainsFunc(t.Attributes, isAttribute)
	})
}

// entryTexts returns the entries of a type, by the index and the key of the item that they belong to.
func entryTexts(t *design.Type, k keyTexts) map[string]string {
	texts, items, n := map[string]string{}, t.Shapes(), map[string]int{}
	for _, ix := range t.Indexes {
		if n[ix.Name] < len(items) {
			texts[ix.Name+" "+k.text(items[n[ix.Name]], 1)] = k.text(ix.Shape, ix.Shards)
		}
		n[ix.Name]++
	}
	return texts
}

// uniques compares the claims, each by its attribute.
func (d *Difference) uniques(from, to *design.Type, was, is keyTexts) {
	texts := func(t *design.Type, k keyTexts, where func(design.Unique) predicate.Predicate) map[string]string {
		all := map[string]string{}
		for _, u := range t.Uniques {
			text := k.text(u.Shape(), 1) + " " + u.Claim + " " + u.Holder
			if u.IgnoreCase {
				text += " ignoring case"
			}
			if condition := where(u); len(condition.Comparisons) > 0 {
				text += whereText + condition.String()
			}
			all[k.name(u.Attribute)] = text
		}
		return all
	}
	before := texts(from, was, func(u design.Unique) predicate.Predicate { return d.laterWhere(from.Name, u.Where) })
	after := texts(to, is, func(u design.Unique) predicate.Predicate { return written(u.Where) })
	names := slices.Concat(slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(after)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		p := Part{Kind: Claim, Type: to.Name, Name: name}
		if isOtherCondition(before[name], after[name]) {
			p.Blocked = "gateways of both versions would write and release its claims, each by its condition: write another " +
				"key in @unique"
		}
		d.changed(p, before[name], after[name])
	}
}

// isOtherCondition reports whether two unique values have the same claims, and not the same condition.
func isOtherCondition(before, after string) bool {
	was, formerly, _ := strings.Cut(before, whereText)
	is, now, _ := strings.Cut(after, whereText)
	return was == is && formerly != now
}
