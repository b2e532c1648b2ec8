package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkShapes finds two stored keys with the same pair of templates: items of the table would replace each other.
// Entries of several types in an index do not, and what a field reads of them is checked with the field. In shards,
// entries with equal keys would have no order.
func (r *checker) checkShapes() {
	storedKeys := r.writtenKeys()
	for i, f := range storedKeys {
		for _, first := range storedKeys[:i] {
			areEntries := f.index != "" && f.of != first.of && !f.isSpread() && !first.isSpread()
			if !sameShape(f, first) || areEntries || r.isApart(f.of.Type, first.of.Type) {
				continue
			}
			r.find(f.position(), f.of.Name,
				fmt.Sprintf("pk %q, sk %q is the key shape of %s already (%s)", f.PK, f.SK, first.of.Name,
					place(first)),
				r.ownSortKeys(f, first))
			break
		}
	}
}

// ownSortKeys returns the fix for two stored keys whose sort keys begin alike. In an existing table both stay as they
// are, and one of them cannot be served.
func (r *checker) ownSortKeys(f, first *storedKey) string {
	if r.layout != nil && f.directive != nil {
		return r.notServed(f)
	}
	fix := fmt.Sprintf("write sk: %q, so that it begins with a literal of its own", movedSortKey(f))
	if first.SK.Leading() != "" || f.SK.Leading() == "" && !sameShape(f, first) || first.directive == nil {
		return fix
	}
	// Whatever the other begins with, "" is before it.
	return fix + fmt.Sprintf("\non type %s replace %s\nwith %s",
		first.of.Name, first.source(), withSortKey(first.directive, movedSortKey(first)))
}

// notServed returns the fix that leaves out a stored key, and the fields that read it alone.
func (r *checker) notServed(f *storedKey) string {
	var lines []string
	for _, d := range f.of.def.Directives {
		isPart := d.Name == "copy" || d.Name == "index" || d.Name == "mutable"
		if d == f.directive || f.directive.Name == "item" && isPart {
			lines = append(lines, fmt.Sprintf("remove %s from type %s", directiveText(d), f.of.Name))
		}
	}
	for _, rd := range r.reads {
		if rd.directive != nil && rd.isMatch(f) && len(rd.matches) == 1 {
			lines = append(lines, fmt.Sprintf("remove %s from type %s", rd.Name, rd.Parent))
		}
	}
	return strings.Join(lines, "\n")
}

// movedSortKey returns ownSortKey, or another one if the stored key has that already.
func movedSortKey(f *storedKey) string {
	own := ownSortKey(f)
	if own == f.SK.String() {
		own = joined(constantCase(f.of.Name)+"_OF", own, f.SK.Delimiter())
	}
	return own
}

// withSortKey returns the text of a directive with another sort key.
func withSortKey(d *ast.Directive, sk string) string {
	if sk == "" && d.Arguments.ForName("sk") == nil {
		return directiveText(d)
	}
	return directiveText(withTemplate(d, "sk", sk))
}

// withTemplate returns a directive with another template for a key.
func withTemplate(d *ast.Directive, key, template string) *ast.Directive {
	return withArgument(d, key, &ast.Value{Kind: ast.StringValue, Raw: template})
}

// withArgument returns a directive with another value for an argument, which it need not have.
func withArgument(d *ast.Directive, name string, value *ast.Value) *ast.Directive {
	other := *d
	isIt := func(a *ast.Argument) bool { return a.Name == name }
	argument := &ast.Argument{Name: name, Value: value}
	other.Arguments = slices.Clone(d.Arguments)
	if i := slices.IndexFunc(d.Arguments, isIt); i >= 0 {
		other.Arguments[i] = argument
	} else {
		other.Arguments = append(other.Arguments, argument)
	}
	return &other
}

// ownSortKey returns the sort key with the type's name in front of its variables.
func ownSortKey(f *storedKey) string {
	text := constantCase(f.of.Name)
	for _, s := range f.SK.Segments() {
		if s.Variable != "" {
			s.Literal = ""
			text = joined(text, s.String(), f.SK.Delimiter())
		}
	}
	return text
}

func place(f *storedKey) string {
	at := f.position()
	if at == nil || at.Src == nil {
		return f.of.Name
	}
	return placeOf(at)
}

// writtenKeys returns the stored keys whose templates somebody has chosen. Entries that items have because an index is
// keyed by their attributes may have the same keys: what a field reads of those is checked with the field.
func (r *checker) writtenKeys() []*storedKey {
	return slices.DeleteFunc(r.storedKeys(), func(f *storedKey) bool { return f.derived })
}

// storedKeys returns the stored keys of all types in the order of the schema's text.
func (r *checker) storedKeys() []*storedKey {
	var storedKeys []*storedKey
	for _, t := range r.sortedTypes() {
		storedKeys = append(storedKeys, t.storedKeys...)
	}
	sortByPlace(storedKeys)
	return storedKeys
}

func sameShape(a, b *storedKey) bool {
	return a.index == b.index && samePattern(a.partition(), b.partition()) && samePattern(a.SK, b.SK)
}

// partition returns the template of the partition key as it is stored, with the shard.
func (f *storedKey) partition() keys.Template {
	if f.shards <= 1 {
		return f.PK
	}
	return keys.MustDelimited(f.PK.Delimiter(), f.PK.String()+f.PK.Delimiter()+"{shard}")
}
