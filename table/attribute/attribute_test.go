package attribute_test

import (
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/table/attribute"
)

// TestRoundTrip: values of all kinds are the same after a conversion and back.
func TestRoundTrip(t *testing.T) {
	list := func(elements ...item.Value) item.Value { return item.ListValue(elements) }
	number := item.Value{Kind: item.Number, Text: "-12.5"}
	binary := func(bytes string) item.Value { return item.Value{Kind: item.Binary, Text: bytes} }
	for name, c := range map[string]struct {
		stored types.AttributeValue
		want   item.Value
	}{
		"string":     {stored: &types.AttributeValueMemberS{Value: "ü"}, want: item.StringValue("ü")},
		"number":     {stored: &types.AttributeValueMemberN{Value: "-12.5"}, want: number},
		"true":       {stored: &types.AttributeValueMemberBOOL{Value: true}, want: item.BoolValue(true)},
		"false":      {stored: &types.AttributeValueMemberBOOL{}, want: item.BoolValue(false)},
		"null":       {stored: &types.AttributeValueMemberNULL{Value: true}},
		"binary":     {stored: &types.AttributeValueMemberB{Value: []byte{0, 255}}, want: binary("\x00\xff")},
		"empty list": {stored: &types.AttributeValueMemberL{Value: []types.AttributeValue{}}, want: list()},
		"list": {
			stored: &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberN{Value: "-12.5"}}},
			want:   list(number),
		},
		"map": {
			stored: &types.AttributeValueMemberM{
				Value: map[string]types.AttributeValue{"k": &types.AttributeValueMemberS{Value: "v"}},
			},
			want: item.FieldsValue(item.Item{{Name: "k", Value: item.StringValue("v")}}),
		},
		"string set": {
			stored: &types.AttributeValueMemberSS{Value: []string{"a"}}, want: list(item.StringValue("a")),
		},
		"number set": {stored: &types.AttributeValueMemberNS{Value: []string{"-12.5"}}, want: list(number)},
		"binary set": {stored: &types.AttributeValueMemberBS{Value: [][]byte{{0}}}, want: list(binary("\x00"))},
	} {
		stored := map[string]types.AttributeValue{"a": c.stored}
		got := attribute.ToItems([]map[string]types.AttributeValue{stored})[0]
		if v, _ := got.Get("a"); !v.Equal(c.want) {
			t.Errorf("%s: got %v, want %v", name, v, c.want)
		}
		if back := attribute.FromItem(got); !reflect.DeepEqual(back, stored) {
			t.Errorf("%s: got %v back, want %v", name, back, stored)
		}
	}
	if got := attribute.ToItems(nil); got != nil {
		t.Errorf("got %v of nothing", got)
	}
}

func TestKeys(t *testing.T) {
	layout := stored.DefaultLayout()
	want := keys.Key{PK: "USER#7", SK: "ORDER#1"}
	if got := attribute.ToKey(layout, attribute.FromKey(layout, want)); got != want {
		t.Errorf("got %v", got)
	}
	number := map[string]types.AttributeValue{"PK": &types.AttributeValueMemberN{Value: "7"}}
	if got := attribute.ToKey(layout, number); got != (keys.Key{}) {
		t.Errorf("got %v", got)
	}
}
