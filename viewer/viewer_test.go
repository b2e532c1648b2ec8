package viewer_test

import (
	"testing"

	"github.com/partita/partita/viewer"
)

func TestContext(t *testing.T) {
	if v := viewer.FromContext(t.Context()); !v.IsAnonymous() || v.Has("ADMIN") {
		t.Errorf("without a viewer: %+v, want an anonymous one", v)
	}
	ctx := viewer.NewContext(t.Context(), viewer.Viewer{ID: "u1", Roles: []string{"STAFF", "ADMIN"}})
	v := viewer.FromContext(ctx)
	if v.ID != "u1" || v.IsAnonymous() || !v.Has("ADMIN") || v.Has("PUBLIC") {
		t.Errorf("viewer of the context: %+v", v)
	}
}
