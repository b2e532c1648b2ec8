package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/document"
	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
)

// checkFormats finds sort keys whose text order is not the order of the values: numbers must be
// padded, and times whole and of one width.
func checkFormats(r *checker) {
	for _, t := range r.SortedTypes() {
		for _, f := range t.StoredKeys {
			ix := r.Names().Index(f.Index)
			checkTemplate(r, f, "pk", f.PK, ix.PK)
			checkTemplate(r, f, "sk", f.SK, ix.SK)
			checkOptional(r, f, "pk", f.PK)
			checkOptional(r, f, "sk", f.SK)
		}
	}
}

func checkTemplate(r *checker, f *reading.Key, name string, template keys.Template, k keys.KeyAttributes) {
	segments := template.Segments()
	for i, s := range segments {
		if s.Variable == "" {
			continue
		}
		if f.Of.Attribute(s.Variable) == nil {
			continue // checkVariables finds this.
		}
		field := f.Of.Def.Fields.ForName(s.Variable)
		as := f.Of.Attribute(s.Variable).As
		isNumber := r.IsNumberPart(f, k, template, i)
		what := formatFault(r, s, field.Type, as, name == "sk" && !isNumber)
		if r.Kind(field.Type) == keys.Float && !isNumber {
			what = fmt.Sprintf("{%s} is a %s, which has no text order", s.Variable, field.Type)
		}
		if what == "" {
			continue
		}
		if isDerived(r, f, name, i) {
			if !r.hasFinding(f.Directive) { // checkDerivedKeys finds another template than that of the attribute.
				findDerived(r, f, what)
			}
			continue
		}
		if fix := formatFix(r, f, name, template, i); fix != "" {
			r.find(f.Position(), f.Of.Name, fmt.Sprintf("%s %q: %s", name, template, what), fix)
		}
	}
}

// formatFix returns the fix for a part of a template whose text order is not that of its values, "" if another check
// finds the reason.
func formatFix(r *checker, f *reading.Key, name string, template keys.Template, part int) string {
	s := template.Segments()[part]
	field, as := f.Of.Def.Fields.ForName(s.Variable), f.Of.Attribute(s.Variable).As
	kind, typ := r.Kind(field.Type), r.Evidence(f, s.Variable)
	isTime := kind == keys.Time || kind == keys.Date
	isSeconds := s.Width == keys.EpochSeconds.Digits() || s.Width == keys.EpochMillis.Digits()
	isOther := s.Bucket > 0 && kind != keys.Time || s.Width > 0 && reading.Digits(kind) == 0 && as == keys.Plain &&
		kind != keys.Enum && !(isTime && isSeconds)
	switch other := typ != "" && typ != field.Type.Name(); {
	case other && field.Directives.ForName("now") != nil, other && !r.Fits(r.DeclaredFormat(field), field.Type):
		return ""
	case other && field.Type.Elem == nil && (!reading.HasText(kind) || isOther && (r.Layout != nil || r.ReadType(f,
		s.Variable) == typ)):
		fix := sdl.Retype(f.Of.Name, field, sdl.WithNullability(typ, field.Type))
		if slices.ContainsFunc(r.findings, func(other finding.Finding) bool { return other.Fix == fix }) {
			return "" // One edit is enough for all keys.
		}
		return fix
	case kind == keys.Enum && s.Width > 0:
		return placedFix(r, f, s, "")
	case r.Layout != nil && isTime && as == keys.Plain && isSeconds:
		return timeFix(f.Of, field, s.Width)
	}
	improved, ok := improve(s, kind, as)
	if !ok {
		return typeFix(r, f, name, template, part)
	}
	width := readWidth(r, f, s.Variable)
	if width > 0 && improved.Width > 0 && as.Digits() == 0 {
		improved.Width = width
	}
	lines := ""
	if r.Layout != nil && !isTime && s.Width == 0 && improved.Width > 0 && width == 0 {
		// The keys are stored without padding: they have the order of texts.
		improved = keys.Segment{Literal: s.Literal, Variable: s.Variable + "Text"}
		lines = fmt.Sprintf("add %s: String! to type %s\n", improved.Variable, f.Of.Name)
	}
	n := 0
	text := reading.Rewrite(template, func(s keys.Segment) keys.Segment {
		if n++; n == part+1 {
			return improved
		}
		return s
	})
	return lines + fmt.Sprintf("write %s: %q", name, text)
}

// timeFix returns the fix for a time in keys that are stored, padded as a number is: it is a number of seconds or of
// milliseconds.
func timeFix(t *reading.Type, field *ast.FieldDefinition, width int) string {
	as := keys.EpochSeconds
	if width > as.Digits() {
		as = keys.EpochMillis
	}
	if d := field.Directives.ForName("stored"); d != nil {
		with := sdl.WithArgument(d, "as", &ast.Value{Kind: ast.EnumValue, Raw: as.String()})
		return fmt.Sprintf("on type %s replace %s\nwith %s", t.Name, sdl.DirectiveText(d), sdl.DirectiveText(with))
	}
	return fmt.Sprintf("add @stored(as: %s) to field %s.%s", as, t.Name, field.Name)
}

// isDerived reports whether a part of an entry's pk or sk follows from other attributes, so that no other template can
// be written for it.
func isDerived(r *checker, f *reading.Key, name string, part int) bool {
	if f.Index == "" || r.Layout == nil {
		return false
	}
	k := r.Layout.Index(f.Index).SK
	if name == "pk" {
		k = r.Layout.Index(f.Index).PK
	}
	if len(k) == 1 {
		part = 0 // The attribute has the whole key.
	}
	if part >= len(k) {
		return false
	}
	_, ok := r.Derived(f.Of, f.Of.Item, k[part].Name)
	return ok
}

// findDerived adds a finding about an index whose keys are attributes, if there is no other. What names the index goes
// with it.
func findDerived(r *checker, f *reading.Key, fault string) {
	what := fmt.Sprintf("index %s cannot be read: ", f.Index)
	if slices.ContainsFunc(r.findings, func(other finding.Finding) bool { return strings.HasPrefix(other.What, what) }) {
		return
	}
	n := slices.IndexFunc(r.Layout.Indexes, func(ix stored.IndexLayout) bool { return ix.Name == f.Index })
	edits := []string{fixes.WriteIndexes(r.Design, n, "")}
	for _, other := range r.StoredKeys() {
		if other.Index == f.Index && other.Directive.Name == "index" {
			edits = append(edits, fmt.Sprintf("remove %s from type %s", other.Source(), other.Of.Name))
		}
	}
	for _, rd := range r.Reads {
		if rd.Index == f.Index {
			edits = append(edits, fmt.Sprintf("remove %s from type %s", rd.Name, rd.Parent))
		}
	}
	r.find(r.LayoutDirective.Position, f.Of.Name, what+fault, strings.Join(edits, "\n"))
}

// typeFix returns the fix for a variable whose type has no format for keys.
func typeFix(r *checker, f *reading.Key, name string, template keys.Template, at int) string {
	t, s := f.Of, template.Segments()[at]
	field := t.Def.Fields.ForName(s.Variable)
	def := r.Schema.Types[field.Type.Name()]
	switch {
	case field.Type.Elem != nil || def == nil || def.Kind != ast.Scalar:
		by := fixes.IdentityFor(t, f)
		const types = "String, ID, Int, Int64, Boolean, Time, Date or an enum"
		return fmt.Sprintf("write %s: %q, because a key has fields of type "+types,
			name, fixes.Replaced(template, s.Variable, by, t.Width))
	case r.Evidence(f, s.Variable) != "":
		return sdl.Retype(t.Name, field, sdl.WithNullability(r.Evidence(f, s.Variable), field.Type))
	case def.Name == "Float":
		padded := reading.Rewrite(template, func(other keys.Segment) keys.Segment {
			if other.Variable == s.Variable {
				other.Width = 10
			}
			return other
		})
		return sdl.Retype(t.Name, field, sdl.WithNullability("Int", field.Type)) + fmt.Sprintf("\nwrite %s: %q", name, padded)
	default:
		to := cmp.Or(finding.Synonym(def.Name), "String")
		return sdl.Retype(t.Name, field, sdl.WithNullability(to, field.Type))
	}
}

// formatFault returns what is wrong with a variable in a key, or "".
func formatFault(r *checker, s keys.Segment, typ *ast.Type, as keys.Format, sort bool) string {
	kind := r.Kind(typ)
	switch {
	case kind == keys.Other:
		def := r.Schema.Types[typ.Name()]
		if typ.Elem == nil && def != nil && def.Kind == ast.Scalar && typ.Name() != "Float" {
			return fmt.Sprintf("{%s} is a %s, which has no fixed width", s.Variable, typ.Name())
		}
		return fmt.Sprintf("{%s} is a %s, which has no text order", s.Variable, typ)
	case as.Digits() > 0 && s.Bucket == 0 && s.Width == 0 && sort:
		return fmt.Sprintf("{%s} is a time of variable width, because %s has fewer digits before 2001", s.Variable, as)
	case as.Digits() > s.Width && s.Width > 0:
		return fmt.Sprintf("{%s} has fewer digits than %s needs", s.Variable, as)
	case s.Width > 0 && kind == keys.Enum:
		return placesFault(s, r.Schema.Types[typ.Name()])
	case s.Width > 0 && reading.Digits(kind) == 0 && as.Digits() == 0:
		return fmt.Sprintf("{%s} is padded, but it is a %s: only an Int, an Int64 or an enum can be", s.Variable, typ.Name())
	case s.Case != keys.AsIs && kind != keys.String && kind != keys.IDKind && kind != keys.Enum:
		return fmt.Sprintf("{%s} is in another case, but it is a %s: only a String, an ID or an enum can be",
			s.Variable, typ.Name())
	case s.Bucket > 0 && kind != keys.Time:
		return fmt.Sprintf("{%s} is cut to a time bucket, but it is a %s: only a Time can be", s.Variable, typ.Name())
	case s.Bucket > 0 && sort:
		return fmt.Sprintf("{%s} is cut to a time bucket: only a partition key can have one", s.Variable)
	case sort && reading.Digits(kind) > 0 && s.Width == 0:
		return fmt.Sprintf("{%s} is an %s without padding, so 10 would sort before 9", s.Variable, typ.Name())
	}
	return ""
}

// readWidth returns the digits to which reads pad a number that is a variable of a stored key, 0 if none does.
func readWidth(r *checker, f *reading.Key, variable string) int {
	for _, rd := range r.Reads {
		if rd.Index != f.Index || !r.MayReturn(rd, f.Of) {
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
	s.Width, s.Bucket, s.Case = max(reading.Digits(kind), as.Digits()), 0, keys.AsIs
	return s, reading.HasText(kind)
}

// checkTemplates finds what cannot be a key.
func checkTemplates(r *checker) {
	for _, u := range r.Unreadable {
		d, name := u.Directive, u.Name
		switch {
		case u.HasNoSortKey:
			r.find(d.Position, u.Coordinate, fmt.Sprintf("sk is %q, but the table has no sort key", u.Text),
				"remove sk from @"+d.Name)
		case u.Err != nil:
			r.find(d.Position, u.Coordinate, fmt.Sprintf("%s %q: %v", name, u.Text, u.Err),
				fixes.Rewritten(r.Design, u.Coordinate, name, u.Text))
		case u.Text == "":
			own := document.MissingKeyIn(r.Schema.Types, name, d, u.Coordinate)
			if _, err := r.Parse(strings.Trim(own, `"`)); own == "" || err != nil {
				own = strconv.Quote(fixes.OwnKey(r.Design, u.Coordinate, name))
			}
			r.find(d.Position, u.Coordinate, name+" is empty: DynamoDB stores no empty key",
				fmt.Sprintf("write %s: %s, or another literal with the variables that identify an item", name, own))
		default:
			whole := u.Text
			if d.Name != "query" || name != "sk" {
				whole = strings.TrimSuffix(u.Text, r.Names().Delimiter)
			}
			r.find(d.Position, u.Coordinate, fmt.Sprintf("%s %q has an empty part", name, u.Text),
				fixes.Rewritten(r.Design, u.Coordinate, name, whole))
		}
	}
}
