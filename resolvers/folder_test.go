package resolvers_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/partita/partita/graph/typed"
)

// TestDesignOfFolder: the design that is read from the schema's files is the generated one in all that does not name
// Go code.
func TestDesignOfFolder(t *testing.T) {
	namesGo := func(p cmp.Path) bool {
		field, is := p.Last().(cmp.StructField)
		return is && slices.Contains([]string{"owners", "handWritten", "withoutGo"}, field.Name())
	}
	diff := cmp.Diff(typed.Design, schemaFiles(t).Design, cmpopts.EquateEmpty(),
		cmp.Exporter(func(reflect.Type) bool { return true }), cmp.FilterPath(namesGo, cmp.Ignore()))
	if diff != "" {
		t.Errorf("-generated +folder\n%s", diff)
	}
}
