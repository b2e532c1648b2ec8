package directives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// checkCopies finds copies whose key does not identify the object, and that do not declare which object they hold.
func (r *checker) checkCopies() {
	for _, t := range r.sortedTypes() {
		if t.hasUnknownVariable() {
			continue // Its identity is not known.
		}
		for _, f := range t.storedKeys {
			if f.directive == nil || f.directive.Name != "copy" || f.derived || r.hasFinding(f.directive) {
				continue // the fix of a finding may change the key
			}
			missing := t.unidentified(f.Shape)
			latest := f.directive.Arguments.ForName("latest")
			switch {
			case latest == nil && len(missing) > 0:
				r.findAmbiguous(f, missing)
			case latest != nil && len(missing) == 0:
				r.find(f.position(), t.Name,
					fmt.Sprintf("the key of the copy identifies the %s, so each has a copy of its own", t.Name),
					"remove latest from @copy")
			case latest != nil && t.Expires != "":
				item := t.storedKeys[0].source()
				r.find(f.position(), t.Name,
					fmt.Sprintf("each %s expires, and when the latest one has, nothing puts the next one into the copy",
						t.Name),
					fmt.Sprintf("on type %s replace %s\nwith %s",
						t.Name, item, strings.Replace(item, fmt.Sprintf(", expires: %q", t.Expires), "", 1)))
			case latest != nil && !t.hasOrder(latest.Value.Raw):
				what := fmt.Sprintf("latest is %s, which is not a stored field with an order", latest.Value)
				fix := r.nameOrdered(t)
				if likely := Likely(latest.Value.Raw, t.ordered()); likely != "" {
					what, fix = isLikely(likely, what), fmt.Sprintf("write latest: %q", likely)
				}
				r.find(f.position(), t.Name, what, fix)
			}
		}
	}
}

func (r *checker) findAmbiguous(f *storedKey, missing []string) {
	t := f.of
	what := fmt.Sprintf(
		"pk %q, sk %q does not identify the %s: all that differ only in {%s} would be stored under one key",
		f.PK, f.SK, t.Name, strings.Join(missing, "}, {"))
	fix := fmt.Sprintf("write sk: %q, so that each has a copy of its own", t.identifying(f.Shape))
	if !r.names().HasSortKey() {
		fix = r.notServed(f)
	}
	if ordered := t.ordered(); len(ordered) > 0 && len(f.SK.Variables()) == 0 {
		fix = fmt.Sprintf(
			"write latest: %q, so that the copy holds the %s with the greatest value, or name {%s} in its key",
			ordered[0], t.Name, strings.Join(missing, "}, {"))
	}
	r.find(f.position(), t.Name, what, fix)
}

func (r *checker) nameOrdered(t *storedType) string {
	if ordered := t.ordered(); len(ordered) > 0 {
		return fmt.Sprintf("write latest: %q", ordered[0])
	}
	return fmt.Sprintf("add a field of type Int!, Time! or Date! to type %s, and name it", t.Name)
}

// unidentified returns the variables of the type's identity that a key does not have.
func (t *storedType) unidentified(s keys.Shape) []string {
	var missing []string
	has := identity(s)
	for _, name := range t.Identity {
		if !slices.Contains(has, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// identifying returns the sort key of a shape with the variables that it needs to identify the object.
func (t *storedType) identifying(s keys.Shape) string {
	sk := rewrite(s.SK, func(s keys.Segment) keys.Segment {
		s.Optional = false
		return s
	})
	for _, name := range t.unidentified(s) {
		sk = joined(sk, keys.Segment{Variable: name, Width: t.width(name)}.String(), s.SK.Delimiter())
	}
	return sk
}

// ordered returns the fields that can be the latest of a copy: first those that identify the object.
func (t *storedType) ordered() []string {
	var names []string
	for _, name := range append(slices.Clone(t.Identity), attributeNames(t.Type)...) {
		if t.hasOrder(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// hasOrder reports whether the stored values of a field are in the order of DynamoDB's comparisons.
func (t *storedType) hasOrder(name string) bool {
	a := t.Attribute(name)
	if a == nil || !a.NonNull {
		return false
	}
	if stored := t.def.Fields.ForName(name).Directives.ForName("stored"); stored != nil && isNumberText(stored) {
		return false // 10 would be below 9
	}
	return a.Kind == keys.Int || a.Kind == keys.Time || a.Kind == keys.Date
}

func isNumberText(stored *ast.Directive) bool {
	return textArgument(stored, "as") == keys.NumberText.String()
}
