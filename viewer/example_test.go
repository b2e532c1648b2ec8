package viewer_test

import (
	"context"
	"fmt"

	"github.com/partita/partita/viewer"
)

// A resolver decides by the viewer, whom the gateway has put into the context.
func Example() {
	resolve := func(ctx context.Context) string {
		v := viewer.FromContext(ctx)
		switch {
		case v.IsAnonymous():
			return "sign in first"
		case v.Has("ADMIN"):
			return "hello " + v.ID + ", who may do everything"
		}
		return "hello " + v.ID
	}
	ctx := context.Background()
	fmt.Println(resolve(ctx))
	fmt.Println(resolve(viewer.NewContext(ctx, viewer.Viewer{ID: "ada", Roles: []string{"ADMIN"}})))
	// Output:
	// sign in first
	// hello ada, who may do everything
}
