package importer

import (
	"strings"
)

// refer adds to a type the objects that its keys name: those whose partition key is part of one of them. A note with
// the sort key AUTHOR#{authorId}#{at} names an author with the partition key AUTHOR#{id}, so it gets
//
//	author: Author @get(pk: "AUTHOR#{authorId}", sk: "PROFILE")
func refer(m *model, t *typ) {
	type key struct {
		template template
		isIndex  bool
	}
	var templates []key
	for _, s := range t.stored {
		templates = append(templates, key{s.pk, false}, key{s.sk, false})
		for _, ix := range s.indexes {
			templates = append(templates, key{ix.pk, true}, key{ix.sk, true})
		}
	}
	for _, owner := range m.types {
		pattern := owner.item().pk
		if owner == t || !isAlone(owner) || owner.fields[0].variable == "" || len(owner.item().identity()) != 1 {
			continue
		}
		var fields []*field
		for _, k := range templates {
			template := k.template
			for i := 0; i+len(pattern) <= len(template); i++ {
				v := template[i+len(pattern)-1].Variable
				if v == "" || !samePattern(template[i:i+len(pattern)], pattern) {
					continue
				}
				f := t.field(v)
				// In an index, EMAIL#{email} is a value that identifies an object otherwise.
				isID := !k.isIndex || isHidden(v) || f != nil && strings.HasSuffix(f.name, "Id") ||
					v == owner.fields[0].attribute
				if f == nil || !isID {
					continue
				}
				if f.typ == "String" && f.name != "id" {
					f.typ = "ID"
					if name := lowerFirst(owner.name) + "Id"; v == hiddenPrefix+"id" && !t.hasName(name) {
						f.name = name
					}
					fields = append(fields, f)
				}
			}
		}
		for _, f := range fields {
			addReference(m, t, f, owner, len(fields) > 1)
		}
	}
}

// addReference adds a field that reads the object of the owner with the id in f, which is one of several or the only
// one.
func addReference(m *model, t *typ, f *field, owner *typ, isOneOfSeveral bool) {
	name, hasSuffix := strings.CutSuffix(f.name, "Id")
	switch {
	case hasSuffix && !t.hasName(name):
	case isOneOfSeveral:
		name = f.name + owner.name
	default:
		name = lowerFirst(owner.name)
	}
	if t.hasName(name) {
		name = f.name + "Of" + t.name
	}
	if t.hasName(name) {
		m.omit("%s.%s: another field has the name", t.name, name)
		return
	}
	as := func(string) string { return f.name }
	t.reads = append(t.reads, &read{
		parent: t, name: name, result: owner.name,
		directive: "@get(" + m.key(owner.item().pk, owner.item().sk, as) + ")",
	})
}
