package browse

import (
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
)

// descending is the Order from the end of a collection to its beginning.
const descending = "DESC"

// bounds are which sort keys of a partition a page has, and in which order.
type bounds struct {
	// From is where the page begins: with the first sort key that is not below it, or in descending order with the last
	// one that begins with it or is below it.
	From string `json:"from"`
	// Within is what all sort keys begin with; a Number is the sort key. It excludes From.
	Within string `json:"within"`
	// Order is descending or "".
	Order string `json:"order"`
}

// scope is what a position in these bounds is valid for.
func (q *bounds) scope() []string { return []string{q.From, q.Within, q.Order} }

// apply limits a Query of a partition to the bounds.
func (q *bounds) apply(read *request.Query, ix *stored.IndexLayout) error {
	from, err := ix.ParseSK(q.From)
	if err != nil {
		return err
	}
	within, err := ix.ParseSK(q.Within)
	if err != nil {
		return err
	}
	if q.Order != "" && q.Order != descending || from != "" && within != "" {
		return errorf("The page has no such order of sort keys. Load the page again.")
	}
	read.Descending = q.Order == descending
	switch {
	case within != "":
		read.From, read.To = within, lastOf(ix, within)
	case from == "":
	case read.Descending:
		read.From, read.To = keys.Lowest(""), lastOf(ix, from)
	default:
		read.From, read.To = from, keys.EndOfText
	}
	return nil
}

// lastOf returns the upper bound of the sort keys that begin with a text. A Number is a whole key.
func lastOf(ix *stored.IndexLayout, begin keys.SK) keys.SK {
	if len(ix.SK) == 1 && ix.SK[0].Number {
		return begin
	}
	return keys.EndOf(begin)
}
