package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// checkMatches: what a collection holds must be what its field returns.
func (r *reader) checkMatches() {
	for _, rd := range r.reads {
		if len(rd.matches) == 0 {
			continue
		}
		seen := map[string]bool{}
		for _, m := range rd.matches {
			if seen[m.Type.Name] {
				r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("pk %q, sk %q selects two forms of %s, so each could appear twice", rd.PK, rd.SK, m.Type.Name),
					"narrow sk to one of "+oneOf(prefixesOf(rd, m.Type)))
				break
			}
			seen[m.Type.Name] = true
		}
		shards := rd.matches[0].Shards
		for _, m := range rd.matches[1:] {
			if m.Shards != shards {
				r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("the collection holds %s in %d shards and %s in %d", rd.matches[0].Type.Name, shards, m.Type.Name, m.Shards),
					"give both the same shards")
				break
			}
		}
		r.checkCover(rd)
	}
}

// checkCover: the field's type must take in all that is matched and nothing
// else.
func (r *reader) checkCover(rd *read) {
	if rd.EdgeNode || len(rd.possible) == 0 {
		return // The nodes are other objects than the items.
	}
	var others, absent []string
	for _, name := range rd.Types {
		if !slices.Contains(rd.possible, name) {
			others = append(others, name)
		}
	}
	for _, name := range rd.possible {
		if !slices.Contains(rd.Types, name) {
			absent = append(absent, name)
		}
	}
	typ := rd.def.Type.Name()
	if rd.connection != nil {
		typ = rd.connection.Node
	}
	if len(others) > 0 {
		fix := "return " + rd.Types[0]
		if len(rd.Types) > 1 {
			fix = "return a union or an interface of " + strings.Join(rd.Types, ", ")
		}
		for _, m := range rd.matches {
			leading := m.Shape.SK.Leading()
			if rd.Kind == keys.Query && slices.Contains(rd.possible, m.Type.Name) && len(leading) > len(rd.SK.String()) {
				fix += ", or narrow sk to " + quote(leading)
				break
			}
		}
		r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("the collection holds %s, but the field returns %s", oneOf(rd.Types), typ), fix)
		return
	}
	if len(absent) == 0 {
		return
	}
	if rd.Kind == keys.Get {
		r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("no %s is stored under pk %q, sk %q, but the field returns %s", oneOf(absent), rd.PK, rd.SK, typ),
			"return "+oneOf(rd.Types))
		return
	}
	for _, name := range absent {
		if r.types[name] == nil || r.types[name].broken {
			return
		}
	}
	var lines []string
	for _, name := range absent {
		lines = append(lines, r.proposalFor(rd, r.types[name], true))
	}
	r.find(rd.def.Position, rd.Coordinate(), fmt.Sprintf("no %s is stored under pk %q, sk %q, but the field returns %s", oneOf(absent), rd.PK, rd.SK, typ),
		strings.Join(lines, "\n"))
}

// prefixesOf are the beginnings of the sort keys of a type's matched forms.
func prefixesOf(rd *read, t *keys.Type) []string {
	var prefixes []string
	for _, m := range rd.matches {
		if m.Type == t {
			prefixes = append(prefixes, quote(m.Shape.SK.Leading()))
		}
	}
	return prefixes
}
