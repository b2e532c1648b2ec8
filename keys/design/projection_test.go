package design_test

import (
	"slices"
	"testing"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
)

func TestProjected(t *testing.T) {
	layout := func(projection stored.Projection, include ...string) *stored.Layout {
		l := stored.DefaultLayout()
		ix := l.Index("GSI1")
		ix.Projection, ix.Include = projection, include
		l.Indexes = []stored.IndexLayout{ix}
		return l
	}
	task := func(pk, sk, indexSK string) *design.Type {
		of := &design.Type{
			Name: "Task", Item: shape(pk, sk), Identity: []string{"id"},
			Indexes: []design.Index{{Name: "GSI1", Shards: 1, Shape: shape("OPEN", indexSK)}},
		}
		for _, name := range []string{"id", "userId", "at", "title"} {
			of.Attributes = append(of.Attributes, design.Attribute{Name: name, Kind: keys.String})
		}
		of.Attributes = append(of.Attributes, design.Attribute{Name: "text", Stored: "txt"})
		return of
	}
	// copied returns a task with an entry for itself and one for its copy.
	copied := func(first, second string) *design.Type {
		of := task("T#{id}", "T", first)
		of.Copies = []design.Copy{{Shape: shape("T#{id}", "COPY")}}
		of.Indexes = append(of.Indexes, design.Index{Name: "GSI1", Shards: 1, Shape: shape("DONE", second)})
		return of
	}
	other := &design.Type{Name: "Other", Item: shape("USER#{userId}", "{x}")}
	for name, c := range map[string]struct {
		layout *stored.Layout
		types  []*design.Type
		want   []string
		all    bool
	}{
		"all": {layout(stored.All), []*design.Type{task("T#{id}", "T", "{at}")}, nil, true},
		"keys only": {
			layout(stored.KeysOnly), []*design.Type{task("USER#{userId}", "T#{id}", "{at}")}, []string{"id", "userId", "at"},
			false,
		},
		"include by stored name": {
			layout(stored.Include, "title", "txt"), []*design.Type{task("T#{id}", "T", "{at}")},
			[]string{"id", "at", "title", "text"}, false,
		},
		"a time that is cut to a bucket": {
			layout(stored.KeysOnly), []*design.Type{task("T#{at:month}", "{id}", "{userId}")}, nil, false,
		},
		"a time that is cut to a bucket and whole elsewhere": {
			layout(stored.KeysOnly), []*design.Type{task("T#{at:month}", "{id}", "{at}")}, []string{"id", "at"}, false,
		},
		"a key that another type can have": {
			layout(stored.KeysOnly), []*design.Type{task("USER#{userId}", "T#{id}", "{at}"),
				{Name: "Other", Item: shape("USER#{userId}", "T#{x}")}}, nil, false,
		},
		"such a key with the type": {
			layout(stored.Include, "entityType"), []*design.Type{task("USER#{userId}", "T#{id}", "{at}"),
				{Name: "Other", Item: shape("USER#{userId}", "T#{x}")}}, []string{"id", "userId", "at"}, false,
		},
		"another type with other sort keys": {
			layout(stored.KeysOnly), []*design.Type{task("USER#{userId}", "T#{id}", "{at}"),
				{Name: "Other", Item: shape("USER#{userId}", "O#{x}")}}, []string{"id", "userId", "at"}, false,
		},
		"entries of a copy with other values": {
			layout(stored.KeysOnly), []*design.Type{copied("{id}#{at}", "{id}#{userId}")}, nil, false,
		},
		"entries of a copy with more values": {
			layout(stored.KeysOnly), []*design.Type{copied("{id}", "{id}#{at}#{userId}")}, nil, false,
		},
		"another type with other keys": {
			layout(stored.KeysOnly), []*design.Type{task("T#{id}", "T", "{at}"), other}, []string{"id", "at"}, false,
		},
	} {
		d, err := design.NewDesign(c.layout, c.types, nil)
		if err != nil {
			t.Fatal(err)
		}
		names, all := d.Projected("GSI1", d.Type("Task"))
		if !slices.Equal(names, c.want) || all != c.all {
			t.Errorf("%s: %v, %v, want %v, %v", name, names, all, c.want, c.all)
		}
		if names, all := d.Projected("", d.Type("Task")); len(names) > 0 || !all {
			t.Errorf("%s: items of the table have only %v", name, names)
		}
	}
}
