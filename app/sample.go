package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// sampleSettings are what the gateway reads of its table when it starts, to warn of items that do not fit the schema.
type sampleSettings struct {
	TableSample int `env:"TABLE_SAMPLE" default:"100" range:"0..1000" placeholder:"ITEMS" help:"How many items are read by one Scan of at most 1 MB after the start, to log how many of them do not fit the schema; 0 for none. Without the permission dynamodb:Scan, nothing is read."`
}

// sampleTimeout bounds the Scan and its retries.
const sampleTimeout = 30 * time.Second

// start reads the sample while the gateway serves. The function that it returns ends this.
func (s sampleSettings) start(ctx context.Context, a *Application, t *table.Table, log *slog.Logger) (stop func()) {
	if s.TableSample == 0 {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.log(ctx, a, t, log)
	}()
	return func() {
		cancel()
		<-done
	}
}

func (s sampleSettings) log(ctx context.Context, a *Application, t *table.Table, log *slog.Logger) {
	sample, err := check.ReadSample(ctx, admin.Scanner{Table: t}, a.checkOptions(), s.TableSample)
	switch {
	case errors.Is(err, request.ErrAccessDenied):
		log.InfoContext(ctx, "no sample of the table is read: dynamodb:Scan is not allowed", "table", t.Name())
	case err != nil && ctx.Err() == nil:
		log.InfoContext(ctx, "no sample of the table could be read", "table", t.Name(), "error", err)
	case err == nil && len(sample.Unfit) > 0:
		log.WarnContext(ctx, "items of the table do not fit the schema", a.unfit(t.Name(), sample)...)
	}
}

// unfit returns the attributes of the warning: how many items do not fit for which reason, and one of them.
func (a *Application) unfit(table string, s check.Sample) []any {
	reasons := map[check.Kind]int{}
	for _, v := range s.Unfit {
		reasons[v.Kind]++
	}
	first := s.Unfit[0]
	return []any{
		"table", table, "read", s.Items, "unfit", len(s.Unfit), "reasons", reasons,
		"pk", string(first.PK), "sk", string(first.SK), "problem", first.Problem,
		"fix", fmt.Sprintf("%q finds all of them", a.command("table check")),
	}
}
