package checks

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// keyPart is what a stored key has in one key attribute of the table or of an index.
type keyPart struct {
	of *reading.Key
	// name is pk or sk.
	name, attribute, text string
	// field is the field with the attribute, or else the one whose value the part is alone; nil if there is none.
	field *design.Attribute
	// variable is the one that the part is alone, "" if it is not.
	variable string
	isNumber bool
}

// checkKeyTypes finds keys that are texts in an attribute that is a Number for another type: DynamoDB has one type for
// it.
func checkKeyTypes(r *checker) {
	if r.Layout == nil {
		return
	}
	numbers := map[string]keyPart{}
	var texts []keyPart
	for _, f := range r.StoredKeys() {
		for _, p := range keyParts(r, f) {
			_, isKnown := numbers[p.attribute]
			if p.isNumber && p.name == "pk" && f.Index == "" && f.Shards > 1 && !isKnown {
				r.find(f.Position(), f.Of.Name, fmt.Sprintf("the items are in %d shards, but their key %s is a Number",
					f.Shards, p.attribute), "remove shards from @item")
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
		if first, isNumber := numbers[p.attribute]; isNumber && !r.hasFinding(p.of.Directive) {
			findText(r, p, first)
		}
	}
}

// keyParts returns what a stored key has in each attribute of its partition and its sort key.
func keyParts(r *checker, f *reading.Key) []keyPart {
	var parts []keyPart
	ix := r.Names().Index(f.Index)
	for _, key := range [...]struct {
		name string
		k    keys.KeyAttributes
		keys.Template
	}{{"pk", ix.PK, f.PK}, {"sk", ix.SK, f.SK}} {
		segments := key.Segments()
		for i, a := range key.k {
			p := keyPart{of: f, name: key.name, attribute: a.Name, text: key.String()}
			p.isNumber, p.field = r.IsNumberPart(f, key.k, key.Template, i), reading.StoredIn(f.Of.Type, a.Name)
			if len(key.k) == len(segments) && segments[i].String() == "{"+segments[i].Variable+"}" {
				p.variable = segments[i].Variable
			}
			if p.field == nil && p.variable != "" {
				p.field = f.Of.Attribute(p.variable)
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// findText finds a key that is a text where that of another type is a Number.
func findText(r *checker, p, number keyPart) {
	fix := asNumber(p, number)
	if fix == "" {
		fix = fixes.NotServed(r.Design, p.of)
		if p.of.Directive.Name == "item" { // What reads the union would propose the key again.
			fix += fixes.InNoUnion(r.Design, p.of.Of.Name)
		}
	}
	r.find(p.of.Position(), p.of.Of.Name, fmt.Sprintf("%s %q is a text, but %s is a Number in the keys of %s: %s.%s",
		p.name, p.text, p.attribute, number.of.Of.Name, number.of.Of.Name, number.field.Name), fix)
}

// asNumber returns the fix that makes a part of a key a Number as that of another type is, "" if it cannot be one.
func asNumber(p, number keyPart) string {
	typ := number.of.Of.Def.Fields.ForName(number.field.Name).Type.Name()
	def := p.of.Of.Def
	switch {
	case p.field == nil && p.variable != "" && def.Fields.ForName(p.variable) == nil:
		add := fmt.Sprintf("add %s: %s! to type %s", p.variable, typ, def.Name)
		if p.variable == p.attribute {
			return add
		}
		d := sdl.WithArgument(&ast.Directive{Name: "stored"}, "name", &ast.Value{Kind: ast.StringValue, Raw: p.attribute})
		return fmt.Sprintf("%s\nadd %s to field %s.%s", add, sdl.DirectiveText(d), def.Name, p.variable)
	case p.field == nil:
		return ""
	}
	name := &ast.Value{Kind: ast.StringValue, Raw: p.attribute}
	f := p.of.Of.Def.Fields.ForName(p.field.Name)
	old := f.Directives.ForName("stored")
	d := sdl.WithArgument(&ast.Directive{Name: "stored"}, "name", name)
	switch {
	case p.field.Kind == keys.String, p.field.Kind == keys.IDKind:
		d = sdl.WithArgument(d, "as", &ast.Value{Kind: ast.EnumValue, Raw: keys.Number.String()})
	case p.field.Kind == keys.Time || p.field.Kind == keys.Date:
		d = sdl.WithArgument(d, "as", &ast.Value{Kind: ast.EnumValue, Raw: keys.EpochSeconds.String()})
	case p.field.Kind != keys.Int && p.field.Kind != keys.Int64 && p.field.Kind != keys.Float:
		if p.field.StoredName() != p.attribute {
			return ""
		}
		return sdl.Retype(def.Name, f, sdl.WithNullability(typ, f.Type))
	}
	if old != nil {
		return fmt.Sprintf("on type %s replace %s\nwith %s", p.of.Of.Name, sdl.DirectiveText(old), sdl.DirectiveText(d))
	}
	return fmt.Sprintf("add %s to field %s.%s", sdl.DirectiveText(d), p.of.Of.Name, f.Name)
}
