package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// checkLayout finds fields that share an attribute, and keys of indexes that are attributes with other values.
func checkLayout(r *checker) {
	for _, t := range r.SortedTypes() {
		checkAttributes(r, t)
		checkDerivedKeys(r, t)
	}
}

// checkAttributes finds two fields with one attribute, and fields whose attribute is a key with other text.
func checkAttributes(r *checker, t *reading.Type) {
	l, by := r.Names(), map[string]string{}
	for _, a := range t.Attributes {
		if a.InKeys {
			continue
		}
		name := a.StoredName()
		f := t.Def.Fields.ForName(a.Name)
		if other := by[name]; other != "" {
			findStored(r, t.Name, f, fmt.Sprintf("%s and %s are stored in one attribute, %s", other, a.Name, name),
				a.Name+"Value")
		}
		by[name] = cmp.Or(by[name], a.Name)
		for _, key := range [...]struct {
			part     string
			of       keys.KeyAttributes
			template func(keys.Shape) keys.Template
		}{{"pk", l.PK, partitionKey}, {"sk", l.SK, sortKey}} {
			if r.Layout == nil || !key.of.Has(name) {
				continue
			}
			for _, s := range t.StoredKeys {
				text := "{" + a.Name + "}"
				if s.Index != "" || key.template(s.Shape).String() == text {
					continue
				}
				segments := key.template(s.Shape).Segments()
				switch {
				case a.IsNumber() && len(segments) == 1 && segments[0].Variable == a.Name && s.Directive != nil:
					findPadded(r, s, key.part, key.template, name)
				case a.IsNumber() && key.template(t.Item).String() == text:
					r.find(s.Position(), t.Name,
						fmt.Sprintf("%s %q: its attribute %s is a Number, the value of the field %s",
							key.part, key.template(s.Shape), name, a.Name),
						fixes.NotServed(r.Design, s))
				default:
					findStored(r, t.Name, f, fmt.Sprintf("the attribute %s is the key %q, not the value of the field: "+
						"if there is no other attribute, the value is read from the key", name, key.template(s.Shape)),
						a.Name+"Value")
				}
				break
			}
		}
	}
}

// findPadded finds a format of a Number that is a key, which has the value as it is.
func findPadded(r *checker, f *reading.Key, part string, template func(keys.Shape) keys.Template, attribute string) {
	bare := func(t keys.Template) string {
		return reading.Rewrite(t, func(s keys.Segment) keys.Segment { return keys.Segment{Variable: s.Variable} })
	}
	fix := fmt.Sprintf("write %s: %q", part, bare(template(f.Shape)))
	for _, rd := range r.Reads {
		own := template(keys.Shape{PK: rd.PK, SK: rd.SK})
		if rd.Directive != nil && rd.IsMatch(f) && own.String() != bare(own) {
			fix += fmt.Sprintf("\non field %s replace %s: %q with %[2]s: %[4]q", rd.Coordinate(), part, own, bare(own))
		}
	}
	r.find(f.Position(), f.Of.Name, fmt.Sprintf("%s %q: its attribute %s is a Number, which has the value as it is",
		part, template(f.Shape), attribute), fix)
}

func partitionKey(s keys.Shape) keys.Template { return s.PK }

func sortKey(s keys.Shape) keys.Template { return s.SK }

// checkDerivedKeys finds an @index whose keys are attributes of the type, or keys of the table, with other text.
func checkDerivedKeys(r *checker, t *reading.Type) {
	if r.Layout == nil {
		return
	}
	place, keyed := map[string]int{}, map[ownAttribute]keyedBy{}
	for _, f := range t.StoredKeys {
		if f.Index == "" || f.Derived {
			continue
		}
		n := place[f.Index]
		place[f.Index]++
		shapes := append([]keys.Shape{t.Item}, copiesOf(t)...)
		ix := r.Layout.Index(f.Index)
		for _, part := range [...]struct {
			name       string
			attributes keys.KeyAttributes
			template   keys.Template
		}{{"pk", ix.PK, f.PK}, {"sk", ix.SK, f.SK}} {
			if len(part.attributes) == 0 && part.template.String() != "" {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("index %s has no sort key in @table, but sk is %q", f.Index, part.template),
					"remove sk from @index, or name the attribute of the sort key in @table(indexes:)")
				continue
			}
			if len(part.attributes) > 0 && part.template.String() == "" {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("%s of index %s is empty: DynamoDB stores no empty key", part.name, f.Index),
					fmt.Sprintf("write %s: \"{%s}\", or another template", part.name, t.Identity[0]))
				continue
			}
			shape := shapes[min(n, len(shapes)-1)]
			checkShared(r, f, shape, part.name, part.attributes, part.template, n, keyed)
			if len(part.attributes) > 1 {
				checkSeveral(r, f, shape, part.name, part.attributes, part.template)
				continue
			}
			if len(part.attributes) == 0 {
				continue
			}
			attribute := part.attributes[0].Name
			want, derived := r.Derived(t, shape, attribute)
			if derived && part.name == "pk" && f.Shards > 1 {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("index %s is in %d shards, but its attribute %s has the values of %q", f.Index,
						f.Shards, attribute, want), "remove shards from @index")
			}
			if derived && want.String() != part.template.String() {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("%s %q of index %s: its attribute %s has %q", part.name, part.template, f.Index, attribute, want),
					fmt.Sprintf("write %s: %q", part.name, want))
			}
		}
	}
}

// ownAttribute is an attribute of a stored item that is no field, by the number of the item and its name.
type ownAttribute struct {
	item int
	name string
}

// keyedBy is the part of the key of an index that an attribute has. shards is 0 for a sort key.
type keyedBy struct {
	index, text string
	shards      int
}

// checkShared finds a key of the n-th stored item in an index with an own attribute that has another text in the key of
// an index before it. keyed are the attributes so far.
func checkShared(r *checker,
	f *reading.Key, s keys.Shape, name string, k keys.KeyAttributes, template keys.Template, n int,
	keyed map[ownAttribute]keyedBy,
) {
	parts := []string{template.String()}
	if segments := template.Segments(); len(k) > 1 {
		if parts = nil; len(segments) != len(k) {
			return
		}
		for _, segment := range segments {
			parts = append(parts, segment.String())
		}
	}
	shards := 0
	if name == "pk" {
		shards = max(1, f.Shards)
	}
	for i := range min(len(k), len(parts)) {
		own := ownAttribute{n, k[i].Name}
		if _, derived := r.Derived(f.Of, s, own.name); derived {
			continue
		}
		first, isShared := keyed[own]
		if !isShared {
			keyed[own] = keyedBy{f.Index, parts[i], shards}
			continue
		}
		if first.text == parts[i] {
			if shards > 0 && first.shards > 0 && shards != first.shards {
				r.find(f.Position(), f.Of.Name,
					fmt.Sprintf("index %s has shards: %d, but its attribute %s is that of index %s, which has shards: %d", f.Index,
						shards, own.name, first.index, first.shards),
					fmt.Sprintf("write shards: %d", first.shards))
			}
			continue
		}
		parts[i] = first.text
		r.find(f.Position(), f.Of.Name,
			fmt.Sprintf("%s %q of index %s: its attribute %s has %q in index %s",
				name, template, f.Index, own.name, first.text, first.index),
			fmt.Sprintf("write %s: %q", name, strings.Join(parts, r.Layout.Delimiter)))
		return
	}
}

// checkSeveral finds an entry whose pk or sk does not have a part for each of several attributes, or another part than
// an attribute of the type, and shards of a partition key with several attributes.
func checkSeveral(r *checker, f *reading.Key, s keys.Shape, name string, k keys.KeyAttributes, template keys.Template) {
	if name == "pk" && f.Shards > 1 {
		r.find(f.Position(), f.Of.Name,
			fmt.Sprintf("index %s is in %d shards, but its partition key has %d attributes", f.Index, f.Shards, len(k)),
			"remove shards from @index")
	}
	want := partsOf(r, f.Of, s, k, template)
	if want == template.String() {
		return
	}
	r.find(f.Position(), f.Of.Name,
		fmt.Sprintf("%s %q of index %s must have a part for each of the attributes %s", name, template, f.Index,
			strings.Join(k.Names(), ", ")), fmt.Sprintf("write %s: %q", name, want))
}

// partsOf returns a template with a part for each of several attributes of a key: what the attribute has, or the part
// of the template in its place.
func partsOf(r *checker, t *reading.Type, s keys.Shape, k keys.KeyAttributes, template keys.Template) string {
	parts := make([]string, len(k))
	for i, a := range k {
		want, derived := r.Derived(t, s, a.Name)
		switch segments := template.Segments(); {
		case derived && len(want.Segments()) == 1:
			parts[i] = want.String()
		case i < len(segments):
			parts[i] = segments[i].String()
		default:
			parts[i] = "{" + t.Identity[0] + "}"
		}
	}
	return strings.Join(parts, r.Layout.Delimiter)
}

func copiesOf(t *reading.Type) []keys.Shape {
	var shapes []keys.Shape
	for _, f := range t.StoredKeys {
		if f.Index == "" && f.Directive != nil && f.Directive.Name == "copy" {
			shapes = append(shapes, f.Shape)
		}
	}
	return shapes
}

// checkRecognition finds types that cannot be told apart: without a type attribute, an item could be of either.
func checkRecognition(r *checker) {
	if r.Names().Type != "" {
		checkTypeValues(r)
		return
	}
	stored := slices.DeleteFunc(r.StoredKeys(), func(f *reading.Key) bool { return f.Index != "" })
	for i, f := range stored {
		if r.hasFinding(f.Directive) {
			continue // its fix may change the key
		}
		for _, first := range stored[:i] {
			if first.Of == f.Of || first.Of.IsApart(f.Of.Type) || reading.SameShape(f, first) ||
				!design.CanShareKey(f.Of.Type, f.Shape, first.Of.Type, first.Shape) {
				continue
			}
			r.find(f.Position(), f.Of.Name,
				fmt.Sprintf("pk %q, sk %q can be a key of %s as well (%s), and @table names no attribute with the type",
					f.PK, f.SK, first.Of.Name, place(first)),
				fixes.OwnSortKeys(r.Design, f, first))
			break
		}
	}
}

// checkTypeValues finds two types with the same value of the type attribute.
func checkTypeValues(r *checker) {
	by := map[string]*reading.Type{}
	for _, t := range r.SortedTypes() {
		value := cmp.Or(t.Value, t.Name)
		other := by[value]
		if by[value] = t; other == nil || t.IsApart(other.Type) {
			continue
		}
		what := fmt.Sprintf("%s and %s have the same value of the type attribute, %q", other.Name, t.Name, value)
		if t.Value == "" {
			t = other
		}
		r.find(t.ItemPosition(), t.Name, what, fmt.Sprintf("write type: %q, or the value that its items have", t.Name))
	}
}
