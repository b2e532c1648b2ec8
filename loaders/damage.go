package loaders

import (
	"context"
	"log/slog"
	"sync"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// maxLoggedDamage is how many damaged items of one operation are logged.
const maxLoggedDamage = 25

// damage are the damaged items that an operation has read.
type damage struct {
	mu    sync.Mutex
	known map[keys.Key]bool
}

// add adds the key of a damaged item. It returns how many there are with it, or 0 if it is not new.
func (d *damage) add(key keys.Key) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known[key] {
		return 0
	}
	if d.known == nil {
		d.known = map[keys.Key]bool{}
	}
	d.known[key] = true
	return len(d.known)
}

// omitDamaged removes damaged items from a page, and returns them. Paging is not affected.
func (op *Operation) omitDamaged(p *Page) []item.Item {
	return p.omit(func(it item.Item) bool {
		err := op.bound.Schema.CheckItem(p.condition, it)
		if err != nil {
			op.reportDamage(it, err)
		}
		return err != nil
	})
}

// reportDamage logs and counts a damaged item once in an operation, wherever it is read.
func (op *Operation) reportDamage(it item.Item, cause error) {
	key := keys.KeyOf(it)
	n := op.exec.damage.add(key)
	if n == 0 {
		return
	}
	op.engine.reportDamage(op.ctx, it, cause, n <= maxLoggedDamage)
}

// reportDamage counts a damaged item, and logs it.
func (e *Engine) reportDamage(ctx context.Context, it item.Item, cause error, isLogged bool) {
	key, typeName := keys.KeyOf(it), ""
	if t := e.design.Type(it.Type()); t != nil {
		typeName = t.Name
	}
	if o := e.options.Observer; o != nil {
		o.Damaged(ctx, typeName)
	}
	if isLogged {
		e.options.Logger.LogAttrs(ctx, slog.LevelError, "an item is damaged", slog.String("type", typeName),
			slog.String("pk", string(key.PK)), slog.String("sk", string(key.SK)), slog.String("error", cause.Error()))
	}
}
