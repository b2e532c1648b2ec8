package loaders

import (
	"context"
	"log/slog"
	"sync"

	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// maxLoggedDamage is how many damaged items and attributes that cannot be read are logged for one operation.
const maxLoggedDamage = 25

// damage are the damaged items that an operation has read, and the attributes of others that it could not read.
type damage struct {
	mu    sync.Mutex
	known map[damaged]bool
}

// damaged is an item, or the attribute of a field of one.
type damaged struct {
	key   keys.Key
	field string
}

// add adds one. It returns how many there are with it, or 0 if it is not new.
func (d *damage) add(one damaged) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known[one] {
		return 0
	}
	if d.known == nil {
		d.known = map[damaged]bool{}
	}
	d.known[one] = true
	return len(d.known)
}

// omitDamaged removes damaged items from a page, and returns them. Paging is not affected. The others are as they are
// shown.
func (op *Operation) omitDamaged(p *Page) []item.Item {
	var shown map[keys.Key]item.Item
	damaged := p.omit(func(it item.Item) bool {
		checked, err := op.bound.CheckItem(p.condition, it)
		switch {
		case err != nil:
			op.reportDamage(it, err)
		case &checked[0] != &it[0]:
			if shown == nil {
				shown = map[keys.Key]item.Item{}
			}
			shown[keys.KeyOf(it)] = checked
		}
		return err != nil
	})
	if shown != nil {
		p.reconcile(shown)
	}
	return damaged
}

// reportDamage logs and counts a damaged item once in an operation, wherever it is read.
func (op *Operation) reportDamage(it item.Item, cause error) {
	n := op.exec.damage.add(damaged{key: keys.KeyOf(it)})
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
