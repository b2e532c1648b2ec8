package browse

import (
	"context"
	"errors"
	"slices"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// partitionKeys is how many items one list of partitions reads at most. DynamoDB also stops at 1 MB.
const partitionKeys = 1000

type partitionsQuestion struct {
	Index string `json:"index"`
	// After is the Next of the list before.
	After string `json:"after"`
}

type partitionsAnswer struct {
	// Partitions are in the order of the table, which is that of hashes of their keys. The first one may continue the last
	// one of the list before.
	Partitions []partition `json:"partitions"`
	// Items is how many items were read. In a table with tenants, those of others are among them.
	Items     int     `json:"items"`
	ReadUnits float64 `json:"readUnits"`
	Next      string  `json:"next,omitempty"`
	// Denied is set if the gateway may not read a list of partitions, because its credentials lack dynamodb:Scan.
	Denied bool `json:"denied,omitempty"`
}

type partition struct {
	PK    string `json:"pk"`
	Parts []part `json:"parts"`
	// Types are the numbers of items by type, "" for items of no type.
	Types map[string]int `json:"types"`
}

func (b *Browser) partitions(ctx context.Context, q *partitionsQuestion) (partitionsAnswer, request.Result, error) {
	a := partitionsAnswer{Partitions: []partition{}}
	ix, err := b.index(q.Index)
	if err != nil {
		return a, request.Result{}, err
	}
	scope := []string{"partitions", ix.Name}
	scan := admin.KeyScan{Index: ix.Name, Limit: partitionKeys}
	if q.After != "" {
		position, ok := b.cursors.ParseToken(request.TenantOf(ctx), scope, q.After)
		if scan.Start = startOf(position); !ok || scan.Start == nil {
			return a, request.Result{}, errToken
		}
	}
	page, err := b.source.ScanKeys(ctx, scan)
	if errors.Is(err, request.ErrAccessDenied) {
		a.Denied = true
		return a, page.Result, nil
	}
	if err != nil {
		return a, page.Result, err
	}
	a.Items, a.ReadUnits = page.Scanned, page.Result.ReadUnits
	for _, stored := range page.Items {
		b.count(&a, &ix, stored)
	}
	if page.Next != nil {
		a.Next = b.cursors.Token(request.TenantOf(ctx), scope, positionOf(page.Next))
	}
	return a, page.Result, nil
}

// count adds an item to its partition.
func (b *Browser) count(a *partitionsAnswer, ix *stored.IndexLayout, stored item.Item) {
	pk := ix.PartitionKey(stored)
	text := ix.ShowPK(pk)
	at := slices.IndexFunc(a.Partitions, func(p partition) bool { return p.PK == text })
	typeName := b.recognise(b.design.FromStored(stored)).Type
	if at < 0 {
		at = len(a.Partitions)
		parts := b.partitionParts(ix, pk, b.design.Type(typeName))
		a.Partitions = append(a.Partitions, partition{PK: text, Parts: parts, Types: map[string]int{}})
	}
	a.Partitions[at].Types[typeName]++
}

// positionOf and startOf convert the keys of an item to the texts of a token, and back.
func positionOf(it item.Item) []string {
	var texts []string
	for _, a := range it {
		kind := "S"
		if a.Value.Kind == item.Number {
			kind = "N"
		}
		texts = append(texts, a.Name, kind, a.Value.Text)
	}
	return texts
}

func startOf(texts []string) item.Item {
	var it item.Item
	for ; len(texts) >= 3; texts = texts[3:] {
		v := item.StringValue(texts[2])
		if texts[1] == "N" {
			v.Kind = item.Number
		}
		it = append(it, item.Attribute{Name: texts[0], Value: v})
	}
	return it
}
