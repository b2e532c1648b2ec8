package attribute

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// order returns an item of ten attributes, as the shop's are.
func order(n int) map[string]types.AttributeValue {
	m := map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: "USER#7"},
		"SK": &types.AttributeValueMemberS{Value: fmt.Sprintf("ORDER#%d", n)},
	}
	for i := range 6 {
		m[fmt.Sprintf("text%d", i)] = &types.AttributeValueMemberS{Value: "some text"}
	}
	m["version"] = &types.AttributeValueMemberN{Value: "3"}
	m["gift"] = &types.AttributeValueMemberBOOL{Value: true}
	return m
}

func page(n int) []map[string]types.AttributeValue {
	items := make([]map[string]types.AttributeValue, n)
	for i := range items {
		items[i] = order(i)
	}
	return items
}

// A page costs one allocation for its items and one for their attributes.
func TestToItemsAllocations(t *testing.T) {
	in := page(25)
	if n := testing.AllocsPerRun(100, func() { ToItems(in) }); n != 2 {
		t.Errorf("%v allocations", n)
	}
}

// Appending to an item must not reach into the next one of its page.
func TestToItemsAreApart(t *testing.T) {
	items := ToItems(page(2))
	if first := items[0]; cap(first) > len(first) {
		t.Error("the first item has room to grow")
	}
}

func BenchmarkToItems(b *testing.B) {
	for _, n := range []int{1, 25} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := page(n)
			b.ReportAllocs()
			for b.Loop() {
				ToItems(in)
			}
		})
	}
}
