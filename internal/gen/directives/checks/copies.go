package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/finding"
	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkCopies finds copies whose key does not identify the object, and that do not declare which object they hold.
func checkCopies(r *checker) {
	for _, t := range r.SortedTypes() {
		if t.HasUnknownVariable() {
			continue // Its identity is not known.
		}
		for _, f := range t.StoredKeys {
			if f.Directive == nil || f.Directive.Name != "copy" || f.Derived || r.hasFinding(f.Directive) {
				continue // the fix of a finding may change the key
			}
			missing := t.Unidentified(f.Shape)
			latest := f.Directive.Arguments.ForName("latest")
			switch {
			case latest == nil && len(missing) > 0:
				findAmbiguous(r, f, missing)
			case latest != nil && len(missing) == 0:
				r.find(f.Position(), t.Name,
					fmt.Sprintf("the key of the copy identifies the %s, so each has a copy of its own", t.Name),
					"remove latest from @copy")
			case latest != nil && t.Expires != "":
				item := t.StoredKeys[0].Source()
				r.find(f.Position(), t.Name,
					fmt.Sprintf("each %s expires, and when the latest one has, nothing puts the next one into the copy", t.Name),
					fmt.Sprintf("on type %s replace %s\nwith %s",
						t.Name, item, strings.Replace(item, fmt.Sprintf(", expires: %q", t.Expires), "", 1)))
			case latest != nil && !hasOrder(t, latest.Value.Raw):
				what := fmt.Sprintf("latest is %s, which is not a stored field with an order", latest.Value)
				fix := nameOrdered(t)
				if likely := finding.Likely(latest.Value.Raw, ordered(t)); likely != "" {
					what, fix = finding.IsLikely(likely, what), fmt.Sprintf("write latest: %q", likely)
				}
				r.find(f.Position(), t.Name, what, fix)
			}
		}
	}
}

func findAmbiguous(r *checker, f *reading.Key, missing []string) {
	t := f.Of
	what := fmt.Sprintf(
		"pk %q, sk %q does not identify the %s: all that differ only in {%s} would be stored under one key",
		f.PK, f.SK, t.Name, strings.Join(missing, "}, {"))
	fix := fmt.Sprintf("write sk: %q, so that each has a copy of its own", t.Identifying(f.Shape))
	if !r.Names().HasSortKey() {
		fix = fixes.NotServed(r.Design, f)
	}
	if ordered := ordered(t); len(ordered) > 0 && len(f.SK.Variables()) == 0 {
		fix = fmt.Sprintf("write latest: %q, so that the copy holds the %s with the greatest value, or name {%s} in its key",
			ordered[0], t.Name, strings.Join(missing, "}, {"))
	}
	r.find(f.Position(), t.Name, what, fix)
}

func nameOrdered(t *reading.Type) string {
	if ordered := ordered(t); len(ordered) > 0 {
		return fmt.Sprintf("write latest: %q", ordered[0])
	}
	return fmt.Sprintf("add a field of type Int!, Time! or Date! to type %s, and name it", t.Name)
}

// ordered returns the fields that can be the latest of a copy: first those that identify the object.
func ordered(t *reading.Type) []string {
	var names []string
	for _, name := range append(slices.Clone(t.Identity), reading.AttributeNames(t.Type)...) {
		if hasOrder(t, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// hasOrder reports whether the stored values of a field are in the order of DynamoDB's comparisons.
func hasOrder(t *reading.Type, name string) bool {
	a := t.Attribute(name)
	if a == nil || !a.NonNull {
		return false
	}
	if stored := t.Def.Fields.ForName(name).Directives.ForName("stored"); stored != nil && isNumberText(stored) {
		return false // 10 would be below 9
	}
	return a.Kind == keys.Int || a.Kind == keys.Time || a.Kind == keys.Date
}

func isNumberText(stored *ast.Directive) bool {
	return sdl.Text(stored, "as") == keys.NumberText.String()
}
