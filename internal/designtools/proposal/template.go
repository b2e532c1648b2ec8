package proposal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// delimiter joins the parts of keys.
const delimiter = "#"

// The widths of numbers in keys: those of the largest values.
const (
	intWidth   = 10
	int64Width = 19
)

// sourceOf returns the name of what has the value of a field, or a constant.
type sourceOf func(field string) (name string, isConstant bool)

// itself is the sourceOf of stored keys.
func itself(field string) (string, bool) { return field, false }

// source is the sourceOf of the directive of a need.
func (n *need) source(field string) (string, bool) {
	if c := n.Constants[field]; c != "" {
		return c, true
	}
	if from := n.Equals[field]; from != "" {
		return from, false
	}
	return field, false
}

// template returns parts of a key of a type as text.
func (p *placer) template(of string, parts []part, isSort bool, source sourceOf) string {
	texts := make([]string, len(parts))
	for i, x := range parts {
		if texts[i] = x.literal; x.field != "" {
			name, isConstant := source(x.field)
			if texts[i] = name; !isConstant {
				texts[i] = "{" + name + p.format(of, x.field, isSort) + "}"
			}
		}
	}
	return strings.Join(texts, delimiter)
}

// format returns how a field is written in a key. In a sort key, numbers and enums have the order of their values.
func (p *placer) format(of, field string, isSort bool) string {
	switch t := p.attribute(of, field).Type.Name(); {
	case t == "Int":
		p.note("%s.%s is in a key, where it must not be negative", of, field)
		return fmt.Sprintf(":0%d", intWidth)
	case t == "Int64":
		p.note("%s.%s is in a key, where it must not be negative", of, field)
		return fmt.Sprintf(":0%d", int64Width)
	case p.kind(t) == ast.Enum && isSort:
		values := 0
		for _, def := range p.defs[t] {
			values += len(def.EnumValues)
		}
		return fmt.Sprintf(":0%d", max(2, len(fmt.Sprint(values))))
	}
	return ""
}

// sortPrefix returns with what sort keys begin for a need: the literal, what is equal, and what optional arguments
// give.
func (p *placer) sortPrefix(n *need, k *key) string {
	given := slices.Concat(n.equal, n.Prefix)
	end := 0
	for i, x := range k.sk {
		isGiven := x.field != "" && slices.Contains(given, x.field) || x.field == "" && k.index == ""
		if !isGiven {
			break
		}
		end = i + 1
	}
	text := p.template(n.of, k.sk[:end], true, n.source)
	if end > 0 && end < len(k.sk) && k.sk[end-1].field == "" {
		text += delimiter
	}
	return text
}
