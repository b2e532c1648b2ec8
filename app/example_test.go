package app_test

import (
	"context"
	"fmt"

	"github.com/partita/partita/app"
	"github.com/partita/partita/internal/testservice"
)

// A service is its generated executor and design. Its program has all commands; app.Main runs those of the command
// line.
func Example() {
	library := app.Application{Name: "library", Schema: testservice.Executable(), Design: testservice.Design()}
	operation := `{ book(id: "Qm9vazpiMDAx") { title branch { name } } }`
	fmt.Println(library.Run(context.Background(), []string{"plan", operation}))
	// Output:
	// wave 1: 1 request, 0.5 read units
	//   Get  book  1 × 0.5  PK = BOOK#b001, SK = BOOK#b001
	// wave 2: 1 request, 0.5 read units
	//   Get  book.branch  1 × 0.5  PK = BRANCH#{branchId of Book}, SK = BRANCH#{branchId of Book}
	// at worst: 2 waves, 2 requests, 1 read unit, 3 objects in the answer
	// <nil>
}
