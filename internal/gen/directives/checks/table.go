package checks

import (
	"fmt"
	"slices"

	"github.com/partita/partita/internal/gen/directives/fixes"
	"github.com/partita/partita/internal/gen/directives/reading"
	"github.com/partita/partita/internal/gen/directives/sdl"
	"github.com/partita/partita/keys"
)

// checkTable finds a second @table, and names of attributes, a delimiter and indexes that a table cannot have.
func checkTable(r *checker) {
	if r.Layout == nil {
		return
	}
	l, table, at := r.Layout, r.LayoutDirective, r.LayoutDirective.Position
	for _, d := range r.Schema.SchemaDirectives {
		if d.Name == "table" && d != table {
			r.find(d.Position, "schema", "a second @table: a schema has one table",
				"remove @table, or merge it with the first one")
		}
	}
	if pk, sk := l.PK.String(), sdl.Text(table, "sk"); pk == "" || sk == "" && !sdl.IsNull(table, "sk") || pk == sk {
		r.find(at, "schema", fmt.Sprintf("@table has the key attributes %q and %q", pk, sk),
			`write pk: "pk", sk: "sk", or the other names of both key attributes`)
	}
	if l.Type != "" && l.IsKey(l.Type) {
		r.find(at, "schema", fmt.Sprintf("@table has %s as a key and as the type", l.Type),
			"write type: null, so that types are recognised by their keys")
	}
	switch given := sdl.Text(table, "delimiter"); {
	case !reading.IsDelimiter(given):
		r.find(at, "schema", fmt.Sprintf("%q cannot be the delimiter of keys", given),
			`write delimiter: "#", or one or more other punctuation marks`)
	case given != l.Delimiter:
		r.find(at, "schema", fmt.Sprintf("the delimiter of the keys is %q", l.Delimiter),
			fmt.Sprintf("write delimiter: %q", l.Delimiter))
	}
	for i, ix := range r.DeclaredIndexes {
		if what, fix := indexFix(r, i, ix); what != "" {
			r.find(at, "schema", what, fix)
		}
	}
}

// indexFix returns what is wrong with the n-th of the indexes of @table, and the fix.
func indexFix(r *checker, n int, ix reading.DeclaredIndex) (what, fix string) {
	switch {
	case ix.Fault == reading.NamelessIndex:
		return "an index of @table needs a name and the attribute of its partition key", fixes.WriteIndexes(r.Design, n,
			fixes.IndexNames(ix.IndexLayout))
	case ix.Fault == reading.SecondIndex:
		return "@table lists the index " + ix.Name + " twice", fixes.WriteIndexes(r.Design, n, "")
	case ix.Fault == reading.WrongInclude:
		return fmt.Sprintf("index %s: include is for the projection INCLUDE, and that needs it", ix.Name),
			fixes.WriteIndexes(r.Design, n, fixes.WithProjection(ix.IndexLayout)) +
				", or the attributes that an entry has besides keys"
	case ix.Fault == reading.NoFault:
		return "", ""
	case ix.Local && !r.Layout.HasSortKey():
		what = fmt.Sprintf("index %s is local, but the table has no sort key: it can have global indexes only", ix.Name)
	case ix.Local:
		what = fmt.Sprintf("index %s is local, so its partition key is %s, and its sort key is one other attribute but %s",
			ix.Name, r.Layout.PK, r.Layout.SK)
	default:
		what = fmt.Sprintf("index %s has an attribute twice, or more than %d in a key", ix.Name, keys.MaxKeyAttributes)
	}
	return what, fixes.WriteIndexes(r.Design, n, fixes.IndexText(r.AllowedIndex(ix.IndexLayout)))
}

// checkIndexes finds more entries in an index than the type has stored items, since each item has
// at most one, and partition keys with few values, since all writes would go to few partitions.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
func checkIndexes(r *checker) {
	for _, t := range r.SortedTypes() {
		entries := map[string]int{}
		for _, f := range t.StoredKeys {
			if f.Index == "" {
				continue
			}
			entries[f.Index]++
			if n := entries[f.Index]; n == len(t.Copies)+2 {
				r.find(f.Position(), t.Name,
					fmt.Sprintf("entry %d in index %s has no stored item of its own: an item has one entry in each index", n, f.Index),
					fmt.Sprintf("add @copy(pk: %q, sk: \"BY_%s\") to type %s", t.Item.PK, upperVariable(f.PK), t.Name))
			}
			if f.Shards == 1 && !isChosen(r, t, f) && r.IsNarrow(t, f.PK) && !isMeant(r, f) {
				fix := fmt.Sprintf("write shards: %d", fixes.ProposedShards)
				if sk := fixes.ShardedSortKeyFix(f); sk != "" {
					fix += ", " + sk
				}
				fix += " to spread each value over as many partitions"
				if r.Layout != nil {
					fix = "write shards: 1, because the entries of an existing table are as they are"
				}
				r.find(f.Position(), t.Name,
					fmt.Sprintf("partition key %q of index %s has few values, so all writes go to few partitions", f.PK, f.Index), fix)
			}
		}
	}
}

// isMeant reports whether a read that selects nothing shows that another partition key is meant.
func isMeant(r *checker, f *reading.Key) bool {
	return slices.ContainsFunc(r.Reads, func(rd *reading.Read) bool {
		if rd.Directive == nil || len(rd.Matches) > 0 || rd.Index != f.Index {
			return false
		}
		k, _ := fixes.AsRead(r.Design, rd)
		return k == f
	})
}

func upperVariable(t keys.Template) string {
	names := t.Variables()
	if len(names) == 0 {
		return "INDEX"
	}
	return sdl.ConstantCase(names[0])
}

// isChosen reports whether an entry has one shard because somebody has decided so: by shards: 1, or by an index of an
// existing table whose partition key is an attribute of the items, or a key of the table, or several attributes.
func isChosen(r *checker, t *reading.Type, f *reading.Key) bool {
	if f.Derived || f.Directive.Arguments.ForName("shards") != nil {
		return true
	}
	if r.Layout == nil {
		return false
	}
	k := r.Layout.Index(f.Index).PK
	_, derived := r.DerivedKey(t, t.Item, k)
	return derived || len(k) > 1
}
