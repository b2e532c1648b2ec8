package loaders

import (
	"hash/maphash"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/keys"
)

// selection identifies a field of the document with everything that is selected below it. The field
// alone does not: a field of a fragment may be merged with other fields at one place and not at
// another.
type selection struct {
	field *ast.Field
	below uint64
}

// laterGetsKey is what the result of hasLaterGets depends on.
type laterGetsKey struct {
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
