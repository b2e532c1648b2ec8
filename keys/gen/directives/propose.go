package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// proposedShards is the number of shards that is proposed for an index whose partition key has few
// values.
const proposedShards = 4

func itemLine(s keys.Shape) string { return keyLine("item", s) }

func keyLine(directive string, s keys.Shape) string {
	return fmt.Sprintf("@%s(pk: %q, sk: %q)", directive, s.PK, s.SK)
}

// ownShape returns the key of an object that has a partition of its own.
func (r *reader) ownShape(typ string) keys.Shape {
	t := keys.MustDelimited(r.names().Delimiter, constantCase(typ)+r.names().Delimiter+"{id}")
	return keys.Shape{PK: t, SK: t}
}

// supplyItems finds types that reads return but that have no @item. It adds the @item that it
// proposes, so that the other checks find what else is missing.
func (r *reader) supplyItems() {
	for _, rd := range slices.Clone(r.reads) {
		for _, name := range rd.possible {
			if r.types[name] != nil || rd.directive == nil {
				continue
			}
			def := r.schema.Types[name]
			if def.Directives.ForName("item") != nil {
				continue
			}
			shape := r.ownShape(name)
			if def.Fields.ForName("id") == nil {
				shape = keys.Shape{PK: rd.PK, SK: rd.SK}
			}
			keyType := &keys.Type{Name: name, Satisfies: r.satisfies(def), MaxBytes: 1, Item: shape}
			t := &storedType{Type: keyType, def: def}
			t.storedKeys = []*storedKey{{of: t, shards: 1, Shape: shape}}
			r.types[name] = t
			r.complete(t)
			if hasAny(def, "copy", "index", "mutable") {
				continue // readTypes has found this.
			}
			r.find(def.Position, name, fmt.Sprintf("%s reads it, but the type has no @item", rd.Coordinate()),
				"add "+itemLine(shape)+" to type "+name)
		}
	}
}

// hasAny reports whether a type has one of the directives.
func hasAny(def *ast.Definition, names ...string) bool {
	return slices.ContainsFunc(def.Directives, func(d *ast.Directive) bool { return slices.Contains(names, d.Name) })
}

// proposal returns the directives that would store items where the read looks for them.
func (r *reader) proposal(rd *read) string {
	targets := r.targets(rd)
	if len(targets) == 0 {
		line := keyLine(r.directiveFor(rd), keys.Shape{PK: rd.PK, SK: rd.SK})
		return fmt.Sprintf("add %s to the type of its items", line)
	}
	var lines []string
	for _, t := range targets {
		lines = append(lines, r.proposalFor(rd, t, len(targets) > 1))
	}
	return strings.Join(lines, "\n")
}

func (r *reader) directiveFor(rd *read) string {
	if rd.Index != "" {
		return "index"
	}
	return "copy"
}

// targets returns the stored types that the read should return. If the nodes of a connection are
// read by their own keys, it is the one type with all attributes that the edge needs.
func (r *reader) targets(rd *read) []*storedType {
	var targets []*storedType
	if !rd.EdgeNode {
		for _, name := range rd.possible {
			if t := r.types[name]; t != nil {
				targets = append(targets, t)
			}
		}
		return targets
	}
	wanted := slices.Clone(rd.connection.Attributes)
	if node := rd.connection.edge.Fields.ForName("node"); readDirective(node) != nil {
		for _, name := range [...]string{"pk", "sk"} {
			if t, err := r.parse(textArgument(readDirective(node), name)); err == nil {
				wanted = append(wanted, t.Variables()...)
			}
		}
	}
	for _, t := range r.sortedTypes() {
		if !slices.ContainsFunc(wanted, func(name string) bool { return t.Attribute(name) == nil }) {
			targets = append(targets, t)
		}
	}
	if len(targets) != 1 {
		return nil
	}
	return targets
}

// proposalFor returns the proposal for one type. If the collection has several types, the sort key
// of each begins with another literal.
func (r *reader) proposalFor(rd *read, t *storedType, several bool) string {
	var missing []string
	rename := func(s keys.Segment) keys.Segment {
		if s.Variable == "" {
			return s
		}
		name, ok := r.counterpart(rd, t, s.Variable)
		if !ok && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
		s.Variable = name
		if s.Width == 0 && s.Bucket == 0 {
			s.Width = t.width(name)
		}
		return s
	}
	pk, sk := rewrite(rd.PK, rename), rewrite(rd.SK, rename)
	condition := ""
	if rd.Kind == keys.Query {
		if several {
			sk = r.join(sk, constantCase(t.Name))
		} else if selected := r.selectBy(rd, t, pk, sk); selected != sk {
			sk, condition = selected, fmt.Sprintf("write sk: %q", selected)
		}
		sk = r.finishSortKey(rd, t, pk, sk)
	}
	line := r.proposedLine(rd, t, pk, sk)
	for i, name := range missing {
		missing[i] = fmt.Sprintf("add %s: %s to type %s", name, r.sourceType(rd, name)+"!", t.Name)
	}
	lines := slices.Concat(missing, []string{line})
	if len(t.storedKeys) > 0 && t.storedKeys[0].directive == nil && t.def.Directives.ForName("item") == nil {
		lines = append(lines, "add "+itemLine(t.Item)+" to type "+t.Name)
	}
	if condition != "" {
		lines = append(lines, condition)
	}
	return strings.Join(lines, "\n")
}

func (r *reader) proposedLine(rd *read, t *storedType, pk, sk string) string {
	parsedPK, err := r.parse(pk)
	parsedSK, err2 := r.parse(sk)
	if err != nil || err2 != nil {
		return "store its items where the field reads"
	}
	shape := keys.Shape{PK: parsedPK, SK: parsedSK}
	if rd.Index != "" {
		return "add " + r.proposedIndex(rd.Index, t, shape) + " to type " + t.Name
	}
	byID := slices.Equal(identity(shape), []string{"id"}) && !slices.Equal(t.Identity, []string{"id"})
	if byID && len(t.storedKeys) > 0 {
		return t.replaceItem(shape)
	}
	return "add " + keyLine("copy", shape) + " to type " + t.Name
}

// replaceItem returns the fix that stores the objects of a type under another key, and copies under the present one. A
// global ID has all values of the @item. With {id} alone in a key, the object is found only if that key is the
// @item's.
func (t *storedType) replaceItem(shape keys.Shape) string {
	limit := ""
	if d := t.storedKeys[0].directive; d != nil && d.Arguments.ForName("maxBytes") != nil {
		limit = fmt.Sprintf(", maxBytes: %d", t.MaxBytes)
	}
	return fmt.Sprintf("on type %s replace %s\nwith @item(pk: %q, sk: %q%s) %s",
		t.Name, t.storedKeys[0].source(), shape.PK, shape.SK, limit, keyLine("copy", t.Item))
}

// sourceType returns the GraphQL type of the value that a read has for a variable.
func (r *reader) sourceType(rd *read, variable string) string {
	argument, attr := rd.source(variable)
	switch {
	case argument != nil && r.rangeEnd(argument.Type) != nil:
		return r.rangeEnd(argument.Type).Name()
	case argument != nil:
		return argument.Type.Name()
	case attr != nil:
		return rd.parent.def.Fields.ForName(variable).Type.Name()
	default:
		return "ID"
	}
}

// proposedIndex returns an @index directive. If all stored items have an entry in the index
// already, a @copy for the new entry precedes it.
func (r *reader) proposedIndex(index string, t *storedType, shape keys.Shape) string {
	var b strings.Builder
	entries := 0
	for _, f := range t.storedKeys {
		if f.index == index {
			entries++
		}
	}
	if entries > len(t.Copies) {
		by := "BY_INDEX"
		if names := shape.PK.Variables(); len(names) > 0 {
			by = "BY_" + constantCase(names[0])
		}
		if entries > 1 {
			by = fmt.Sprintf("%s_%d", by, entries)
		}
		fmt.Fprintf(&b, "@copy(pk: %q, sk: %q) ", t.Item.PK, by)
	}
	b.WriteString("@index(")
	if index != "GSI1" {
		fmt.Fprintf(&b, "name: %q, ", index)
	}
	fmt.Fprintf(&b, "pk: %q, sk: %q", shape.PK, shape.SK)
	if r.isNarrow(t, shape.PK) && len(r.names().Index(index).PK) == 1 {
		fmt.Fprintf(&b, ", shards: %d", proposedShards)
	}
	b.WriteString(")")
	return b.String()
}

// counterpart returns the name of the attribute of a type for a variable of a read, and whether the
// type has that attribute.
func (r *reader) counterpart(rd *read, t *storedType, variable string) (string, bool) {
	argument, attr := rd.source(variable)
	if argument != nil {
		if variable == lowerFirst(t.Name)+"Id" && t.Attribute("id") != nil && t.Attribute(variable) == nil {
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
	name := lowerFirst(owner) + "Id"
	return name, t.Attribute(name) != nil
}
