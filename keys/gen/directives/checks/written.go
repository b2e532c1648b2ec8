package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkWritten finds @version, @unique, @counts and @now on fields that cannot have such values.
func (r *checker) checkWritten() {
	for _, def := range r.objects() {
		t := r.types[def.Name]
		for _, f := range def.Fields {
			for _, d := range f.Directives {
				if !slices.Contains([]string{"version", "unique", "counts", "now"}, d.Name) {
					continue
				}
				if t == nil || t.Attribute(f.Name) == nil {
					r.find(d.Position, def.Name+"."+f.Name, "@"+d.Name+" on a field that is not stored",
						fmt.Sprintf("remove @%s from field %s.%s", d.Name, def.Name, f.Name))
				} else if !t.broken {
					r.checkWrittenField(t, f, d)
				}
			}
		}
	}
}

func (r *checker) checkWrittenField(t *storedType, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate := t.Name + "." + f.Name
	remove := fmt.Sprintf("remove @%s from field %s", d.Name, coordinate)
	isKey := slices.Contains(t.Identity, f.Name)
	if first := slices.IndexFunc(f.Directives, isWritten); isWritten(d) && f.Directives[first] != d {
		r.find(d.Position, coordinate, fmt.Sprintf("the field has @%s already", f.Directives[first].Name), remove)
		return
	}
	switch d.Name {
	case "version":
		switch {
		case versionOf(t.def) != f:
			r.find(d.Position, coordinate,
				fmt.Sprintf("%s is the version of a %s already", versionOf(t.def).Name, t.Name), remove)
		case isKey:
			r.find(d.Position, coordinate, "a version changes with each update, but the key of an item cannot change",
				remove)
		case f.Type.String() != "Int!":
			r.find(d.Position, coordinate, "a version is an Int!", retype(t.Name, f, "Int!"))
		}
	case "now":
		kind := t.Attribute(f.Name).Kind
		isUpdate := rawArgument(d, "update") == true
		switch {
		case kind == keys.Enum || kind == keys.IDKind || kind == keys.Boolean:
			r.find(d.Position, coordinate, "@now sets a Time or a Date", remove)
		case kind != keys.Time && kind != keys.Date:
			r.find(d.Position, coordinate, "@now sets a Time or a Date",
				retype(t.Name, f, withNullability("Time", f.Type)))
		case isUpdate && isKey:
			r.find(d.Position, coordinate, "each update changes the time, but the key of an item cannot change",
				"write update: false")
		}
	}
}

// checkUniques finds @unique on fields whose values claims cannot keep unique.
func (r *checker) checkUniques() {
	for _, t := range r.sortedTypes() {
		for _, u := range t.Uniques {
			f := t.def.Fields.ForName(u.Attribute)
			if a := t.Attribute(u.Attribute); a == nil || t.broken {
				continue // checkWritten finds this.
			}
			r.checkUnique(t, f, u)
		}
	}
}

func (r *checker) checkUnique(t *storedType, f *ast.FieldDefinition, u keys.Unique) {
	d := f.Directives.ForName("unique")
	coordinate := t.Name + "." + f.Name
	remove := "remove @unique from field " + coordinate
	kind := t.Attribute(f.Name).Kind
	ownKey := func() string {
		if own, err := r.parse(r.claimKey(t.def, f)); err != nil || r.sameClaims(t, f, own) != "" {
			return remove
		}
		return fmt.Sprintf("write key: %q", r.claimKey(t.def, f))
	}
	variables := u.Key.Variables()
	layout := r.numbered()
	switch {
	case layout.HasNumberKey():
		r.find(d.Position, coordinate, "a claim has a text as its key, but the table has a Number", remove)
	case u.IsForeign() && !layout.HasSortKey():
		r.find(d.Position, coordinate, fmt.Sprintf("sk is %q, but the table has no sort key", u.SK),
			"remove sk from @unique")
	case kind != keys.String && kind != keys.IDKind:
		r.find(d.Position, coordinate, "only a String or an ID can be @unique", remove)
	case slices.Contains(t.Identity, f.Name) && !u.IsForeign():
		r.find(d.Position, coordinate, "the field is part of the key, and no two items have the same key", remove)
	case u.IsForeign():
		if what := t.claimFault(f, u); what != "" {
			r.find(d.Position, coordinate, fmt.Sprintf("key %q: %s", u.Key, what), remove)
		} else if with := r.sameClaims(t, f, u.Key); with != "" {
			r.find(d.Position, coordinate, fmt.Sprintf("key %q can be the key of %s as well", u.Key, with), remove)
		}
	case len(variables) != 1 || variables[0] != f.Name || u.Key.Segments()[0].Variable == f.Name &&
		u.Key.Segments()[0].Literal == "" || r.hasFormat(u.Key):
		r.find(d.Position, coordinate, fmt.Sprintf(
			"key %q: the key of a claim begins with a literal, and {%s} is its only variable", u.Key, f.Name), ownKey())
	default:
		if with := r.sameClaims(t, f, u.Key); with != "" {
			r.find(d.Position, coordinate, fmt.Sprintf("key %q can be the key of %s as well", u.Key, with), ownKey())
		}
	}
}

// claimFault returns what is wrong with the key of claims that another library writes, too; "" if nothing is.
func (t *storedType) claimFault(f *ast.FieldDefinition, u keys.Unique) string {
	variables := u.Key.Variables()
	if !slices.Contains(variables, f.Name) || u.Key.Leading() == "" {
		return fmt.Sprintf("the key of a claim begins with a literal, and has {%s}", f.Name)
	}
	for _, name := range variables {
		if a := t.Attribute(name); a == nil || !hasText(a.Kind) {
			return fmt.Sprintf("{%s} names no field that can be in a key", name)
		}
	}
	return ""
}

// hasFormat reports whether a variable of a template has a width or a bucket.
func (r *checker) hasFormat(t keys.Template) bool {
	return slices.ContainsFunc(t.Segments(), func(s keys.Segment) bool { return s.Width > 0 || s.Bucket > 0 })
}

// sameClaims returns what else can have the partition key of the claims of a field: items, or claims of the fields
// before it. It is "" if nothing can. Claims have partitions of their own, so that no field reads them.
func (r *checker) sameClaims(t *storedType, f *ast.FieldDefinition, key keys.Template) string {
	claim := t.segments(key)
	for _, k := range r.storedKeys() {
		if k.index == "" && r.canBeEqual(claim, k.of.segments(k.partition())) {
			return fmt.Sprintf("%s (%s)", k.of.Name, place(k))
		}
	}
	for _, other := range r.sortedTypes() {
		for _, u := range other.Uniques {
			if other == t && u.Attribute == f.Name {
				return ""
			}
			if r.canBeEqual(claim, other.segments(u.Key)) {
				return fmt.Sprintf("the claims of %s.%s", other.Name, u.Attribute)
			}
		}
	}
	return ""
}

// checkClaims finds templates of @unique that no claims can have.
func (r *checker) checkClaims() {
	for _, t := range r.sortedTypes() {
		for _, f := range t.def.Fields {
			d := f.Directives.ForName("unique")
			if d == nil || t.def.Directives.ForName("item") == nil {
				continue
			}
			coordinate := t.Name + "." + f.Name
			switch key, _, keyErr, skErr := r.claimTemplates(t.def, f, d); {
			case keyErr != nil:
				text := cmp.Or(textArgument(d, "key"), r.claimKey(t.def, f))
				r.find(d.Position, coordinate, "key \""+text+"\": "+keyErr.Error(), r.rewritten(coordinate, "key", text))
			case skErr != nil:
				r.find(d.Position, coordinate,
					fmt.Sprintf("sk %q: the sort key of claims is a literal, or equal to key", textArgument(d, "sk")),
					fmt.Sprintf("write sk: %q", cmp.Or(strings.TrimRight(key.Leading(), r.names().Delimiter), "claim")))
			}
		}
	}
}
