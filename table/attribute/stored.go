package attribute

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/write"
)

// ItemsOf returns all items in which an object of a type is stored, as the table has them: those of write.Items, then
// the claims of its unique values. The attributes are those of write.Items, and so is the error.
func ItemsOf(d *design.Design, t *design.Type, attributes item.Item) ([]map[string]types.AttributeValue, error) {
	items, err := write.Items(t, attributes)
	if err != nil {
		return nil, err
	}
	for _, u := range t.Uniques {
		claim, err := write.UniqueClaim(t, u, items[0])
		if err != nil {
			return nil, err
		}
		if claim != nil {
			items = append(items, claim)
		}
	}
	all := make([]map[string]types.AttributeValue, len(items))
	for i, it := range items {
		all[i] = FromItem(d.ToStored(it))
	}
	return all, nil
}
