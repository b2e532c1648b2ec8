package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
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
				r.find(f.Position(), t.Name, fmt.Sprintf("%q cannot be the name of an index", f.Index), indexNameFix(r, f.Index))
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

// The names that a subgraph of Apollo Federation adds. They are reserved in all schemas, so that each can become one.
var (
	reservedTypes  = []string{design.AnyType, design.EntityUnion, design.ServiceType}
	reservedFields = []string{design.EntitiesField, design.ServiceField}
)

// checkReserved finds types and fields of the root of queries with reserved names.
func checkReserved(r *checker) {
	const what = " is reserved for subgraphs of Apollo Federation"
	for _, name := range reservedTypes {
		if def := r.Schema.Types[name]; def != nil {
			r.find(def.Position, name, name+what, fmt.Sprintf("rename %s to %s in all files",
				name, sdl.Unreserved(name, func(other string) bool { return r.Schema.Types[other] != nil })))
		}
	}
	query := r.Schema.Query
	for _, f := range query.Fields {
		if slices.Contains(reservedFields, f.Name) {
			isTaken := func(other string) bool { return query.Fields.ForName(other) != nil }
			r.find(f.Position, query.Name+"."+f.Name, f.Name+what,
				fmt.Sprintf("rename %s to %s in type %s", f.Name, sdl.Unreserved(f.Name, isTaken), query.Name))
		}
	}
}

// checkReservedKeys finds partition keys of the table that can be the one of the engine's own items: what callers write
// there would be in no export and no check, and could stop the readers of the stream. A template of one variable is
// left to the writes, which do not accept this value, and so are the keys of an existing table: they are as they are.
func checkReservedKeys(r *checker) {
	if r.Layout != nil {
		return
	}
	for _, f := range r.StoredKeys() {
		if f.Index == "" && !f.Derived {
			checkReservedKey(r, f.Of, f.PK, f.Position(), f.Of.Name)
		}
	}
	for _, t := range r.SortedTypes() {
		for _, u := range t.Uniques {
			checkReservedKey(r, t, u.Key, t.Def.Fields.ForName(u.Attribute).Position, t.Name+"."+u.Attribute)
		}
	}
}

func checkReservedKey(r *checker, t *reading.Type, pk keys.Template, at *ast.Position, where string) {
	layout := r.Numbered()
	isFree := func(s keys.Segment) bool { return s.Variable != "" && s.Literal == "" }
	for _, of := range [...]struct {
		pk   keys.PK
		what string
	}{
		{layout.LeaseKey(0).PK, "the leases of live data"}, {layout.RecordKey().PK, "the record of the table's design"},
	} {
		reserved, err := keys.ParseDelimited(pk.Delimiter(), string(of.pk))
		if err != nil || len(reserved.Segments()) == 1 || !slices.ContainsFunc(pk.Segments(), isFree) ||
			!r.CanBeEqual(t.Segments(pk), t.Segments(reserved)) {
			continue
		}
		r.find(at, where, fmt.Sprintf("the key %q can be %q, which is reserved for %s", pk, of.pk, of.what),
			fmt.Sprintf("write %q in place of %q in all files", r.Join(sdl.ConstantCase(t.Name), pk.String()), pk))
		return
	}
}
