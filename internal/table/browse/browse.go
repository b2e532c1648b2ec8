package browse

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
)

// Source is the table, such as an admin.Scanner.
type Source interface {
	Name() string
	Schema() table.Schema
	QueryStored(context.Context, request.Query) (request.Result, error)
	ScanKeys(context.Context, admin.KeyScan) (admin.KeyPage, error)
	// Now returns the time by the clock of the table.
	Now() time.Time
}

// Browser answers questions about a table. Its method may be called concurrently.
type Browser struct {
	source    Source
	design    *design.Design
	options   check.Options
	inspector check.Inspector
	cursors   *keys.Cursors
	// editor is that of Editing; nil for none.
	editor Editor
}

// New returns a Browser. Options has the Design, the Rules and Decode, by which items are recognised as by check.Table.
// The secret encrypts the positions between two pages: all replicas of a gateway need the same one.
func New(source Source, o check.Options, secret []byte) *Browser {
	return &Browser{
		source: source, design: o.Design, options: o, inspector: check.NewInspector(o, source.Now),
		cursors: keys.NewCursors(secret),
	}
}

// Error is an error whose text is for the person at the page.
type Error struct{ code, message string }

func (e *Error) Error() string { return e.message }

// Code returns the extensions.code of the error in a response.
func (e *Error) Code() string { return e.code }

func errorf(format string, args ...any) *Error {
	return &Error{"BAD_USER_INPUT", fmt.Sprintf(format, args...)}
}

// index returns the names of an index of the design, with "" those of the table.
func (b *Browser) index(name string) (stored.IndexLayout, error) {
	if name != "" && !slices.Contains(b.design.IndexNames(), name) {
		return stored.IndexLayout{}, errorf("The schema has no index of this name.")
	}
	return b.design.Layout.Index(name), nil
}

// errToken is the error of a position that is none of the list.
var errToken = errorf("The position is none of this list. Begin with its first page.")
