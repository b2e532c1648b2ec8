package directives

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// keyPart is what a stored key has in one key attribute of the table or of an index.
type keyPart struct {
	of *storedKey
	// name is pk or sk.
	name, attribute, text string
	// field is the field with the attribute, or else the one whose value the part is alone; nil if there is none.
	field    *keys.Attribute
	isNumber bool
}

// checkKeyTypes finds keys that are texts in an attribute that is a Number for another type: DynamoDB has one type for
// it.
func (r *checker) checkKeyTypes() {
	if r.layout == nil {
		return
	}
	numbers := map[string]keyPart{}
	var texts []keyPart
	for _, f := range r.storedKeys() {
		for _, p := range r.keyParts(f) {
			_, isKnown := numbers[p.attribute]
			if p.isNumber && p.name == "pk" && f.index == "" && f.shards > 1 && !isKnown {
				r.find(f.position(), f.of.Name, fmt.Sprintf("the items are in %d shards, but their key %s is a Number",
					f.shards, p.attribute), "remove shards from @item")
			}
			switch {
			case !p.isNumber && p.field != nil && p.field.StoredName() == p.attribute && p.field.IsNumber():
				// checkAttributes and checkDerivedKeys find this.
			case !p.isNumber:
				texts = append(texts, p)
			case !isKnown:
				numbers[p.attribute] = p
			}
		}
	}
	for _, p := range texts {
		if first, isNumber := numbers[p.attribute]; isNumber && !r.hasFinding(p.of.directive) {
			r.findText(p, first)
		}
	}
}

// keyParts returns what a stored key has in each attribute of its partition and its sort key.
func (r *checker) keyParts(f *storedKey) []keyPart {
	var parts []keyPart
	ix := r.names().Index(f.index)
	for _, key := range [...]struct {
		name string
		k    keys.KeyAttributes
		keys.Template
	}{{"pk", ix.PK, f.PK}, {"sk", ix.SK, f.SK}} {
		segments := key.Segments()
		for i, a := range key.k {
			p := keyPart{of: f, name: key.name, attribute: a.Name, text: key.String()}
			p.isNumber, p.field = r.isNumberPart(f, key.k, key.Template, i), storedIn(f.of.Type, a.Name)
			isAlone := len(key.k) == len(segments) && segments[i].String() == "{"+segments[i].Variable+"}"
			if p.field == nil && isAlone {
				p.field = f.of.Attribute(segments[i].Variable)
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// findText finds a key that is a text where that of another type is a Number.
func (r *checker) findText(p, number keyPart) {
	fix := r.asNumber(p)
	if fix == "" {
		fix = r.notServed(p.of)
	}
	r.find(p.of.position(), p.of.of.Name, fmt.Sprintf("%s %q is a text, but %s is a Number in the keys of %s: %s.%s",
		p.name, p.text, p.attribute, number.of.of.Name, number.of.of.Name, number.field.Name), fix)
}

// asNumber returns the fix that makes a part of a key a Number, "" if it cannot be one.
func (r *checker) asNumber(p keyPart) string {
	if p.field == nil {
		return ""
	}
	name := &ast.Value{Kind: ast.StringValue, Raw: p.attribute}
	f := p.of.of.def.Fields.ForName(p.field.Name)
	old := f.Directives.ForName("stored")
	d := withArgument(&ast.Directive{Name: "stored"}, "name", name)
	switch {
	case p.field.Kind == keys.String, p.field.Kind == keys.IDKind:
		d = withArgument(d, "as", &ast.Value{Kind: ast.EnumValue, Raw: keys.Number.String()})
	case p.field.Kind == keys.Time || p.field.Kind == keys.Date:
		d = withArgument(d, "as", &ast.Value{Kind: ast.EnumValue, Raw: keys.EpochSeconds.String()})
	case p.field.Kind != keys.Int && p.field.Kind != keys.Int64 && p.field.Kind != keys.Float:
		return ""
	}
	if old != nil {
		return fmt.Sprintf("on type %s replace %s\nwith %s", p.of.of.Name, directiveText(old), directiveText(d))
	}
	return fmt.Sprintf("add %s to field %s.%s", directiveText(d), p.of.of.Name, f.Name)
}
