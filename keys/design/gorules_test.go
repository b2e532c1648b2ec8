package design_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
)

// files is a design in which Go code decides who reads a file.
func files() *design.Design {
	return design.MustDesign(nil, []*design.Type{{
		Name: "File", Identity: []string{"id"}, Item: shape("FILE#{id}", "FILE#{id}"),
		Rule:       &design.Rule{Go: []design.GoWord{{Word: "READER", By: []string{"state", "size"}}}},
		Attributes: []design.Attribute{{Name: "id", Kind: keys.IDKind, Ref: "File"}, {Name: "state", Kind: keys.String}},
	}}, []*design.Field{field("Query", "file", design.Get, "FILE#{id}", "FILE#{id}", idOf("id", "File"))})
}

func TestCheckAllow(t *testing.T) {
	allow := func(string, []string, func(string) (string, bool)) bool { return true }
	for _, c := range []struct {
		words map[string]design.Allow
		want  string
	}{
		{nil, "type File needs Go code for the word READER"},
		{map[string]design.Allow{"READER": allow}, ""},
		{map[string]design.Allow{"READER": allow, "WRITER": allow}, "no @allow has the word WRITER"},
	} {
		err := files().WithAllow(c.words).CheckAllow()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

// TestAllowsByGo: the code gets the fields that the schema lists, and is not asked about a value that the key and the
// attribute of an object disagree about.
func TestAllowsByGo(t *testing.T) {
	d := files().WithAllow(map[string]design.Allow{
		"READER": func(viewer string, roles []string, value func(string) (string, bool)) bool {
			state, isSet := value("state")
			_, hasSize := value("size")
			_, hasID := value("id")
			return viewer == "ada" && slices.Equal(roles, []string{"CLERK"}) && state == "OPEN" && isSet && !hasSize && !hasID
		},
	})
	word := d.Type("File").Rule.Go[0]
	file := item.Item{{Name: "id", Value: item.StringValue("a")}, {Name: "state", Value: item.StringValue("OPEN")}}
	value := func(name string) keys.Value { return keys.AttributeValue(file, name) }
	if !d.AllowsByGo(word, "ada", []string{"CLERK"}, value) {
		t.Error("who may read the file may not")
	}
	other := design.GoWord{Word: "OTHER"}
	if d.AllowsByGo(word, "bob", []string{"CLERK"}, value) || d.AllowsByGo(other, "ada", nil, value) {
		t.Error("who may not read the file may")
	}
	contested := func(name string) keys.Value { return keys.AttributeValue(file.Contested([]string{"state"}), name) }
	if d.AllowsByGo(word, "ada", []string{"CLERK"}, contested) {
		t.Error("a contested value allows")
	}
}
