package app

import (
	"context"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// tableReader returns what answers the page /table.
func tableReader(a *Application, t *local.Table, observed *observers, cursorSecret []byte) gateway.TableReader {
	source := observedTable{admin.Scanner{Table: t.Table}, observed.observer}
	b := browse.New(source, a.checkOptions(), cursorSecret)
	if t.IsLocal() {
		return b.Editing(source)
	}
	return b
}

// observedTable is a table whose requests are in metrics and traces.
type observedTable struct {
	admin.Scanner
	observer loaders.Observer
}

// QueryStored implements browse.Source.
func (t observedTable) QueryStored(ctx context.Context, q request.Query) (result request.Result, err error) {
	ctx, answered := t.observer.Request(ctx, loaders.Sent{Action: loaders.ActionQuery, Index: q.Index})
	defer func() { answered(result, err) }()
	return t.Scanner.QueryStored(ctx, q)
}

// ScanKeys implements browse.Source.
func (t observedTable) ScanKeys(ctx context.Context, s admin.KeyScan) (page admin.KeyPage, err error) {
	ctx, answered := t.observer.Request(ctx, loaders.Sent{Action: actionScan, Index: s.Index})
	defer func() { answered(page.Result, err) }()
	return t.Scanner.ScanKeys(ctx, s)
}

// GetItem implements browse.Editor.
func (t observedTable) GetItem(ctx context.Context, r request.GetItem) (result request.Result, err error) {
	sent := loaders.Sent{Action: loaders.ActionGetItem, Keys: 1, Consistent: r.Consistent}
	ctx, answered := t.observer.Request(ctx, sent)
	defer func() { answered(result, err) }()
	return t.Scanner.GetItem(ctx, r)
}

// Query implements browse.Editor.
func (t observedTable) Query(ctx context.Context, q request.Query) (result request.Result, err error) {
	sent := loaders.Sent{Action: loaders.ActionQuery, Index: q.Index, Consistent: q.Consistent}
	ctx, answered := t.observer.Request(ctx, sent)
	defer func() { answered(result, err) }()
	return t.Scanner.Query(ctx, q)
}

// WriteStored implements browse.Editor.
func (t observedTable) WriteStored(ctx context.Context, before, after item.Item) (result request.Result, err error) {
	ctx, answered := t.observer.Request(ctx, loaders.Sent{Action: loaders.ActionTransactWriteItems, Keys: 1})
	defer func() { answered(result, err) }()
	return t.Scanner.WriteStored(ctx, before, after)
}

// actionScan is the action of a list of partitions. No operation has one.
const actionScan loaders.Action = "Scan"
