package checks

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// whereFault returns what is wrong with a predicate on the items of a type, and a better one, "" for none.
func whereFault(r *checker, text string, t *reading.Type) (what, better string) {
	where, err := predicate.Parse(text)
	if err != nil {
		return "where: " + err.Error(), ""
	}
	for _, c := range where.Comparisons {
		f := t.Def.Fields.ForName(c.Field)
		if f == nil || t.Attribute(c.Field) == nil {
			what := fmt.Sprintf("where: %s has no stored field %s", t.Name, c.Field)
			if by := finding.Likely(c.Field, reading.AttributeNames(t.Type)); by != "" {
				return finding.IsLikely(by, what), replacedWord(text, c.Field, by)
			}
			return what, ""
		}
		if what, better := operandFault(r, text, t, f, c); what != "" {
			return what, better
		}
	}
	return "", ""
}

// constantFault is whereFault for a predicate that has constants alone. without is what a variable would lead to.
func constantFault(r *checker, text string, t *reading.Type, without string) (what, better string) {
	if what, better = whereFault(r, text, t); what != "" {
		return what, better
	}
	where, _ := predicate.Parse(text)
	if variables := where.Variables(); len(variables) > 0 {
		return fmt.Sprintf("where: {%s} is no constant, and %s", variables[0], without), ""
	}
	for _, c := range r.DesignCounters() {
		if c.Parent == t.Name && slices.Contains(where.Fields(), c.Attribute) {
			return fmt.Sprintf("where: %s changes with other objects, and %s", c.Attribute, without), ""
		}
	}
	return "", ""
}

// operandFault is whereFault for the values of one comparison.
func operandFault(
	r *checker, text string, t *reading.Type, f *ast.FieldDefinition, c predicate.Comparison,
) (what, better string) {
	kind := r.Kind(f.Type)
	for _, o := range c.Values {
		if isOperandOf(r, t, f, kind, o) {
			continue
		}
		what := fmt.Sprintf("where: %s is no value of %s.%s, which is %s", operandText(o), t.Name, f.Name, f.Type)
		if kind != keys.Enum || o.Kind != predicate.Name {
			return what, ""
		}
		var names []string
		for _, v := range r.Schema.Types[f.Type.Name()].EnumValues {
			names = append(names, v.Name)
		}
		by := finding.Likely(o.Text, names)
		if by != "" {
			what = finding.IsLikely(by, what)
		}
		return what, replacedWord(text, o.Text, cmp.Or(by, names[0]))
	}
	return "", ""
}

func isOperandOf(r *checker, t *reading.Type, f *ast.FieldDefinition, kind keys.Kind, o predicate.Operand) bool {
	switch {
	case o.Kind == predicate.Null:
		return true
	case f.Type.Elem != nil:
		return false
	case o.Kind == predicate.Variable && o.Text == predicate.Viewer:
		return kind == keys.IDKind || kind == keys.String
	case o.Kind == predicate.Variable && o.Text == predicate.Now:
		return kind == keys.Time
	case o.Kind == predicate.Variable:
		other := t.Attribute(o.Text)
		return other != nil && other.Kind == kind
	case o.Kind == predicate.Name:
		def := r.Schema.Types[f.Type.Name()]
		return kind == keys.Enum && def.EnumValues.ForName(o.Text) != nil
	case o.Kind == predicate.Number:
		return kind == keys.Int || kind == keys.Int64 || kind == keys.Float
	case o.Kind == predicate.Bool:
		return kind == keys.Boolean
	}
	return kind == keys.String || kind == keys.IDKind
}

func operandText(o predicate.Operand) string {
	switch o.Kind {
	case predicate.Variable:
		return "{" + o.Text + "}"
	case predicate.Text:
		return fmt.Sprintf("%q", o.Text)
	}
	return o.Text
}

// replacedWord returns a predicate with another word in each place of one.
func replacedWord(where, word, by string) string {
	return regexp.MustCompile(`\b`+word+`\b`).ReplaceAllString(where, by)
}
