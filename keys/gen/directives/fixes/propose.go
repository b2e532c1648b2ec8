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
	return "@" + directive + "(" + keyArguments(s.PK.String(), s.SK.String()) + ")"
}

// keyArguments returns the arguments of a directive with these templates. Without a sort key there is no sk.
func keyArguments(pk, sk string) string {
	if sk == "" {
		return fmt.Sprintf("pk: %q", pk)
	}
	return fmt.Sprintf("pk: %q, sk: %q", pk, sk)
}

// checkItems finds types without the @item that their other directives need, and those that reads return.
func (r *checker) checkItems() {
	for _, def := range r.objects() {
		i := slices.IndexFunc(def.Directives, func(d *ast.Directive) bool {
			return slices.Contains([]string{"copy", "index", "mutable"}, d.Name)
		})
		if i >= 0 && def.Directives.ForName("item") == nil {
			r.find(def.Directives[i].Position, def.Name, "@"+def.Directives[i].Name+
				" without @item: a type has one item before it has copies, index entries and mutations",
				"add "+itemLine(r.readShape(def))+" to type "+def.Name)
		}
	}
	for _, t := range r.sortedTypes() {
		if t.neededBy != nil && !t.broken {
			r.find(t.def.Position, t.Name, fmt.Sprintf("%s reads it, but the type has no @item", t.neededBy.Coordinate()),
				"add "+itemLine(t.Item)+" to type "+t.Name)
		}
	}
}

// returning returns the fix that lets a field return the objects of another type.
func (rd *read) returning(name string) string {
	switch {
	case rd.connection != nil:
		node := rd.connection.edge.Fields.ForName("node")
		return retype(rd.connection.Edge, node, withNullability(name, node.Type))
	case rd.def.Arguments.ForName("first") != nil:
		return "return " + name + connectionSuffix
	}
	return "return " + rd.resultOf(name)
}

// proposal returns the directives that would store items where the read looks for them.
func (r *checker) proposal(rd *read) string {
	if r.isDerivedIndex(rd.Index) {
		return fmt.Sprintf("remove %s from type %s, because the keys of index %s are attributes of the items", rd.Name,
			rd.Parent, rd.Index)
	}
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

// isDerivedIndex reports whether all entries in an index follow from attributes of the items, so that nobody writes
// them.
func (r *checker) isDerivedIndex(index string) bool {
	if index == "" || r.layout == nil {
		return false
	}
	ofIndex := slices.DeleteFunc(r.storedKeys(), func(f *storedKey) bool { return f.index != index })
	return len(ofIndex) > 0 && !slices.ContainsFunc(ofIndex, func(f *storedKey) bool {
		_, isPK := r.derivedKey(f.of, f.of.Item, r.layout.Index(index).PK)
		return !isPK
	})
}

func (r *checker) directiveFor(rd *read) string {
	if rd.Index != "" {
		return "index"
	}
	return "copy"
}

// targets returns the stored types that the read should return. If the nodes of a connection are
// read by their own keys, it is the one type with all attributes that the edge needs.
func (r *checker) targets(rd *read) []*storedType {
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
func (r *checker) proposalFor(rd *read, t *storedType, several bool) string {
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

func (r *checker) proposedLine(rd *read, t *storedType, pk, sk string) string {
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
	if byID && len(t.storedKeys) > 0 && r.layout == nil {
		return t.replaceItem(shape)
	}
	if byID && r.layout != nil && slices.Contains(t.def.Interfaces, "Node") {
		return fmt.Sprintf(
			"remove %s from type %s, because node finds a %s by its id, and what is stored keeps its key",
			rd.Name, rd.Parent, t.Name)
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

// renameID returns the fix for a key of an existing table that has {id} beside other variables: a global id consists of
// all of them, so another field has the value of the attribute id. What is stored stays as it is.
func (r *checker) renameID(t *storedType) string {
	name := lowerFirst(t.Name) + "Id"
	for t.def.Fields.ForName(name) != nil {
		name += "Value"
	}
	stored := &ast.Value{Kind: ast.StringValue, Raw: t.Attribute("id").StoredName()}
	d := &ast.Directive{Name: "stored"}
	lines := []string{fmt.Sprintf("add %s: ID! to type %s", name, t.Name)}
	if own := t.def.Fields.ForName("id").Directives.ForName("stored"); own != nil {
		d = own
		lines = append(lines, fmt.Sprintf("remove @stored from field %s.id", t.Name))
	}
	lines = append(lines,
		fmt.Sprintf("add %s to field %s.%s", directiveText(withArgument(d, "name", stored)), t.Name, name))
	rename := func(s keys.Segment) keys.Segment {
		if s.Variable == "id" {
			s.Variable = name
		}
		return s
	}
	for _, k := range t.storedKeys {
		if k.directive == nil || k.derived || !inTemplate(k.PK.String()+k.SK.String(), "id") {
			continue
		}
		with := withSortKey(withTemplate(k.directive, "pk", rewrite(k.PK, rename)), rewrite(k.SK, rename))
		lines = append(lines, fmt.Sprintf("on type %s replace %s\nwith %s", t.Name, k.source(), with))
	}
	for _, rd := range r.reads {
		isNamed := slices.ContainsFunc(rd.matches, func(m keys.Match) bool {
			return m.Type == t.Type && attribute(m, "id") == "id"
		})
		if rd.directive != nil && (isNamed && rd.def.Arguments.ForName("id") != nil ||
			rd.parent == t && rd.def.Arguments.ForName("id") == nil && slices.Contains(rd.variables(), "id")) {
			lines = append(lines, fmt.Sprintf("rename id to %s in field %s", name, rd.Coordinate()))
		}
	}
	return strings.Join(lines, "\n")
}

// sourceType returns the GraphQL type of the value that a read has for a variable.
func (r *checker) sourceType(rd *read, variable string) string {
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
func (r *checker) proposedIndex(index string, t *storedType, shape keys.Shape) string {
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
		b.WriteString(keyLine("copy", r.copyShape(t, by)) + " ")
	}
	b.WriteString("@index(")
	if index != "GSI1" {
		fmt.Fprintf(&b, "name: %q, ", index)
	}
	b.WriteString(keyArguments(shape.PK.String(), shape.SK.String()))
	if r.isNarrow(t, shape.PK) && len(r.names().Index(index).PK) == 1 {
		fmt.Fprintf(&b, ", shards: %d", r.shardsIn(t, index))
	}
	b.WriteString(")")
	return b.String()
}

// counterpart returns the name of the attribute of a type for a variable of a read, and whether the
// type has that attribute.
func (r *checker) counterpart(rd *read, t *storedType, variable string) (string, bool) {
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
