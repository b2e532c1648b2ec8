package directives_test

import (
	"fmt"
	"strings"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// describe returns a design as text, a line for each type and field.
func describe(d *directives.Schema) string {
	var b strings.Builder
	for _, typ := range d.Types {
		fmt.Fprintf(&b, "%s satisfies %s, identity %s\n ",
			typ.Name, strings.Join(typ.Satisfies, " "), strings.Join(typ.Identity, " "))
		for _, a := range typ.Attributes {
			fmt.Fprintf(&b, " %s%s", a.Name, kind(a.Kind, a.Ref))
			if a.NonNull {
				b.WriteString("!")
			}
		}
		b.WriteString("\n")
	}
	for _, f := range d.Fields {
		fmt.Fprintf(&b, "%s: %s of %s", f.Coordinate(), result(f), strings.Join(f.Types, " "))
		for _, a := range f.Arguments {
			fmt.Fprintf(&b, ", argument %s%s", a.Name, kind(a.Kind, a.Ref))
			if a.Range {
				b.WriteString(" range")
			}
		}
		if f.Edge != "" {
			fmt.Fprintf(&b, ", edge %s", f.Edge)
		}
		if f.EdgeNode {
			b.WriteString(" with a node of its own")
		}
		if f.IsReference() {
			b.WriteString(", reference")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func kind(k keys.Kind, ref string) string {
	switch {
	case k == keys.Other:
		return ""
	case ref != "":
		return ":" + ref
	}
	return ":" + k.String()
}

func result(f *design.Field) string {
	switch {
	case f.Kind == design.Node:
		return "node"
	case f.Kind == design.Nodes:
		return "nodes"
	case f.Kind == design.Get:
		return "get"
	case f.Result == design.One:
		return "first"
	case f.Result == design.Many:
		return "list"
	}
	return "connection"
}
