// Package fixes proposes edits of a schema, for rules that find the same faults.
package fixes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// ProposedShards is the number of shards that is proposed for an index whose partition key has few
// values.
const ProposedShards = 4

// Returning returns the fix that lets a field return the objects of another type.
func Returning(rd *reading.Read, name string) string {
	switch {
	case rd.Connection != nil:
		node := rd.Connection.EdgeDef.Fields.ForName("node")
		return sdl.Retype(rd.Connection.Edge, node, sdl.WithNullability(name, node.Type))
	case rd.Def.Arguments.ForName("first") != nil:
		return "return " + name + sdl.ConnectionSuffix
	}
	return "return " + rd.ResultOf(name)
}

// proposal returns the directives that would store items where the read looks for them.
func proposal(r *reading.Design, rd *reading.Read) string {
	if isDerivedIndex(r, rd.Index) {
		return fmt.Sprintf("remove %s from type %s, because the keys of index %s are attributes of the items", rd.Name,
			rd.Parent, rd.Index)
	}
	targets := r.Targets(rd)
	if len(targets) == 0 {
		line := sdl.KeyLine(directiveFor(rd), keys.Shape{PK: rd.PK, SK: rd.SK})
		return fmt.Sprintf("add %s to the type of its items", line)
	}
	var lines []string
	for _, t := range targets {
		lines = append(lines, ProposalFor(r, rd, t, len(targets) > 1))
	}
	return strings.Join(lines, "\n")
}

// isDerivedIndex reports whether all entries in an index follow from attributes of the items, so that nobody writes
// them.
func isDerivedIndex(r *reading.Design, index string) bool {
	if index == "" || r.Layout == nil {
		return false
	}
	ofIndex := slices.DeleteFunc(r.StoredKeys(), func(f *reading.Key) bool { return f.Index != index })
	return len(ofIndex) > 0 && !slices.ContainsFunc(ofIndex, func(f *reading.Key) bool {
		_, isPK := r.DerivedKey(f.Of, f.Of.Item, r.Layout.Index(index).PK)
		return !isPK
	})
}

func directiveFor(rd *reading.Read) string {
	if rd.Index != "" {
		return "index"
	}
	return "copy"
}

// ProposalFor returns the proposal for one type. If the collection has several types, the sort key
// of each begins with another literal.
func ProposalFor(r *reading.Design, rd *reading.Read, t *reading.Type, several bool) string {
	var missing []string
	rename := func(s keys.Segment) keys.Segment {
		if s.Variable == "" {
			return s
		}
		name, ok := counterpart(rd, t, s.Variable)
		if !ok && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		s.Variable = name
		if s.Width == 0 && s.Bucket == 0 {
			s.Width = t.Width(name)
		}
		return s
	}
	pk, sk := reading.Rewrite(rd.PK, rename), reading.Rewrite(rd.SK, rename)
	condition := ""
	if rd.Kind == design.Query {
		if several {
			sk = r.Join(sk, sdl.ConstantCase(t.Name))
		} else if selected := selectBy(r, rd, t, pk, sk); selected != sk {
			sk, condition = selected, fmt.Sprintf("write sk: %q", selected)
		}
		sk = finishSortKey(r, rd, t, pk, sk)
	}
	line := proposedLine(r, rd, t, pk, sk)
	for i, name := range missing {
		missing[i] = fmt.Sprintf("add %s: %s to type %s", name, r.SourceType(rd, name)+"!", t.Name)
	}
	lines := slices.Concat(missing, []string{line})
	if len(t.StoredKeys) > 0 && t.StoredKeys[0].Directive == nil && t.Def.Directives.ForName("item") == nil {
		lines = append(lines, "add "+sdl.ItemLine(t.Item)+" to type "+t.Name)
	}
	if condition != "" {
		lines = append(lines, condition)
	}
	return strings.Join(lines, "\n")
}

func proposedLine(r *reading.Design, rd *reading.Read, t *reading.Type, pk, sk string) string {
	parsedPK, err := r.Parse(pk)
	parsedSK, err2 := r.Parse(sk)
	if err != nil || err2 != nil {
		return "store its items where the field reads"
	}
	shape := keys.Shape{PK: parsedPK, SK: parsedSK}
	if rd.Index != "" {
		return "add " + proposedIndex(r, rd.Index, t, shape) + " to type " + t.Name
	}
	byID := slices.Equal(reading.Identity(shape), []string{"id"}) && !slices.Equal(t.Identity, []string{"id"})
	if byID && len(t.StoredKeys) > 0 && r.Layout == nil {
		return ReplaceItem(t, shape)
	}
	if byID && r.Layout != nil && slices.Contains(t.Def.Interfaces, "Node") {
		return fmt.Sprintf("remove %s from type %s, because node finds a %s by its id, and what is stored keeps its key",
			rd.Name, rd.Parent, t.Name)
	}
	return "add " + sdl.KeyLine("copy", shape) + " to type " + t.Name
}

// ReplaceItem returns the fix that stores the objects of a type under another key, and copies under the present one. A
// global ID has all values of the @item. With {id} alone in a key, the object is found only if that key is the
// @item's.
func ReplaceItem(t *reading.Type, shape keys.Shape) string {
	limit := ""
	if d := t.StoredKeys[0].Directive; d != nil && d.Arguments.ForName("maxBytes") != nil {
		limit = fmt.Sprintf(", maxBytes: %d", t.MaxBytes)
	}
	return fmt.Sprintf("on type %s replace %s\nwith @item(pk: %q, sk: %q%s) %s",
		t.Name, t.StoredKeys[0].Source(), shape.PK, shape.SK, limit, sdl.KeyLine("copy", t.Item))
}

// RenameID returns the fix for a key of an existing table that has {id} beside other variables: a global id consists of
// all of them, so another field has the value of the attribute id. What is stored stays as it is.
func RenameID(r *reading.Design, t *reading.Type) string {
	name := sdl.LowerFirst(t.Name) + "Id"
	for t.Def.Fields.ForName(name) != nil {
		name += "Value"
	}
	stored := &ast.Value{Kind: ast.StringValue, Raw: t.Attribute("id").StoredName()}
	d := &ast.Directive{Name: "stored"}
	lines := []string{fmt.Sprintf("add %s: String! to type %s", name, t.Name)}
	if own := t.Def.Fields.ForName("id").Directives.ForName("stored"); own != nil {
		d = own
		lines = append(lines, fmt.Sprintf("remove @stored from field %s.id", t.Name))
	}
	lines = append(lines,
		fmt.Sprintf("add %s to field %s.%s", sdl.DirectiveText(sdl.WithArgument(d, "name", stored)), t.Name, name))
	rename := func(s keys.Segment) keys.Segment {
		if s.Variable == "id" {
			s.Variable = name
		}
		return s
	}
	for _, k := range t.StoredKeys {
		if k.Directive == nil || k.Derived || !inTemplate(k.PK.String()+k.SK.String(), "id") {
			continue
		}
		with := sdl.WithSortKey(sdl.WithTemplate(k.Directive, "pk", reading.Rewrite(k.PK, rename)), reading.Rewrite(k.SK,
			rename))
		lines = append(lines, fmt.Sprintf("on type %s replace %s\nwith %s", t.Name, k.Source(), with))
	}
	for _, rd := range r.Reads {
		isNamed := slices.ContainsFunc(rd.Matches, func(m design.Match) bool {
			return m.Type == t.Type && reading.Attribute(m, "id") == "id"
		})
		argument := rd.Def.Arguments.ForName("id")
		if rd.Directive != nil && isNamed && argument != nil {
			lines = append(lines, fmt.Sprintf("on field %s replace id: %s with id: %s", rd.Coordinate(), argument.Type,
				sdl.WithNullability("String", argument.Type)))
		}
		if rd.Directive != nil && (isNamed && argument != nil ||
			rd.ParentType == t && argument == nil && slices.Contains(rd.Variables(), "id")) {
			lines = append(lines, fmt.Sprintf("rename id to %s in field %s", name, rd.Coordinate()))
		}
	}
	return strings.Join(lines, "\n")
}

// proposedIndex returns an @index directive. If all stored items have an entry in the index
// already, a @copy for the new entry precedes it.
func proposedIndex(r *reading.Design, index string, t *reading.Type, shape keys.Shape) string {
	var b strings.Builder
	entries := 0
	for _, f := range t.StoredKeys {
		if f.Index == index {
			entries++
		}
	}
	if entries > len(t.Copies) {
		by := "BY_INDEX"
		if names := shape.PK.Variables(); len(names) > 0 {
			by = "BY_" + sdl.ConstantCase(names[0])
		}
		if entries > 1 {
			by = fmt.Sprintf("%s_%d", by, entries)
		}
		b.WriteString(sdl.KeyLine("copy", copyShape(r, t, by)) + " ")
	}
	b.WriteString("@index(")
	if index != "GSI1" {
		fmt.Fprintf(&b, "name: %q, ", index)
	}
	b.WriteString(sdl.KeyArguments(shape.PK.String(), shape.SK.String()))
	if r.IsNarrow(t, shape.PK) && len(r.Names().Index(index).PK) == 1 {
		fmt.Fprintf(&b, ", shards: %d", shardsIn(r, t, index))
	}
	b.WriteString(")")
	return b.String()
}

// counterpart returns the name of the attribute of a type for a variable of a read, and whether the
// type has that attribute.
func counterpart(rd *reading.Read, t *reading.Type, variable string) (string, bool) {
	argument, attr := rd.Source(variable)
	if argument != nil {
		if variable == sdl.LowerFirst(t.Name)+"Id" && t.Attribute("id") != nil && t.Attribute(variable) == nil {
			return "id", true
		}
		return variable, t.Attribute(variable) != nil
	}
	if attr == nil {
		return variable, t.Attribute(variable) != nil
	}
	owner := attr.Ref
	if variable != "id" {
		return variable, t.Attribute(variable) != nil
	}
	for _, a := range t.Attributes {
		if a.Ref == owner && a.Name != "id" {
			return a.Name, true
		}
	}
	name := sdl.LowerFirst(owner) + "Id"
	return name, t.Attribute(name) != nil
}

// copyShape returns the key of a copy of the objects of a type for an index entry, beside the item.
func copyShape(r *reading.Design, t *reading.Type, by string) keys.Shape {
	if r.Names().HasSortKey() {
		return keys.Shape{PK: t.Item.PK, SK: keys.MustDelimited(r.Names().Delimiter, by)}
	}
	return keys.Shape{PK: keys.MustDelimited(r.Names().Delimiter, r.Join(by, t.Item.PK.String()))}
}

// shardsIn returns the shards that are proposed for an index: 1 if its sort key follows from other attributes, so that
// it need not identify the object.
func shardsIn(r *reading.Design, t *reading.Type, index string) int {
	if r.Layout != nil {
		if _, isDerived := r.DerivedKey(t, t.Item, r.Layout.Index(index).SK); isDerived {
			return 1
		}
	}
	return ProposedShards
}
