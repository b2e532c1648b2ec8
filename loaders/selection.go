package loaders

import (
	"hash/maphash"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// selection is a field of the document with all that is selected below it. The
// field alone does not tell: one in a fragment is merged with other fields at
// one place, and stands alone at the next.
type selection struct {
	field *ast.Field
	below uint64
}

// expectation is a question to expectsGets.
type expectation struct {
	object    *keys.Type
	selection selection
}

var selectionSeed = maphash.MakeSeed()

func selectionOf(f graphql.CollectedField) selection {
	var h maphash.Hash
	h.SetSeed(selectionSeed)
	for _, s := range f.Selections {
		maphash.WriteComparable(&h, s)
	}
	return selection{f.Field, h.Sum64()}
}
