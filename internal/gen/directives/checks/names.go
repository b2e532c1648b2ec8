package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// indexName is a name that DynamoDB allows for an index.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
var indexName = regexp.MustCompile(`^[A-Za-z0-9_.-]{3,255}$`)

// checkNames finds fields with the names of the table's own attributes, and invalid names of
// indexes.
func checkNames(r *checker) {
	reserved := []string{item.EntityType, keys.AttributePK, keys.AttributeSK, keys.AttributeDeletedAt}
	for _, t := range r.SortedTypes() {
		for _, f := range t.StoredKeys {
			if f.Index == "" {
				continue
			}
			reserved = append(reserved, keys.IndexPK(f.Index), keys.IndexSK(f.Index))
			if !indexName.MatchString(f.Index) {
				r.find(f.Position(), t.Name, fmt.Sprintf("%q cannot be the name of an index", f.Index),
					indexNameFix(r, f.Index))
			}
		}
	}
	for _, t := range r.SortedTypes() {
		for _, f := range t.Def.Fields {
			if sdl.IsAttribute(f) && slices.Contains(reserved, f.Name) {
				r.find(f.Position, t.Name+"."+f.Name, f.Name+" is an attribute that the table itself needs",
					fmt.Sprintf("rename %s to %s in type %s", f.Name, sdl.Renamed(t.Def, f.Name), t.Name))
			}
		}
	}
}

var notInIndexName = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// indexNameFix returns the fix for an index with an invalid name.
func indexNameFix(r *checker, name string) string {
	valid := notInIndexName.ReplaceAllString(name, "_")
	if !indexName.MatchString(valid) {
		valid = "GSI1"
	}
	lines := []string{fmt.Sprintf("write name: %q, of 3 to 255 letters, digits, '_', '-' or '.'", valid)}
	for _, rd := range r.Reads {
		if rd.Index == name {
			lines = append(lines, fmt.Sprintf("on field %s replace index: %q with index: %q", rd.Coordinate(), name, valid))
		}
	}
	return strings.Join(lines, "\n")
}
