package browse

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/partita/partita/internal/capacity"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

const (
	// pageItems is how many items a page of a collection has at most. DynamoDB also stops at 1 MB.
	pageItems = 50
	// pageBytes is the size from which on a page has no further items.
	pageBytes = 1 << 20
)

type itemsQuestion struct {
	bounds
	Index string `json:"index"`
	PK    string `json:"pk"`
	// After is the Next of the page before.
	After string `json:"after"`
}

type itemsAnswer struct {
	PK    string      `json:"pk"`
	Parts []part      `json:"parts"`
	Items []itemShown `json:"items"`
	Next  string      `json:"next,omitempty"`
	// Bytes is the size of the items. ReadUnits is what the Query has consumed, CollectionUnits what a Query of exactly
	// these items does.
	Bytes           int     `json:"bytes"`
	ReadUnits       float64 `json:"readUnits"`
	CollectionUnits float64 `json:"collectionUnits"`
	// Access are the fields of the schema that read the partition, Kinds the items that it may have.
	Access []access    `json:"access"`
	Kinds  []kindShown `json:"kinds"`
	// Base is the sort key of the object whose partition this is, with its type; nil if it is of no object.
	Base *kindShown `json:"base,omitempty"`
	// Shards are the partition keys over which the value of this one is spread; none if it is not.
	Shards []string `json:"shards,omitempty"`
}

// access is a field that reads a partition.
type access struct {
	Field string `json:"field"`
	Kind  string `json:"kind"`
	// Condition is the key condition, with {name} for the value of an argument.
	Condition string `json:"condition"`
	// SK is what all sort keys that the field reads begin with.
	SK    string   `json:"sk"`
	Types []string `json:"types"`
}

func (b *Browser) items(ctx context.Context, q *itemsQuestion) (itemsAnswer, request.Result, error) {
	ix, err := b.index(q.Index)
	if err != nil {
		return itemsAnswer{}, request.Result{}, err
	}
	pk, err := ix.ParsePK(q.PK)
	if err != nil {
		return itemsAnswer{}, request.Result{}, err
	}
	read := request.Query{Index: ix.Name, PK: pk, Limit: pageItems}
	if err := q.apply(&read, &ix); err != nil {
		return itemsAnswer{}, request.Result{}, err
	}
	tenant, scope := request.TenantOf(ctx), append([]string{"items", ix.Name, string(pk)}, q.scope()...)
	if q.After != "" {
		position, ok := b.cursors.ParseToken(tenant, scope, q.After)
		if !ok || len(position) != 3 {
			return itemsAnswer{}, request.Result{}, errToken
		}
		read.Start = keys.Position{SK: keys.SK(position[0])}
		read.Start.Base = keys.Key{PK: keys.PK(position[1]), SK: keys.SK(position[2])}
	}
	result, err := b.source.QueryStored(ctx, read)
	if err != nil {
		return itemsAnswer{}, result, err
	}
	a := itemsAnswer{PK: q.PK, ReadUnits: result.ReadUnits, Items: []itemShown{}}
	a.Access, a.Shards = b.access(&ix, pk)
	a.Kinds, a.Base = b.kinds(&ix, pk), b.base(&ix, pk)
	last := b.show(&a, &ix, result)
	a.CollectionUnits = capacity.Get(a.Bytes, false)
	if !last.IsZero() {
		a.Next = b.cursors.Token(tenant, scope, []string{string(last.SK), string(last.Base.PK), string(last.Base.SK)})
	}
	var first *design.Type
	if len(a.Items) > 0 {
		first = b.design.Type(a.Items[0].Type)
	}
	a.Parts = b.partitionParts(&ix, pk, first)
	return a, result, nil
}

// show adds the items of a result until the page has enough bytes, and returns where it ends; zero at the end of the
// collection.
func (b *Browser) show(a *itemsAnswer, ix *stored.IndexLayout, result request.Result) keys.Position {
	encoded := 0
	for i, stored := range result.Items {
		shown := b.shown(ix, stored)
		text, _ := json.Marshal(shown) // it has texts and finite numbers only
		a.Items, a.Bytes = append(a.Items, shown), a.Bytes+shown.Bytes
		if encoded += len(text); encoded >= pageBytes && i < len(result.Items)-1 {
			last := keys.Position{SK: ix.SortKey(stored)}
			if ix.Name != "" {
				last.Base = b.design.Layout.KeyOf(stored)
			}
			return last
		}
	}
	return result.Last
}

// isPayload reports whether a type is the payload of a mutation. Its fields read the object that was written.
func (b *Browser) isPayload(name string) bool {
	return b.design.Type(name) == nil && strings.HasSuffix(name, "Payload")
}

// access returns the fields that read a partition, without those of payloads, and the shards that they read with it.
func (b *Browser) access(ix *stored.IndexLayout, pk keys.PK) (all []access, shards []string) {
	all = []access{}
	for _, f := range b.design.Fields {
		if f.Index != ix.Name || b.isPayload(f.Parent) {
			continue
		}
		prefix, sk, reads := f.InPartition(pk)
		if !reads {
			continue
		}
		for _, shard := range f.ShardsOf(pk) {
			if text := ix.ShowPK(shard); !slices.Contains(shards, text) {
				shards = append(shards, text)
			}
		}
		a := access{Field: f.Coordinate(), Kind: f.Kind.String(), SK: beginning(ix, prefix), Types: f.Types}
		a.Condition = ix.PK.Describe(ix.ShowPK(pk))
		switch {
		case sk == "":
		case f.Kind == design.Get || f.Extent() == keys.Exact || len(ix.SK) > 1:
			a.Condition += ", " + ix.SK.Describe(sk)
		default:
			a.Condition += ", begins_with(" + ix.SK.String() + ", " + sk + ")"
		}
		all = append(all, a)
	}
	return all, shards
}
