package keys

// MaxPage is how many items a page of a collection may have, and how many ids one field may have.
const MaxPage = 100

// Position is the position of an item in a range of one partition. The zero value is the beginning
// of the range.
type Position struct {
	// SK is the item's sort key in the table or the index.
	SK SK
	// Base is the item's primary key if the range is one of an index, because sort keys need not be
	// unique there. In the table it is zero.
	Base Key
}

// IsZero reports whether the Position is the beginning of a range.
func (p Position) IsZero() bool { return p == Position{} }
