package check

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
)

// Sample is what a few items of a table show.
type Sample struct {
	// Items is how many items were read.
	Items int
	// Unfit are those that do not fit the schema, each with one violation.
	Unfit []Violation
}

// alone are the kinds of violations that an item shows without any other one.
var alone = []Kind{ItemUnknown, ItemInvalid, ItemTooLarge, KeyWrong, IndexEntryWrong}

// ReadSample reads at most that many items by one Scan, and inspects each by itself: nothing else is read. Options has
// the Design, the Rules and Decode. Errors are those of the Source.
func ReadSample(ctx context.Context, source Source, o Options, items int) (Sample, error) {
	p, err := newPass(source, o, Cost{})
	if err != nil {
		return Sample{}, err
	}
	result, err := p.meter.scan(ctx, admin.Scan{Limit: items})
	if err != nil {
		return Sample{}, err
	}
	s := Sample{Items: len(result.Items)}
	shares, without := p.shares(result, keys.Key{})
	for _, of := range shares {
		for _, it := range of.items {
			if wrong := p.inspector.alone(it); len(wrong) > 0 {
				s.Unfit = append(s.Unfit, p.shown(of, wrong[:1])...)
			}
		}
	}
	for _, it := range without {
		s.Unfit = append(s.Unfit, withoutTenant(it))
	}
	return s, nil
}

// Inspector inspects items by themselves: nothing else is read.
type Inspector struct{ inspector *inspector }

// NewInspector returns an Inspector. Options has the Design, the Rules and Decode; now returns the time by the clock of
// the table.
func NewInspector(o Options, now func() time.Time) Inspector { return Inspector{newInspector(o, now)} }

// Inspect returns what is wrong with an item that has all its attributes, as far as the item itself shows it.
func (i Inspector) Inspect(it item.Item) []Violation { return i.inspector.alone(it) }

// IsRuled reports whether there are rules for items with the entityType.
func (i Inspector) IsRuled(entityType string) bool { return len(i.inspector.rules[entityType]) > 0 }

// alone returns what is wrong with an item as far as the item itself shows it.
func (in *inspector) alone(it item.Item) []Violation {
	return slices.DeleteFunc(in.inspect(it, nothing{}), func(v Violation) bool { return !slices.Contains(alone, v.Kind) })
}

// nothing is a Reader of an empty table.
type nothing struct{}

func (nothing) Get(keys.Key) item.Item { return nil }

func (nothing) Range(string, keys.PK, keys.SK) iter.Seq[item.Item] {
	return func(func(item.Item) bool) {}
}
