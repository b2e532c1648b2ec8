package keys_test

import (
	"fmt"

	"github.com/partita/partita/keys"
)

// A global ID has the values of an object's key.
func ExampleNewID() {
	id := keys.NewID("Task", "p1", "2")
	fmt.Println(id.Encode(), id.Type(), id.Values())

	same, err := keys.ParseID("VGFzazpwMToy") // from a client
	fmt.Println(same == id, err)
	// Output:
	// VGFzazpwMToy Task [p1 2]
	// true <nil>
}

// A template makes keys whose order as text is that of their values.
func ExampleTemplate() {
	sk := keys.MustTemplate("TASK#{number:05}")
	for _, number := range []int{2, 10} {
		text, err := sk.Build(keys.Values{{Name: "number", Value: keys.IntValue(number)}}.Get)
		fmt.Println(text, err)
	}
	// Output:
	// TASK#00002 <nil>
	// TASK#00010 <nil>
}

// A cursor is valid for the collection that it was made for, and shows no key.
func ExampleCursors() {
	cursors := keys.NewCursors([]byte("a secret with at least 32 bytes, for all replicas"))
	cursor := cursors.Seal([]string{"PROJECT#p1"}, []string{"TASK#00002"})
	fmt.Println(cursors.Open([]string{"PROJECT#p1"}, cursor))
	fmt.Println(cursors.Open([]string{"PROJECT#p2"}, cursor))
	// Output:
	// [TASK#00002] true
	// [] false
}
