package browse

import (
	"strings"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/write"
)

type findQuestion struct {
	// Text is a global id, or a partition key.
	Text string `json:"text"`
}

type findAnswer struct {
	PK string `json:"pk"`
	SK string `json:"sk,omitempty"`
	// Type and Values are those of a global id.
	Type   string   `json:"type,omitempty"`
	Values []string `json:"values,omitempty"`
}

// find returns where the text leads: a global id of a type of the design to its object, any other text to the partition
// with that key.
func (b *Browser) find(q *findQuestion) (findAnswer, error) {
	text := strings.TrimSpace(q.Text)
	if text == "" || len(text) > keys.MaxPKBytes+keys.MaxSKBytes {
		return findAnswer{}, errorf("Enter a partition key, or the id of an object as a response has it.")
	}
	if id, err := keys.ParseID(text); err == nil {
		if t := b.design.Type(id.Type()); t != nil {
			key, err := write.ObjectKey(t, id)
			if err != nil {
				return findAnswer{}, errorf("This is the id of a %s with values that no %s can have.", t.Name, t.Name)
			}
			pk, sk := b.design.Layout.ShowKey(key)
			return findAnswer{PK: pk, SK: sk, Type: t.Name, Values: id.Values()}, nil
		}
	}
	if len(text) > keys.MaxPKBytes {
		return findAnswer{}, errorf("A partition key has at most %d bytes.", keys.MaxPKBytes)
	}
	return findAnswer{PK: text}, nil
}
