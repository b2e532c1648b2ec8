package loaders

import (
	"context"
	"log/slog"

	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

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

// IsUnreadable reports whether anything that the operation has selected may be unreadable: if not, no value needs a
// check before it is written.
func (op *Operation) IsUnreadable() bool { return op.exec.unreadable.is.Load() }

// Unreadable returns the error of a field whose value cannot be read because of an attribute of the item, or of an
// object that is stored in one. It is logged and counted once in an operation.
func (op *Operation) Unreadable(f *plan.Field, it item.Item, cause error) error {
	op.reportUnreadable(f.Parent+"."+f.Name, it, cause)
	return ErrUnreadable
}

func (op *Operation) reportUnreadable(field string, it item.Item, cause error) {
	key := keys.KeyOf(it)
	n := op.exec.damage.add(damaged{key, field})
	if n == 0 {
		return
	}
	if o := op.engine.options.Observer; o != nil {
		o.Unreadable(op.ctx, it.Type())
	}
	if n <= maxLoggedDamage {
		op.engine.options.Logger.LogAttrs(op.ctx, slog.LevelError, "an attribute cannot be read",
			slog.String("type", it.Type()), slog.String("pk", string(key.PK)), slog.String("sk", string(key.SK)),
			slog.String("field", field), slog.String("error", cause.Error()))
	}
}

// check remembers that something that is selected of an object cannot be read.
func (op *Operation) check(o *Instance) {
	if o.Item != nil && !o.Node.IsReadable(o.Item) {
		op.setUnreadable()
	}
}

func (op *Operation) setUnreadable() {
	op.exec.unreadable.is.Store(true)
	op.engine.unreadable.Store(true)
}

// checkSources returns the error of a field whose key condition depends on an attribute of the parent that cannot be
// read.
func (op *Operation) checkSources(f *plan.Field, parent item.Item) error {
	if !op.IsUnreadable() || parent == nil {
		return nil
	}
	if err := f.CheckSources(parent); err != nil {
		return op.Unreadable(f, parent, err)
	}
	return nil
}
