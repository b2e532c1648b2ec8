package browse

import (
	"context"
	"strings"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

type findQuestion struct {
	// Text is a global id, a partition key, or a value.
	Text string `json:"text"`
}

type findAnswer struct {
	// Index, PK and SK are where a partition key or a global id leads. A value may be a partition key, too.
	Index string `json:"index,omitempty"`
	PK    string `json:"pk"`
	SK    string `json:"sk,omitempty"`
	// Type and Values are those of a global id.
	Type   string   `json:"type,omitempty"`
	Values []string `json:"values,omitempty"`
	// Patterns are by what a value can be looked for, in this order.
	Patterns []pattern `json:"patterns,omitempty"`
}

// find returns where the text leads: a global id of a type of the design to its object, and a partition key of one to
// its partition. Any other text is a value for the access patterns of the schema.
func (b *Browser) find(q *findQuestion) (findAnswer, error) {
	text := strings.TrimSpace(q.Text)
	if text == "" || len(text) > keys.MaxPKBytes+keys.MaxSKBytes {
		return findAnswer{}, errorf("Enter a partition key, the id of an object as a response has it, or a value.")
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
	if index, is := b.isPartitionKey(text); is {
		return findAnswer{Index: index, PK: text}, nil
	}
	return findAnswer{PK: text, Patterns: b.patterns(text)}, nil
}

// isPartitionKey reports whether a text begins as the partition keys of a type do, and of which index they are.
func (b *Browser) isPartitionKey(text string) (index string, is bool) {
	begins := func(t keys.Template) bool {
		_, ok := t.Decode(text)
		return ok && t.Leading() != ""
	}
	for _, t := range b.design.Types {
		for _, s := range t.Shapes() {
			if begins(s.PK) {
				return "", true
			}
		}
		for _, u := range t.Uniques {
			if begins(u.Key) {
				return "", true
			}
		}
	}
	for _, t := range b.design.Types {
		for _, ix := range t.Indexes {
			if begins(ix.PK) {
				return ix.Name, true
			}
		}
	}
	return "", false
}

type probeQuestion struct {
	Index string `json:"index"`
	PK    string `json:"pk"`
	SK    string `json:"sk"`
	// Exact is set if SK is the sort key, and not only its beginning.
	Exact bool `json:"exact"`
}

type probeAnswer struct {
	// Found is set if there is an item. PK and SK are then its primary key, or that of the object that has the claim.
	Found     bool    `json:"found"`
	PK        string  `json:"pk,omitempty"`
	SK        string  `json:"sk,omitempty"`
	ReadUnits float64 `json:"readUnits"`
}

// probe reads the first item where a pattern leads.
func (b *Browser) probe(ctx context.Context, q *probeQuestion) (probeAnswer, request.Result, error) {
	ix, err := b.index(q.Index)
	if err != nil {
		return probeAnswer{}, request.Result{}, err
	}
	pk, err := ix.ParsePK(q.PK)
	if err != nil {
		return probeAnswer{}, request.Result{}, err
	}
	read := request.Query{Index: ix.Name, PK: pk, Limit: 1}
	if err := (&bounds{Within: q.SK}).apply(&read, &ix); err != nil {
		return probeAnswer{}, request.Result{}, err
	}
	if q.Exact {
		read.To = read.From
	}
	result, err := b.source.QueryStored(ctx, read)
	a := probeAnswer{Found: len(result.Items) > 0, ReadUnits: result.ReadUnits}
	if err == nil && a.Found {
		a.PK, a.SK = b.leadsTo(result.Items[0])
	}
	return a, result, err
}

// leadsTo returns the primary key of an item, or that of the object that has a claim.
func (b *Browser) leadsTo(stored item.Item) (pk, sk string) {
	l := linker{Browser: b}
	if it := b.design.FromStored(stored); b.design.Type(it.Type()) == nil {
		l.holder(it)
	}
	if len(l.links) > 0 {
		return l.links[0].PK, l.links[0].SK
	}
	return b.design.Layout.ShowKey(b.design.Layout.KeyOf(stored))
}
