package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/keys"
)

// part is what a template has between two delimiters: a literal, a variable, or a literal before a variable.
type part struct {
	literal  string
	variable *variable
	// isGlued is set if no delimiter is before the part.
	isGlued bool
}

// form is a part without what its variable is called.
func (p part) form() part {
	if p.variable != nil {
		p.variable = nil
		p.literal += "{}"
	}
	return p
}

// variable is a value in a key.
type variable struct {
	// attribute is the attribute that has the value, "" for a hidden value.
	attribute string
	// label is the name that the field of a hidden value should have, and after is the literal before the value.
	label, after string
	// key is the attribute with the key that has a hidden value first.
	key string
	// typ is the GraphQL type of a hidden value, and format how it is stored.
	scalar
	// note is a comment for the person who reads the schema.
	note string
	// width is to how many digits a number is padded.
	width int
	// bucket is the time bucket to which a time is cut: month, day, ...
	bucket string
	// letters is the case in which the key has a text.
	letters keys.Case
	// isOptional is set if a key without the value ends in its place.
	isOptional bool
}

// name identifies the variable among those of an item.
func (v *variable) name() string {
	if v.attribute != "" {
		return v.attribute
	}
	return hiddenPrefix + v.label
}

// hiddenPrefix distinguishes names of hidden values from those of attributes.
const hiddenPrefix = "\x00"

// variablesOf returns the variables of templates, each once: with its whole value, if there is one.
func variablesOf(templates ...[]part) []*variable {
	var all []*variable
	for _, p := range slices.Concat(templates...) {
		if p.variable == nil {
			continue
		}
		i := slices.IndexFunc(all, func(v *variable) bool { return v.name() == p.variable.name() })
		switch {
		case i < 0:
			all = append(all, p.variable)
		case all[i].bucket != "":
			all[i] = p.variable
		}
	}
	return all
}

// samePattern reports whether two templates make equal keys from equal values.
func samePattern(a, b []part) bool {
	return slices.EqualFunc(a, b, func(x, y part) bool {
		return x.form() == y.form() && (x.variable == nil || format(x.variable) == format(y.variable))
	})
}

func hasLiteral(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return p.literal != "" })
}

// literalOf returns the first word in a template, "" for none.
func literalOf(parts []part) string {
	for _, p := range parts {
		if literal := strings.TrimRight(p.literal, signs); isWord(literal) || isNumbered(literal) {
			return literal
		}
	}
	return ""
}

// sameParts reports whether two templates are equal.
func sameParts(a, b []part) bool {
	return slices.EqualFunc(a, b, func(x, y part) bool {
		return x.form() == y.form() && (x.variable == nil || x.variable.name() == y.variable.name())
	})
}

func literals(parts []part) []string {
	all := make([]string, len(parts))
	for i, p := range parts {
		all[i] = p.literal
	}
	return all
}

// format returns the format of a variable in a template.
func format(v *variable) string {
	switch {
	case v.width > 0:
		return fmt.Sprintf(":0%d", v.width)
	case v.bucket != "":
		return ":" + v.bucket
	case v.letters == keys.Lower:
		return ":lower"
	case v.letters == keys.Upper:
		return ":upper"
	}
	return ""
}

// templateText returns a template with the names of variables.
func templateText(parts []part, delimiter string, name func(*variable) string) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 && !p.isGlued {
			b.WriteString(cmp.Or(delimiter, keys.Delimiter))
		}
		b.WriteString(p.literal)
		if v := p.variable; v != nil {
			b.WriteString("{" + name(v) + format(v) + "}")
		}
	}
	return b.String()
}
