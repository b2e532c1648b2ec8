package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkArguments finds arguments that are not part of the key condition. Such an argument could
// only be a filter, which reads items that are not returned.
func (r *reader) checkArguments() {
	for _, rd := range r.reads {
		if len(rd.matches) == 0 || r.hasUnknownVariable(rd) {
			continue
		}
		for _, a := range rd.def.Arguments {
			if rd.Result == keys.Connection && isPaging(a.Name) {
				continue
			}
			if what, fix := r.argumentFault(rd, a); what != "" {
				r.find(a.Position, rd.Coordinate(), fmt.Sprintf("argument %s %s", a.Name, what), fix)
			}
		}
	}
}

func (r *reader) argumentFault(rd *read, a *ast.ArgumentDefinition) (what, fix string) {
	next := r.next(rd)
	inPK, inSK := slices.Contains(rd.PK.Variables(), a.Name), slices.Contains(rd.SK.Variables(), a.Name)
	end := r.rangeEnd(a.Type)
	required := a.Type.NonNull || a.DefaultValue != nil
	switch {
	case !inPK && !inSK:
		return r.unusedArgument(rd, a, next)
	case end != nil && inSK:
		return fmt.Sprintf("is a range, but {%s} needs one value", a.Name),
			fmt.Sprintf("end sk before {%s}: a range bounds the variable that follows it", a.Name)
	case end != nil && rd.PK.Bucket(a.Name) == 0:
		return "is a range, but a partition key needs one value",
			fmt.Sprintf("declare it as one value, or cut a time to a bucket, as in {%s:month}", a.Name)
	case end != nil && a.Name != next:
		return "is a range over time buckets, but the sort key does not continue with it",
			fmt.Sprintf("let the sort key of the stored items continue with {%s} right after sk %q", a.Name, rd.SK)
	case !required && (inPK || rd.Kind == keys.Get):
		return "may be null, but the key needs it", fmt.Sprintf("write %s: %s!", a.Name, a.Type)
	}
	return "", ""
}

const needsFilter = "is not part of the key condition, so it would need a filter"

func (r *reader) unusedArgument(rd *read, a *ast.ArgumentDefinition, next string) (what, fix string) {
	if isPaging(a.Name) && rd.Result == keys.Many {
		return "pages through a plain list", "return a connection, or remove the argument"
	}
	kind, ranged := r.argumentKind(a)
	attr := rd.matches[0].Type.Attribute(a.Name)
	switch {
	case a.Name == next && ranged && attr != nil && kind == attr.Kind:
		if sk := rd.matches[0].Shape.SK; kind == keys.String && !endsIn(sk, next) {
			// A space and others sort before the delimiter.
			return fmt.Sprintf("is a range of texts, but the sort key continues after {%s}: "+
					`"ann lee#" sorts before "ann#"`, next),
				fmt.Sprintf("remove it, or let the sort key end in it: sk: %q", through(sk, next))
		}
		return "", ""
	case a.Name == next && attr != nil && r.schema.Types[a.Type.Name()].Kind == ast.InputObject:
		return fmt.Sprintf("is not a range of {%s}", next),
			fmt.Sprintf("make it an input with two fields: from: %s and to: %s", attr.Kind, attr.Kind)
	case a.Name == next && attr != nil && kind == attr.Kind:
		return needsFilter, fmt.Sprintf("write sk: %q", through(rd.matches[0].Shape.SK, next))
	case rd.Kind == keys.Get:
		return "is not part of the key", "remove it, or name it in pk or sk"
	case next != "":
		return needsFilter, fmt.Sprintf("remove it; a range over {%s} is what the sort key allows here. "+
			"To select by %s, declare @copy or @index with {%s} in its key and query that", next, a.Name, a.Name)
	}
	return needsFilter, fmt.Sprintf("remove it, or declare @copy or @index with {%s} in its key and query that", a.Name)
}

func endsIn(t keys.Template, variable string) bool {
	segments := t.Segments()
	return segments[len(segments)-1].Variable == variable
}

// through returns the beginning of a template up to and with a variable.
func through(t keys.Template, variable string) string {
	var parts []string
	for _, s := range t.Segments() {
		parts = append(parts, segmentText(s))
		if s.Variable == variable {
			break
		}
	}
	return strings.Join(parts, t.Delimiter())
}
