package designpage

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/partita/partita/internal/folder"
	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// TestExamplesAreRead: in the picture of every example, each type has all its items, and each pattern reads exactly
// those that its key condition selects.
func TestExamplesAreRead(t *testing.T) {
	patterns := 0
	var found []string
	for _, dir := range folders(t) {
		s := ReadFolder(t, dir)
		page := New(Options{Title: dir}, s)
		for _, f := range page.Findings {
			found = append(found, filepath.Base(dir)+" "+f.Where.ID)
		}
		rows := rowsOf(page.Pictures)
		for _, one := range s.Types {
			for _, k := range kindsOf(one) {
				if !slices.ContainsFunc(rows, func(r *Row) bool { return r.kind.of != nil && r.kind.id() == k.id() }) {
					t.Errorf("%s: no example of %s", dir, k.id())
				}
			}
		}
		for _, f := range s.Fields {
			if f.Kind.IsByID() || f.Bucketed() != "" {
				continue
			}
			compareWithCondition(t, dir, f, rows)
			patterns++
		}
	}
	// Partitions that all objects share; nothing is unread.
	want := []string{
		"billing Invoice-status-due.index-1", "hotpartition CounterShard-item", "products Bicycle-PriceIndex-1",
		"products Book-PriceIndex-1",
	}
	if !slices.Equal(found, want) {
		t.Errorf("findings about %q, want %q", found, want)
	}
	if patterns < 200 {
		t.Errorf("only %d patterns were compared", patterns)
	}
}

// folders returns the folders with schemas of other tests.
func folders(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, below := range []string{"../../examples", "../gen/testdata/foreign"} {
		entries, err := os.ReadDir(below)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if dir := filepath.Join(below, e.Name()); folder.IsFolder(dir) {
				all = append(all, dir)
			}
		}
	}
	return all
}

// ReadFolder returns the schema of a folder of schema files, for all tests of the package.
func ReadFolder(t *testing.T, dir string) *directives.Schema {
	t.Helper()
	sources, err := folder.Sources(dir)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := directives.Load(sources...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := directives.Read(loaded)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compareWithCondition compares what the example of a pattern reads with its key condition for the first row's values.
func compareWithCondition(t *testing.T, dir string, f *design.Field, rows []*Row) {
	t.Helper()
	first := slices.IndexFunc(rows, func(r *Row) bool { return slices.Contains(r.ReadIn, f.Coordinate()) })
	if first < 0 {
		t.Errorf("%s: %s reads no example", dir, f.Coordinate())
		return
	}
	c, err := conditionFor(f, rows[first])
	if _, isInput := errors.AsType[*keys.InputError](err); isInput {
		t.Errorf("%s: %s: %v", dir, f.Coordinate(), err)
		return
	}
	n := 0
	for _, r := range rows {
		isSelected := r.kind.index == f.Index && (r.kind.of != nil || f.Index == "") && c.Find(r.key) >= 0
		if isSelected && f.Kind == design.Get {
			isSelected = r.key == c.Key
		}
		if isSelected && f.Result == design.One {
			n++
			isSelected = n == 1
		}
		if is := slices.Contains(r.ReadIn, f.Coordinate()); is != isSelected {
			t.Errorf("%s: %s reads %s %s: %t in the picture, %t by its condition", dir, f.Coordinate(), r.key.PK, r.key.SK, is,
				isSelected)
		}
	}
}

// conditionFor returns the condition of a field whose variables have the values of a row.
func conditionFor(f *design.Field, r *Row) (design.Condition, error) {
	m, _ := r.readBy(f)
	return f.Bind(func(name string) keys.Value {
		for own, variable := range m.Variables {
			if variable != name {
				continue
			}
			if a := f.Argument(name); a != nil && a.Ref != "" {
				return keys.IDValue(keys.NewID(a.Ref, r.example.text(own)))
			}
			return keys.AttributeValue(r.example.attributes, own)
		}
		return keys.Value{}
	}).Condition()
}
