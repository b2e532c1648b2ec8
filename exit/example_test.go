package exit_test

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/partita/partita/exit"
)

// A command says what is wrong and what to do about it. app.Main prints that, and ends with the code.
func Example() {
	command := func() error {
		return &exit.Error{
			Problem: "there is no file prices.csv", Fix: "export it from the shop", Code: exit.NoInput, Err: fs.ErrNotExist,
		}
	}
	err := command()
	fmt.Println(err)
	if failed, is := errors.AsType[*exit.Error](err); is {
		fmt.Println(failed.Code, errors.Is(err, fs.ErrNotExist))
	}
	// Output:
	// there is no file prices.csv: export it from the shop
	// 66 true
}
