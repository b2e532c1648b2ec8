package sweep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// Source has the requests of a sweep. table.Table implements it.
type Source interface {
	GetItem(ctx context.Context, r request.GetItem) (request.Result, error)
	Query(ctx context.Context, r request.Query) (request.Result, error)
	TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error)
	Now() time.Time
}

// Sweeper removes deleted objects and what is below them.
type Sweeper struct {
	Design *design.Design
	Source Source
	// Log has a line for each deleted object that was removed, for each that cannot be, and for each progressEvery objects
	// in between.
	Log *slog.Logger
}

// Totals is what a sweep has removed itself, and what it has consumed.
type Totals struct {
	// Removed are the numbers of objects by their types.
	Removed               map[string]int
	ReadUnits, WriteUnits float64
}

// Objects returns how many objects were removed.
func (t Totals) Objects() int {
	n := 0
	for _, of := range t.Removed {
		n += of
	}
	return n
}

// String lists the numbers by type: "3 Follow, 1 User", or "nothing".
func (t Totals) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(t.Removed)) {
		parts = append(parts, fmt.Sprintf("%d %s", t.Removed[name], name))
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// DamageError is the error for an object that cannot be removed, because the table has items that no mutation writes.
type DamageError struct {
	// ID is the global id of the object.
	ID keys.ID
	// Problem is the violation, with the key of an item.
	Problem string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("what is below the deleted %s %s cannot be removed: %s; see what \"partita table check\" says",
		e.ID.Type(), strings.Join(e.ID.Values(), " "), e.Problem)
}

func isDamage(err error) bool {
	_, is := errors.AsType[*DamageError](err)
	return is
}
