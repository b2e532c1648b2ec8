package scalar_test

import (
	"fmt"
	"os"

	"github.com/partita/partita/keys/scalar"
)

// gqlgen's executor calls these functions for arguments and answers. An Int64 is text, because JavaScript would round
// it.
func Example() {
	dueAt, err := scalar.UnmarshalTime("2026-12-01T13:00:00+01:00")
	fmt.Println(dueAt.UTC(), err)
	scalar.MarshalTime(dueAt.UTC()).MarshalGQL(os.Stdout)
	fmt.Println()
	scalar.MarshalInt64(1 << 60).MarshalGQL(os.Stdout)
	// Output:
	// 2026-12-01 12:00:00 +0000 UTC <nil>
	// "2026-12-01T12:00:00Z"
	// "1152921504606846976"
}
