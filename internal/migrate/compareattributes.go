package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/predicate"
)

// attributes compares the attributes of a type.
func (d *Difference) attributes(from, to *design.Type) {
	for i := range to.Attributes {
		a := &to.Attributes[i]
		b := from.Attribute(d.FormerField(to.Name, a.Name))
		p := Part{Kind: AttributeOf, Type: to.Name, Name: a.Name}
		if b == nil {
			d.newAttribute(p, a)
			continue
		}
		was, is := storedText(b), storedText(a)
		p.IsInPlace = b.StoredName() == a.StoredName()
		if b.Kind != a.Kind && !isConvertible(b, a) {
			p.Blocked = fmt.Sprintf("a %s is no %s: write another field for it", b.Kind, a.Kind)
		}
		if former, later := d.shapes(from, to, b, a); former != later {
			p.Blocked = fmt.Sprintf("a value of %s is none of %s: write another field for it", former, later)
			d.changed(p, b.StoredName()+" "+former, a.StoredName()+" "+later)
			continue
		}
		d.changed(p, was, is)
		d.requires(p, a, b)
		d.nested(from, to, b, a)
		d.values(to, a.Name, d.valueType(to.Name, a.Name))
	}
	for i := range from.Attributes {
		b := &from.Attributes[i]
		if d.LaterField(from.Name, b.Name) == "" || to.Attribute(d.LaterField(from.Name, b.Name)) == nil {
			d.changed(Part{Kind: AttributeOf, Type: to.Name, Name: b.Name}, storedText(b), "")
		}
	}
}

// shapes returns the GraphQL types of two attributes if one has lists or objects where the other one has none,
// otherwise two texts that are the same.
func (d *Difference) shapes(from, to *design.Type, b, a *design.Attribute) (former, later string) {
	was, is := d.from.FieldDef(from.Name, b.Name), d.to.FieldDef(to.Name, a.Name)
	if was == nil || is == nil || depth(was.Type) == depth(is.Type) && (b.Object == "") == (a.Object == "") {
		return "", ""
	}
	return was.Type.String(), is.Type.String()
}

// newAttribute adds an attribute that the former version does not have.
func (d *Difference) newAttribute(p Part, a *design.Attribute) {
	p.IsFree = !a.NonNull
	if a.InKeys {
		p.Blocked = "its value would be in keys alone, which do not have it: store it as an attribute"
	}
	d.changed(p, "", storedText(a))
}

// requires adds an attribute that must not be null any longer.
func (d *Difference) requires(p Part, a, b *design.Attribute) {
	if a.NonNull && !b.NonNull {
		p.From, p.To, p.Change, p.IsInPlace = b.Name, a.Name+"!", Changed, false
		d.add(p)
	}
}

// values adds values of an enum that have another name, or none, by the path of the attribute.
func (d *Difference) values(to *design.Type, path, enum string) {
	from, is := d.from.AST.Types[d.FormerType(enum)], d.to.AST.Types[enum]
	if from == nil || is == nil || len(is.EnumValues) == 0 {
		return
	}
	former := d.formerValues(enum).Inverse()
	for _, v := range from.EnumValues {
		p := Part{Kind: EnumValue, Type: to.Name, Name: path, IsInPlace: true}
		switch {
		case former[v.Name] != "":
			d.changed(p, v.Name, former[v.Name])
		case is.EnumValues.ForName(v.Name) == nil:
			d.changed(p, v.Name, "")
		}
	}
}

// InKeys is From or To of an attribute whose value is in keys only.
const InKeys = "in keys"

// storedText is the name and the format of an attribute in the table.
func storedText(a *design.Attribute) string {
	if a.InKeys {
		return InKeys
	}
	kind := ""
	if a.Kind != keys.Other { // a list or an object
		kind = a.Kind.String()
	}
	return strings.Join(strings.Fields(a.StoredName()+" "+kind+" "+a.As.String()), " ")
}

// isConvertible reports whether each value of the one attribute is one of the other.
func isConvertible(from, to *design.Attribute) bool {
	kinds := [...]string{from.Kind.String(), to.Kind.String()}
	return slices.Contains([][2]string{{"Int", "Int64"}, {"Int", "Float"}, {"Enum", "String"}, {"IDKind", "String"},
		{"String", "IDKind"}, {"String", "Enum"}}, kinds)
}

// counters compares the counters, each by the object that has it.
func (d *Difference) counters() {
	was, is, onDemand := map[string]string{}, map[string]string{}, map[string]bool{}
	var names []string
	for _, c := range d.from.Counters {
		parent := d.LaterType(c.Parent)
		if d.to.Type(parent) == nil {
			continue
		}
		name := parent + " " + orSame(d.LaterField(c.Parent, c.Attribute), c.Attribute)
		was[name], names = d.laterCounter(c), append(names, name)
	}
	for _, c := range d.to.Counters {
		name := c.Parent + " " + c.Attribute
		onDemand[name] = (c.OnDemand || c.Number != "") && d.from.Type(d.FormerType(c.Type)) != nil
		is[name], names = counterText(c, c.Type, c.Of, written(c.Where)), append(names, name)
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		parent, attribute, _ := strings.Cut(name, " ")
		p := Part{Kind: CounterOf, Type: parent, Name: attribute}
		if onDemand[name] && was[name] == "" {
			p.Blocked = "objects that are stored have no number, or no object that counts them: declare another type for " +
				"those that have"
		}
		if was[name] != "" && is[name] != "" {
			p.Blocked = "gateways of both versions would change it, each in its way: count in another field"
		}
		d.changed(p, was[name], is[name])
	}
}

// blockCopiedCounters blocks the parts of types whose copies have counters. What follows the changes of a gateway of
// the other version changes the counter of the base item alone.
func (d *Difference) blockCopiedCounters() {
	for i := range d.Parts {
		p := &d.Parts[i]
		from, to := d.from.Type(d.FormerType(p.Type)), d.to.Type(p.Type)
		isCopied := from != nil && d.from.HasCopiedCounters(from) || to != nil && d.to.HasCopiedCounters(to)
		if from != nil && isCopied && !p.IsFree && p.Blocked == "" {
			p.Blocked = fmt.Sprintf("copies of %s have its counters, which cannot be kept in two forms: declare another type",
				p.Type)
		}
	}
}

// laterCounter describes a counter of the former version in the names of the later one.
func (d *Difference) laterCounter(c *design.Counter) string {
	of := orSame(d.LaterField(c.Type, c.Of), c.Of)
	return counterText(c, d.LaterType(c.Type), of, d.laterWhere(c.Type, c.Where))
}

// laterWhere returns a condition on objects of a type of the former version in the names of the later one.
func (d *Difference) laterWhere(typeName string, where predicate.Predicate) predicate.Predicate {
	field := func(name string) string { return orSame(d.LaterField(typeName, name), name) }
	value := func(name string, o predicate.Operand) predicate.Operand {
		if def := d.from.FieldDef(typeName, name); def != nil && o.Kind == predicate.Name {
			values := d.formerValues(d.LaterType(def.Type.Name())).Inverse()
			o.Text = orSame(values[o.Text], o.Text)
		}
		return o
	}
	return where.Renamed(field, value)
}

// counterText describes what a counter counts.
func counterText(c *design.Counter, of, sum string, where predicate.Predicate) string {
	text := "of " + of
	if c.Number != "" {
		return "the last " + c.Number + " of " + of
	}
	if c.Of != "" {
		text = "of " + sum + " of " + of
	}
	if len(where.Comparisons) > 0 {
		text += whereText + where.String()
	}
	return text
}

// whereText stands between what a counter or a claim is of, and the condition.
const whereText = " where "

// written returns a condition as it is written with single spaces.
func written(where predicate.Predicate) predicate.Predicate {
	same := func(_ string, o predicate.Operand) predicate.Operand { return o }
	return where.Renamed(func(name string) string { return name }, same)
}

func orSame(name, former string) string {
	if name == "" {
		return former
	}
	return name
}
