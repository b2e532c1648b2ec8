package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkWritten finds @version, @unique, @counts, @now and others on fields that cannot have such values.
func checkWritten(r *checker) {
	for _, def := range r.Objects() {
		t := r.Types[def.Name]
		for _, f := range def.Fields {
			for _, d := range f.Directives {
				if !slices.Contains([]string{"version", "unique", "counts", "now", "sequence", "exists"}, d.Name) {
					continue
				}
				if t == nil || t.Attribute(f.Name) == nil {
					r.find(d.Position, def.Name+"."+f.Name, "@"+d.Name+" on a field that is not stored",
						fmt.Sprintf("remove @%s from field %s.%s", d.Name, def.Name, f.Name))
				} else if !t.Broken {
					checkWrittenField(r, t, f, d)
				}
			}
		}
	}
}

func checkWrittenField(r *checker, t *reading.Type, f *ast.FieldDefinition, d *ast.Directive) {
	coordinate := t.Name + "." + f.Name
	remove := fmt.Sprintf("remove @%s from field %s", d.Name, coordinate)
	isKey := slices.Contains(t.Identity, f.Name)
	if first := slices.IndexFunc(f.Directives, reading.IsWritten); reading.IsWritten(d) && f.Directives[first] != d {
		r.find(d.Position, coordinate, fmt.Sprintf("the field has @%s already", f.Directives[first].Name), remove)
		return
	}
	switch d.Name {
	case "version":
		switch {
		case sdl.VersionOf(t.Def) != f:
			r.find(d.Position, coordinate,
				fmt.Sprintf("%s is the version of a %s already", sdl.VersionOf(t.Def).Name, t.Name), remove)
		case isKey:
			r.find(d.Position, coordinate, "a version changes with each update, but the key of an item cannot change", remove)
		case f.Type.String() != "Int!":
			r.find(d.Position, coordinate, "a version is an Int!", sdl.Retype(t.Name, f, "Int!"))
		}
	case "sequence":
		checkSequence(r, t, f, d)
	case "exists":
		switch a := t.Attribute(f.Name); {
		case a.Kind != keys.IDKind || a.Name == "id":
			r.find(d.Position, coordinate, "only an ID names another object", remove)
		case r.Types[a.Ref] == nil || len(r.Types[a.Ref].Identity) != 1:
			r.find(d.Position, coordinate, "no key says of which type the object is that "+f.Name+" names", remove)
		}
	case "now":
		kind := t.Attribute(f.Name).Kind
		isUpdate := sdl.Raw(d, "update") == true
		switch {
		case kind == keys.Enum || kind == keys.IDKind || kind == keys.Boolean:
			r.find(d.Position, coordinate, "@now sets a Time or a Date", remove)
		case kind != keys.Time && kind != keys.Date:
			r.find(d.Position, coordinate, "@now sets a Time or a Date",
				sdl.Retype(t.Name, f, sdl.WithNullability("Time", f.Type)))
		case isUpdate && isKey:
			r.find(d.Position, coordinate, "each update changes the time, but the key of an item cannot change",
				"write update: false")
		}
	}
}

// checkUniques finds @unique on fields whose values claims cannot keep unique.
func checkUniques(r *checker) {
	for _, t := range r.SortedTypes() {
		for _, u := range t.Uniques {
			f := t.Def.Fields.ForName(u.Attribute)
			if a := t.Attribute(u.Attribute); a == nil || t.Broken {
				continue // checkWritten finds this.
			}
			checkUnique(r, t, f, u)
			checkUniqueWhere(r, t, f, u)
		}
	}
}

func checkUnique(r *checker, t *reading.Type, f *ast.FieldDefinition, u design.Unique) {
	d := f.Directives.ForName("unique")
	coordinate := t.Name + "." + f.Name
	remove := "remove @unique from field " + coordinate
	kind := t.Attribute(f.Name).Kind
	ownKey := func() string {
		if own, err := r.Parse(r.ClaimKey(t.Def, f)); err != nil || sameClaims(r, t, f, own) != "" {
			return remove
		}
		return fmt.Sprintf("write key: %q", r.ClaimKey(t.Def, f))
	}
	layout := r.Numbered()
	switch {
	case layout.HasNumberKey():
		r.find(d.Position, coordinate, "a claim has a text as its key, but the table has a Number", remove)
	case u.IsForeign() && !layout.HasSortKey():
		r.find(d.Position, coordinate, fmt.Sprintf("sk is %q, but the table has no sort key", u.SK), "remove sk from @unique")
	case kind != keys.String && kind != keys.IDKind:
		r.find(d.Position, coordinate, "only a String or an ID can be @unique", remove)
	case slices.Contains(t.Identity, f.Name) && !u.IsForeign():
		r.find(d.Position, coordinate, "the field is part of the key, and no two items have the same key", remove)
	case u.IsForeign():
		if what := claimFault(t, f, u); what != "" {
			r.find(d.Position, coordinate, fmt.Sprintf("key %q: %s", u.Key, what), remove)
		} else if with := sameClaims(r, t, f, u.Key); with != "" {
			r.find(d.Position, coordinate, fmt.Sprintf("key %q can be the key of %s as well", u.Key, with), remove)
		}
	default:
		what := claimFault(t, f, u)
		if what == "" && r.HasFormat(u.Key) {
			what = "the values in the key of a claim are as they are given"
		}
		if what != "" {
			r.find(d.Position, coordinate, fmt.Sprintf("key %q: %s", u.Key, what), ownKey())
		} else if with := sameClaims(r, t, f, u.Key); with != "" {
			r.find(d.Position, coordinate, fmt.Sprintf("key %q can be the key of %s as well", u.Key, with), ownKey())
		}
	}
}

// checkUniqueWhere finds a condition of @unique that the objects cannot fulfil.
func checkUniqueWhere(r *checker, t *reading.Type, f *ast.FieldDefinition, u design.Unique) {
	d, coordinate := f.Directives.ForName("unique"), t.Name+"."+f.Name
	if d.Arguments.ForName("where") == nil {
		return
	}
	what, better := constantFault(r, sdl.Text(d, "where"), t, "nothing would claim the value when it changes")
	switch {
	case what == "" && u.IsForeign():
		r.find(d.Position, coordinate, "where: the library that writes claims as well does not know the condition",
			"remove where from @unique")
	case what != "" && better != "":
		r.find(d.Position, coordinate, what, fmt.Sprintf("write where: %q", better))
	case what != "":
		r.find(d.Position, coordinate, what, "remove @unique from field "+coordinate)
	}
}

// claimFault returns what is wrong with the key of claims; "" if nothing is.
func claimFault(t *reading.Type, f *ast.FieldDefinition, u design.Unique) string {
	variables := u.Key.Variables()
	if !slices.Contains(variables, f.Name) || u.Key.Leading() == "" {
		return fmt.Sprintf("the key of a claim begins with a literal, and has {%s}", f.Name)
	}
	for _, name := range variables {
		if a := t.Attribute(name); a == nil || !reading.HasText(a.Kind) {
			return fmt.Sprintf("{%s} names no field that can be in a key", name)
		}
	}
	return ""
}

// sameClaims returns what else can have the partition key of the claims of a field: items, or claims of the fields
// before it. It is "" if nothing can. Claims have partitions of their own, so that no field reads them.
func sameClaims(r *checker, t *reading.Type, f *ast.FieldDefinition, key keys.Template) string {
	claim := t.Segments(key)
	for _, k := range r.StoredKeys() {
		if k.Index == "" && r.CanBeEqual(claim, k.Of.Segments(k.Partition())) {
			return fmt.Sprintf("%s (%s)", k.Of.Name, place(k))
		}
	}
	for _, other := range r.SortedTypes() {
		for _, u := range other.Uniques {
			if other == t && u.Attribute == f.Name {
				return ""
			}
			if r.CanBeEqual(claim, other.Segments(u.Key)) {
				return fmt.Sprintf("the claims of %s.%s", other.Name, u.Attribute)
			}
		}
	}
	return ""
}

// checkClaims finds templates of @unique that no claims can have.
func checkClaims(r *checker) {
	for _, t := range r.SortedTypes() {
		for _, f := range t.Def.Fields {
			d := f.Directives.ForName("unique")
			if d == nil || t.Def.Directives.ForName("item") == nil {
				continue
			}
			coordinate := t.Name + "." + f.Name
			switch key, _, keyErr, skErr := r.ClaimTemplates(t.Def, f, d); {
			case keyErr != nil:
				text := cmp.Or(sdl.Text(d, "key"), r.ClaimKey(t.Def, f))
				r.find(d.Position, coordinate, "key \""+text+"\": "+keyErr.Error(), fixes.Rewritten(r.Design, coordinate, "key",
					text))
			case skErr != nil:
				r.find(d.Position, coordinate,
					fmt.Sprintf("sk %q: the sort key of claims is a literal, or equal to key", sdl.Text(d, "sk")),
					fmt.Sprintf("write sk: %q", cmp.Or(strings.TrimRight(key.Leading(), r.Names().Delimiter), "claim")))
			}
		}
	}
}
