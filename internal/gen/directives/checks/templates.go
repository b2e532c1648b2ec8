package checks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/partita/partita/internal/gen/directives/document"
	"github.com/partita/partita/internal/gen/directives/fixes"
)

// checkTemplates finds what cannot be a key.
func checkTemplates(r *checker) {
	for _, u := range r.Unreadable {
		d, name := u.Directive, u.Name
		switch {
		case u.HasNoSortKey:
			r.find(d.Position, u.Coordinate, fmt.Sprintf("sk is %q, but the table has no sort key", u.Text),
				"remove sk from @"+d.Name)
		case u.Err != nil:
			r.find(d.Position, u.Coordinate, fmt.Sprintf("%s %q: %v", name, u.Text, u.Err),
				fixes.Rewritten(r.Design, u.Coordinate, name, u.Text))
		case u.Text == "":
			own := document.MissingKeyIn(r.Schema.Types, name, d, u.Coordinate)
			if _, err := r.Parse(strings.Trim(own, `"`)); own == "" || err != nil {
				own = strconv.Quote(fixes.OwnKey(r.Design, u.Coordinate))
			}
			r.find(d.Position, u.Coordinate, name+" is empty: DynamoDB stores no empty key",
				fmt.Sprintf("write %s: %s, or another literal with the variables that identify an item", name, own))
		default:
			whole := u.Text
			if d.Name != "query" || name != "sk" {
				whole = strings.TrimSuffix(u.Text, r.Names().Delimiter)
			}
			r.find(d.Position, u.Coordinate, fmt.Sprintf("%s %q has an empty part", name, u.Text),
				fixes.Rewritten(r.Design, u.Coordinate, name, whole))
		}
	}
}
