package directives

import (
	"fmt"

	"github.com/partita/partita/keys"
)

// checkShapes: a key says which type its item has, so no two types, and no two
// forms of one, may share a pair of templates.
func (r *reader) checkShapes() {
	forms := r.forms()
	for i, f := range forms {
		for _, first := range forms[:i] {
			if !sameShape(f, first) {
				continue
			}
			r.find(f.position(), f.of.Name,
				fmt.Sprintf("pk %q, sk %q is the key shape of %s already (%s)", f.PK, f.SK, first.of.Name, place(first)),
				fmt.Sprintf("begin the sort key with a literal of its own: sk: %q", ownSortKey(f)))
			break
		}
	}
}

// ownSortKey puts the type's name before the variables of a sort key.
func ownSortKey(f *form) string {
	text := constantCase(f.of.Name)
	for _, s := range f.SK.Segments() {
		if s.Variable != "" {
			s.Literal = ""
			text = join(text, segmentText(s))
		}
	}
	return text
}

func place(f *form) string {
	at := f.position()
	if at == nil || at.Src == nil {
		return f.of.Name
	}
	return fmt.Sprintf("%s:%d:%d", at.Src.Name, at.Line, at.Column)
}

// forms are all forms in the order of the schema's text.
func (r *reader) forms() []*form {
	var forms []*form
	for _, t := range r.sortedTypes() {
		forms = append(forms, t.forms...)
	}
	sortByPlace(forms)
	return forms
}

func sameShape(a, b *form) bool {
	return a.index == b.index && shapeText(a.partition()) == shapeText(b.partition()) && shapeText(a.SK) == shapeText(b.SK)
}

// partition is the template of the partition key as it is stored: with the
// shard.
func (f *form) partition() keys.Template {
	if f.shards <= 1 {
		return f.PK
	}
	return keys.MustTemplate(f.PK.String() + keys.Delimiter + "{shard}")
}
