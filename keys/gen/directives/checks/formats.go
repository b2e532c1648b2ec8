package directives

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkFormats finds sort keys whose text order is not the order of the values: numbers must be
// padded, and times whole and of one width.
func (r *checker) checkFormats() {
	for _, t := range r.sortedTypes() {
		for _, f := range t.storedKeys {
			ix := r.names().Index(f.index)
			r.checkTemplate(f, "pk", f.PK, ix.PK)
			r.checkTemplate(f, "sk", f.SK, ix.SK)
			r.checkOptional(f, "pk", f.PK)
			r.checkOptional(f, "sk", f.SK)
		}
	}
}

func (r *checker) checkTemplate(f *storedKey, name string, template keys.Template, k keys.KeyAttributes) {
	segments := template.Segments()
	for i, s := range segments {
		if s.Variable == "" {
			continue
		}
		if f.of.Attribute(s.Variable) == nil {
			continue // checkVariables finds this.
		}
		field := f.of.def.Fields.ForName(s.Variable)
		as := f.of.Attribute(s.Variable).As
		isNumber := r.isNumberPart(f, k, template, i)
		what := r.formatFault(s, field.Type, as, name == "sk" && !isNumber)
		if r.kind(field.Type) == keys.Float && !isNumber {
			what = fmt.Sprintf("{%s} is a %s, which has no text order", s.Variable, field.Type)
		}
		if what == "" {
			continue
		}
		if r.isDerived(f, name, i) {
			if !r.hasFinding(f.directive) { // checkDerivedKeys finds another template than that of the attribute.
				r.findDerived(f, what)
			}
			continue
		}
		if fix := r.formatFix(f, name, template, i); fix != "" {
			r.find(f.position(), f.of.Name, fmt.Sprintf("%s %q: %s", name, template, what), fix)
		}
	}
}

// formatFix returns the fix for a part of a template whose text order is not that of its values, "" if another check
// finds the reason.
func (r *checker) formatFix(f *storedKey, name string, template keys.Template, part int) string {
	s := template.Segments()[part]
	field, as := f.of.def.Fields.ForName(s.Variable), f.of.Attribute(s.Variable).As
	kind, typ := r.kind(field.Type), r.evidence(f, s.Variable)
	isTime := kind == keys.Time || kind == keys.Date
	isSeconds := s.Width == keys.EpochSeconds.Digits() || s.Width == keys.EpochMillis.Digits()
	isOther := s.Bucket > 0 && kind != keys.Time || s.Width > 0 && digits(kind) == 0 && as == keys.Plain && !(isTime &&
		isSeconds)
	switch other := typ != "" && typ != field.Type.Name(); {
	case other && field.Directives.ForName("now") != nil, other && !r.fits(r.declaredFormat(field), field.Type):
		return ""
	case other && field.Type.Elem == nil && (!hasText(kind) || isOther && (r.layout != nil || r.readType(f,
		s.Variable) == typ)):
		fix := retype(f.of.Name, field, withNullability(typ, field.Type))
		if slices.ContainsFunc(r.findings, func(other Finding) bool { return other.Fix == fix }) {
			return "" // One edit is enough for all keys.
		}
		return fix
	case r.layout != nil && isTime && as == keys.Plain && isSeconds:
		return timeFix(f.of, field, s.Width)
	}
	improved, ok := improve(s, kind, as)
	if !ok {
		return r.typeFix(f, name, template, part)
	}
	width := r.readWidth(f, s.Variable)
	if width > 0 && improved.Width > 0 && as.Digits() == 0 {
		improved.Width = width
	}
	lines := ""
	if r.layout != nil && !isTime && s.Width == 0 && improved.Width > 0 && width == 0 {
		// The keys are stored without padding: they have the order of texts.
		improved = keys.Segment{Literal: s.Literal, Variable: s.Variable + "Text"}
		lines = fmt.Sprintf("add %s: String! to type %s\n", improved.Variable, f.of.Name)
	}
	n := 0
	text := rewrite(template, func(s keys.Segment) keys.Segment {
		if n++; n == part+1 {
			return improved
		}
		return s
	})
	return lines + fmt.Sprintf("write %s: %q", name, text)
}

// declaredFormat returns the format that @stored names.
func (r *checker) declaredFormat(f *ast.FieldDefinition) keys.Format {
	if d := f.Directives.ForName("stored"); d != nil {
		return keys.FormatOf(textArgument(d, "as"))
	}
	return keys.Plain
}

// timeFix returns the fix for a time in keys that are stored, padded as a number is: it is a number of seconds or of
// milliseconds.
func timeFix(t *storedType, field *ast.FieldDefinition, width int) string {
	as := keys.EpochSeconds
	if width > as.Digits() {
		as = keys.EpochMillis
	}
	if d := field.Directives.ForName("stored"); d != nil {
		with := withArgument(d, "as", &ast.Value{Kind: ast.EnumValue, Raw: as.String()})
		return fmt.Sprintf("on type %s replace %s\nwith %s", t.Name, directiveText(d), directiveText(with))
	}
	return fmt.Sprintf("add @stored(as: %s) to field %s.%s", as, t.Name, field.Name)
}

// isDerived reports whether a part of an entry's pk or sk follows from other attributes, so that no other template can
// be written for it.
func (r *checker) isDerived(f *storedKey, name string, part int) bool {
	if f.index == "" || r.layout == nil {
		return false
	}
	k := r.layout.Index(f.index).SK
	if name == "pk" {
		k = r.layout.Index(f.index).PK
	}
	if len(k) == 1 {
		part = 0 // The attribute has the whole key.
	}
	if part >= len(k) {
		return false
	}
	_, ok := r.derived(f.of, f.of.Item, k[part].Name)
	return ok
}

// findDerived adds a finding about an index whose keys are attributes, if there is no other. What names the index goes
// with it.
func (r *checker) findDerived(f *storedKey, fault string) {
	what := fmt.Sprintf("index %s cannot be read: ", f.index)
	if slices.ContainsFunc(r.findings, func(other Finding) bool { return strings.HasPrefix(other.What, what) }) {
		return
	}
	n := slices.IndexFunc(r.layout.Indexes, func(ix keys.IndexLayout) bool { return ix.Name == f.index })
	edits := []string{r.writeIndexes(n, "")}
	for _, other := range r.storedKeys() {
		if other.index == f.index && other.directive.Name == "index" {
			edits = append(edits, fmt.Sprintf("remove %s from type %s", other.source(), other.of.Name))
		}
	}
	for _, rd := range r.reads {
		if rd.Index == f.index {
			edits = append(edits, fmt.Sprintf("remove %s from type %s", rd.Name, rd.Parent))
		}
	}
	r.find(r.layoutDirective.Position, f.of.Name, what+fault, strings.Join(edits, "\n"))
}

// typeFix returns the fix for a variable whose type has no format for keys.
func (r *checker) typeFix(f *storedKey, name string, template keys.Template, at int) string {
	t, s := f.of, template.Segments()[at]
	field := t.def.Fields.ForName(s.Variable)
	def := r.schema.Types[field.Type.Name()]
	switch {
	case field.Type.Elem != nil || def == nil || def.Kind != ast.Scalar:
		by := t.identityFor(f)
		const types = "String, ID, Int, Int64, Boolean, Time, Date or an enum"
		return fmt.Sprintf("write %s: %q, because a key has fields of type "+types,
			name, replaced(template, s.Variable, by, t.width))
	case r.evidence(f, s.Variable) != "":
		return retype(t.Name, field, withNullability(r.evidence(f, s.Variable), field.Type))
	case def.Name == "Float":
		padded := rewrite(template, func(other keys.Segment) keys.Segment {
			if other.Variable == s.Variable {
				other.Width = 10
			}
			return other
		})
		return retype(t.Name, field, withNullability("Int", field.Type)) + fmt.Sprintf("\nwrite %s: %q", name, padded)
	default:
		to := cmp.Or(synonym(def.Name), "String")
		return retype(t.Name, field, withNullability(to, field.Type))
	}
}

// formatFault returns what is wrong with a variable in a key, or "".
func (r *checker) formatFault(s keys.Segment, typ *ast.Type, as keys.Format, sort bool) string {
	kind := r.kind(typ)
	switch {
	case kind == keys.Other:
		def := r.schema.Types[typ.Name()]
		if typ.Elem == nil && def != nil && def.Kind == ast.Scalar && typ.Name() != "Float" {
			return fmt.Sprintf("{%s} is a %s, which has no fixed width", s.Variable, typ.Name())
		}
		return fmt.Sprintf("{%s} is a %s, which has no text order", s.Variable, typ)
	case as.Digits() > 0 && s.Bucket == 0 && s.Width == 0 && sort:
		return fmt.Sprintf("{%s} is a time of variable width, because %s has fewer digits before 2001", s.Variable, as)
	case as.Digits() > s.Width && s.Width > 0:
		return fmt.Sprintf("{%s} has fewer digits than %s needs", s.Variable, as)
	case s.Width > 0 && digits(kind) == 0 && as.Digits() == 0:
		return fmt.Sprintf("{%s} is padded, but it is a %s: only an Int or an Int64 can be", s.Variable, typ.Name())
	case s.Case != keys.AsIs && kind != keys.String && kind != keys.IDKind && kind != keys.Enum:
		return fmt.Sprintf("{%s} is in another case, but it is a %s: only a String, an ID or an enum can be",
			s.Variable, typ.Name())
	case s.Bucket > 0 && kind != keys.Time:
		return fmt.Sprintf("{%s} is cut to a time bucket, but it is a %s: only a Time can be", s.Variable, typ.Name())
	case s.Bucket > 0 && sort:
		return fmt.Sprintf("{%s} is cut to a time bucket: only a partition key can have one", s.Variable)
	case sort && digits(kind) > 0 && s.Width == 0:
		return fmt.Sprintf("{%s} is an %s without padding, so 10 would sort before 9", s.Variable, typ.Name())
	}
	return ""
}

// readWidth returns the digits to which reads pad a number that is a variable of a stored key, 0 if none does.
func (r *checker) readWidth(f *storedKey, variable string) int {
	for _, rd := range r.reads {
		if rd.Index != f.index || !r.mayReturn(rd, f.of) {
			continue
		}
		for _, s := range slices.Concat(rd.PK.Segments(), rd.SK.Segments()) {
			if s.Variable == variable && s.Width > 0 {
				return s.Width
			}
		}
	}
	return 0
}

// improve returns the segment in the format that its kind needs.
func improve(s keys.Segment, kind keys.Kind, as keys.Format) (keys.Segment, bool) {
	s.Width, s.Bucket, s.Case = max(digits(kind), as.Digits()), 0, keys.AsIs
	return s, hasText(kind)
}
