package predicate_test

import (
	"fmt"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/predicate"
)

func ExamplePredicate_Holds() {
	p := predicate.MustParse("status = HELD and heldBy = {viewer}")
	held := item.Item{
		{Name: "status", Value: item.StringValue("HELD")}, {Name: "heldBy", Value: item.StringValue("7")},
	}
	for _, viewer := range []string{"7", "8"} {
		fmt.Println(p.Holds(held, func(predicate.Operand) item.Value { return item.StringValue(viewer) }))
	}
	// Output:
	// true
	// false
}
