package app

import (
	"context"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/browse"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
)

// tableReader returns what answers the page /table.
func tableReader(a *Application, t *local.Table, observed *observers, cursorSecret []byte) gateway.TableReader {
	source := observedTable{admin.Scanner{Table: t.Table}, observed.observer}
	return browse.New(source, a.checkOptions(), cursorSecret)
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

// actionScan is the action of a list of partitions. No operation has one.
const actionScan loaders.Action = "Scan"
