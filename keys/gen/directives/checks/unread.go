package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkUnread finds fields that return stored objects without a directive: objects are not inside of the
// item of another, but have keys of their own. On Query, and with arguments, Go code may read them: see
// Schema.Unread.
func (r *checker) checkUnread() {
	for _, def := range r.objects() {
		t := r.types[def.Name]
		if t == nil && def != r.schema.Query {
			continue
		}
		for _, f := range def.Fields {
			isNode := def == r.schema.Query && r.isNodeField(f)
			isInKey := t != nil && r.isInKey(t, f.Name) // checkFormats finds this.
			if readDirective(f) != nil || isNode || isInKey || !r.returnsStored(f) {
				continue
			}
			what := f.Type.Name() + " is stored as items of its own, but has no directive that reads it"
			if r.connections[f.Type.Name()] != nil {
				what = f.Type.Name() + " is a page of items, but has no directive that reads it"
			}
			fix := strings.Join(r.readProposal(t, def, f), "\n")
			if t != nil && len(f.Arguments) == 0 {
				r.find(f.Position, def.Name+"."+f.Name, what, fix)
			} else if f.Directives.ForName("cost") == nil {
				r.unread = append(r.unread, finding(f.Position, def.Name+"."+f.Name, what, fix))
			}
		}
	}
}

// returnsStored reports whether a field returns stored objects, or a connection.
func (r *checker) returnsStored(f *ast.FieldDefinition) bool {
	return r.connections[f.Type.Name()] != nil ||
		slices.ContainsFunc(r.possible(f.Type.Name()), func(name string) bool { return r.types[name] != nil })
}

// readProposal returns the fix that lets a field read the objects that it returns: where they are stored if the
// field has the values of such a key, otherwise under a key that the fix adds.
func (r *checker) readProposal(parent *storedType, def *ast.Definition, f *ast.FieldDefinition) []string {
	coordinate := def.Name + "." + f.Name
	rd := &read{
		Field: &keys.Field{Parent: def.Name, Name: f.Name}, def: f, parent: parent, possible: r.possible(f.Type.Name()),
	}
	if c := r.connections[f.Type.Name()]; c != nil {
		rd.connection, rd.possible = c, c.NodeTypes
		rd.EdgeNode = c.EdgeNode
	}
	var paging []string
	if rd.connection != nil {
		paging = pagingFixes(rd)
	}
	many := f.Type.Elem != nil || rd.connection != nil
	if len(rd.possible) == 1 && r.types[rd.possible[0]] != nil {
		for _, k := range r.types[rd.possible[0]].storedKeys {
			if line := r.readOf(rd, k, many); line != "" {
				return append(paging, "add "+line+" to field "+coordinate)
			}
		}
	}
	if !many {
		for _, name := range rd.possible {
			if t := r.types[name]; t != nil {
				lines := r.getProposal(rd, t)
				if len(rd.possible) > 1 {
					lines = append(lines, "return "+name+" in "+coordinate)
				}
				return lines
			}
		}
	}
	return append(paging, r.queryProposal(rd))
}

// readOf returns the directive that reads a stored key, or "" if the field does not have its values or has an argument
// that is no part of it.
func (r *checker) readOf(rd *read, k *storedKey, many bool) string {
	unused := map[string]bool{}
	for _, a := range rd.def.Arguments {
		if rd.connection == nil || !isPaging(a.Name) {
			unused[a.Name] = true
		}
	}
	ok := true
	name := func(s keys.Segment) keys.Segment {
		if s.Variable != "" {
			var has bool
			s.Variable, has = r.valueFor(rd, k.of, s.Variable)
			ok = ok && has
			delete(unused, s.Variable)
		}
		return s
	}
	pk := rewrite(k.PK, name)
	if !ok {
		return ""
	}
	if !many && k.index == "" {
		if sk := rewrite(k.SK, name); ok && len(unused) == 0 {
			return "@get(" + keyArguments(pk, sk) + ")"
		}
		return ""
	}
	if len(unused) > 0 || !many && k.index == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("@query(")
	if k.index != "" {
		fmt.Fprintf(&b, "index: %q, ", k.index)
	}
	fmt.Fprintf(&b, "pk: %q", pk)
	if leading := k.SK.Leading(); leading != "" {
		fmt.Fprintf(&b, ", sk: %q", leading)
	}
	if rd.connection == nil && rd.def.Type.Elem != nil {
		b.WriteString(", atMost: 100")
	}
	return b.String() + ")"
}

// valueFor returns the argument, or the parent's attribute, with the value of a stored attribute.
func (r *checker) valueFor(rd *read, t *storedType, attribute string) (string, bool) {
	candidates := []string{attribute}
	if attribute == "id" {
		candidates = []string{lowerFirst(t.Name) + "Id", rd.Name + "Id"}
		if rd.parent == nil {
			candidates = append(candidates, "id")
		}
	}
	if rd.parent != nil && attribute == lowerFirst(rd.parent.Name)+"Id" {
		candidates = append(candidates, "id")
	}
	for _, name := range candidates {
		if argument, attr := rd.source(name); argument != nil || attr != nil {
			return name, true
		}
	}
	return "", false
}

// getProposal returns the fix for one object whose key the field does not have the values of.
func (r *checker) getProposal(rd *read, t *storedType) []string {
	var lines, values []string
	names := map[string]string{}
	for _, name := range t.Identity {
		value, ok := r.valueFor(rd, t, name)
		if !ok {
			if value = name; name == "id" && rd.parent != nil {
				value = rd.Name + "Id"
			}
			typ := "ID"
			if stored := t.def.Fields.ForName(name); stored != nil {
				typ = stored.Type.Name()
			}
			if rd.parent != nil {
				lines = append(lines, fmt.Sprintf("add %s: %s to type %s", value, typ, rd.Parent))
			} else {
				lines = append(lines, fmt.Sprintf("add the argument %s: %s! to field %s", value, typ, rd.Coordinate()))
			}
		}
		names[name] = value
		values = append(values, value)
	}
	rename := func(s keys.Segment) keys.Segment {
		if s.Variable != "" {
			s.Variable = names[s.Variable]
		}
		return s
	}
	pk, sk := rewrite(t.Item.PK, rename), rewrite(t.Item.SK, rename)
	for _, a := range rd.def.Arguments {
		if !slices.Contains(values, a.Name) {
			lines = append(lines, remove(rd, a))
		}
	}
	return append(lines, fmt.Sprintf("add @get(%s) to field %s", keyArguments(pk, sk), rd.Coordinate()))
}

// queryProposal returns the fix for a collection that is stored nowhere: below the parent's own key, or else in an
// index.
func (r *checker) queryProposal(rd *read) string {
	rd.Kind = keys.Query
	arguments := ""
	for _, a := range rd.def.Arguments {
		if !isPaging(a.Name) {
			arguments += r.names().Delimiter + "{" + a.Name + "}"
		}
	}
	pk, sk, index := constantCase(rd.Name)+arguments, "", "GSI1"
	if rd.parent != nil {
		pk, sk, index = rd.parent.Item.PK.String(), constantCase(rd.Name)+arguments, ""
		if arguments == "" {
			sk += r.names().Delimiter
		}
	}
	var err, err2 error
	rd.PK, err = r.parse(pk)
	rd.SK, err2 = r.parse(sk)
	if err != nil || err2 != nil {
		return "add @query with the key of its items to field " + rd.Coordinate()
	}
	rd.Index = index
	line := fmt.Sprintf("pk: %q", pk)
	if index != "" {
		line = fmt.Sprintf("index: %q, ", index) + line
	}
	if sk != "" {
		line += fmt.Sprintf(", sk: %q", sk)
	}
	if rd.connection == nil && rd.def.Type.Elem != nil {
		line += ", atMost: 100"
	}
	return "add @query(" + line + ") to field " + rd.Coordinate() + "\n" + r.proposal(rd)
}
