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

// PagingFixes returns the lines that give a field the arguments of a connection.
func PagingFixes(rd *reading.Read) []string {
	var missing, fixes []string
	for _, p := range sdl.PagingArguments {
		switch a := rd.Def.Arguments.ForName(p.Name); {
		case a == nil:
			missing = append(missing, p.Name+": "+p.Type)
		case a.Type.String() != p.Type:
			fixes = append(fixes, fmt.Sprintf("on field %s replace %s: %s with %s: %s",
				rd.Coordinate(), p.Name, a.Type, p.Name, p.Type))
		}
	}
	if len(missing) > 0 {
		fixes = append(fixes, "add the arguments "+strings.Join(missing, ", ")+" to field "+rd.Coordinate())
	}
	return fixes
}

// ReadProposal returns the fix that lets a field read the objects that it returns: where they are stored if the
// field has the values of such a key, otherwise under a key that the fix adds.
func ReadProposal(r *reading.Design, parent *reading.Type, def *ast.Definition, f *ast.FieldDefinition) []string {
	coordinate := def.Name + "." + f.Name
	rd := &reading.Read{
		Field: &design.Field{Parent: def.Name, Name: f.Name}, Def: f, ParentType: parent, Possible: r.Possible(f.Type.Name()),
	}
	if c := r.Connections[f.Type.Name()]; c != nil {
		rd.Connection, rd.Possible = c, c.NodeTypes
		rd.EdgeNode = c.EdgeNode
	}
	var paging []string
	if rd.Connection != nil {
		paging = PagingFixes(rd)
	}
	many := f.Type.Elem != nil || rd.Connection != nil
	if len(rd.Possible) == 1 && r.Types[rd.Possible[0]] != nil {
		for _, k := range r.Types[rd.Possible[0]].StoredKeys {
			if line := readOf(r, rd, k, many); line != "" {
				return append(paging, "add "+line+" to field "+coordinate)
			}
		}
	}
	if !many {
		for _, name := range rd.Possible {
			if t := r.Types[name]; t != nil {
				lines := getProposal(r, rd, t)
				if len(rd.Possible) > 1 {
					lines = append(lines, "return "+name+" in "+coordinate)
				}
				return lines
			}
		}
	}
	return append(paging, queryProposal(r, rd))
}

// readOf returns the directive that reads a stored key, or "" if the field does not have its values or has an argument
// that is no part of it.
func readOf(r *reading.Design, rd *reading.Read, k *reading.Key, many bool) string {
	unused := map[string]bool{}
	for _, a := range rd.Def.Arguments {
		if rd.Connection == nil || !sdl.IsPaging(a.Name) {
			unused[a.Name] = true
		}
	}
	ok := true
	name := func(s keys.Segment) keys.Segment {
		if s.Variable != "" {
			var has bool
			s.Variable, has = r.ValueFor(rd, k.Of, s.Variable)
			ok = ok && has
			delete(unused, s.Variable)
		}
		return s
	}
	pk := reading.Rewrite(k.PK, name)
	if !ok {
		return ""
	}
	if !many && k.Index == "" {
		if sk := reading.Rewrite(k.SK, name); ok && len(unused) == 0 {
			return "@get(" + sdl.KeyArguments(pk, sk) + ")"
		}
		return ""
	}
	if len(unused) > 0 || !many && k.Index == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("@query(")
	if k.Index != "" {
		fmt.Fprintf(&b, "index: %q, ", k.Index)
	}
	fmt.Fprintf(&b, "pk: %q", pk)
	if leading := k.SK.Leading(); leading != "" {
		fmt.Fprintf(&b, ", sk: %q", leading)
	}
	if rd.Connection == nil && rd.Def.Type.Elem != nil {
		b.WriteString(", atMost: 100")
	}
	return b.String() + ")"
}

// getProposal returns the fix for one object whose key the field does not have the values of.
func getProposal(r *reading.Design, rd *reading.Read, t *reading.Type) []string {
	var lines, values []string
	names := map[string]string{}
	for _, name := range t.Identity {
		value, ok := r.ValueFor(rd, t, name)
		if !ok {
			if value = name; name == "id" && rd.ParentType != nil {
				value = rd.Name + "Id"
			}
			typ := "ID"
			if stored := t.Def.Fields.ForName(name); stored != nil {
				typ = stored.Type.Name()
			}
			if rd.ParentType != nil {
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
	pk, sk := reading.Rewrite(t.Item.PK, rename), reading.Rewrite(t.Item.SK, rename)
	for _, a := range rd.Def.Arguments {
		if !slices.Contains(values, a.Name) {
			lines = append(lines, Remove(rd, a))
		}
	}
	return append(lines, fmt.Sprintf("add @get(%s) to field %s", sdl.KeyArguments(pk, sk), rd.Coordinate()))
}

// queryProposal returns the fix for a collection that is stored nowhere: below the parent's own key, or else in an
// index.
func queryProposal(r *reading.Design, rd *reading.Read) string {
	rd.Kind = design.Query
	arguments := ""
	for _, a := range rd.Def.Arguments {
		if !sdl.IsPaging(a.Name) {
			arguments += r.Names().Delimiter + "{" + a.Name + "}"
		}
	}
	pk, sk, index := sdl.ConstantCase(rd.Name)+arguments, "", "GSI1"
	if rd.ParentType != nil {
		pk, sk, index = rd.ParentType.Item.PK.String(), sdl.ConstantCase(rd.Name)+arguments, ""
		if arguments == "" {
			sk += r.Names().Delimiter
		}
	}
	var err, err2 error
	rd.PK, err = r.Parse(pk)
	rd.SK, err2 = r.Parse(sk)
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
	if rd.Connection == nil && rd.Def.Type.Elem != nil {
		line += ", atMost: 100"
	}
	return "add @query(" + line + ") to field " + rd.Coordinate() + "\n" + proposal(r, rd)
}
