package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/predicate"
)

// checkCondition finds a condition that cannot be read, or that never holds.
func (c *stepChecker) checkCondition() {
	if c.IfErr != nil {
		c.wrong(fmt.Sprintf("if cannot be read: %v", c.IfErr), c.withoutIf())
		return
	}
	text := sdl.RawText(c.Directive, "if")
	parts := strings.Split(text, " and ")
	for i, compared := range c.If.Comparisons {
		what, wrong, better := c.wrongComparison(compared)
		if what == "" {
			continue
		}
		if len(parts) == len(c.If.Comparisons) && better != "" {
			parts[i] = strings.Replace(parts[i], wrong, better, 1)
		} else if len(parts) == len(c.If.Comparisons) {
			parts = slices.Delete(parts, i, i+1)
		}
		if c.t.Def.Fields.ForName(compared.Field) == nil && better == "" {
			c.wrong("if: "+what, fmt.Sprintf("add %s: %s to type %s", compared.Field, c.typeFor(compared.Values[0]), c.t.Name))
			continue
		}
		fix := fmt.Sprintf("write if: %q", strings.Join(parts, " and "))
		if len(parts) == 0 || strings.Contains(text, `"`) {
			fix = c.withoutIf()
		}
		c.wrong("if: "+what, fix)
		return
	}
}

// withoutIf returns the fix that removes the condition, and with it its error.
func (c *stepChecker) withoutIf() string {
	var lines []string
	for _, name := range []string{"if", "error", "message"} {
		if c.Directive.Arguments.ForName(name) != nil {
			lines = append(lines, fmt.Sprintf("remove %s from @step", name))
		}
	}
	return strings.Join(lines, "\n")
}

// wrongComparison returns what is wrong with a comparison, and a part of it with a better one.
func (c *stepChecker) wrongComparison(compared predicate.Comparison) (what, wrong, better string) {
	f, a := c.t.Def.Fields.ForName(compared.Field), c.t.Attribute(compared.Field)
	if a == nil {
		what = fmt.Sprintf("%s has no stored field %s", c.t.Name, compared.Field)
		if likely := finding.Likely(compared.Field, reading.AttributeNames(c.t.Type)); likely != "" {
			return finding.IsLikely(likely, what), compared.Field, likely
		}
		return what, "", ""
	}
	if a.Kind == keys.Other || f.Type.Elem != nil {
		return fmt.Sprintf("%s is a %s, which cannot be compared", compared.Field, f.Type), "", ""
	}
	isOrder := compared.Op != predicate.Equal && compared.Op != predicate.NotEqual && compared.Op != predicate.In
	if isOrder && (a.Kind == keys.Boolean || a.Kind == keys.IDKind || a.Kind == keys.Enum) {
		return fmt.Sprintf("values of %s have no order", f.Type.Name()), "", ""
	}
	for _, o := range compared.Values {
		if other := c.t.Def.Fields.ForName(o.Text); o.Kind == predicate.Variable && c.Built.IsFieldOf(c.t.Type, o.Text) {
			if sdl.Nullable(other.Type) != sdl.Nullable(f.Type) {
				return fmt.Sprintf("%s is a %s, and %s a %s", compared.Field, f.Type, o.Text, other.Type), "", ""
			}
			continue
		}
		if o.Kind == predicate.Null && f.Type.NonNull {
			return fmt.Sprintf("%s is never null", compared.Field), "", ""
		}
		if what, better := c.mismatch(f, o, nil, nil); what != "" {
			return what, o.Text, better
		}
	}
	return "", "", ""
}
