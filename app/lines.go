package app

import (
	"fmt"
	"iter"
	"strings"

	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys/design"
)

// Lines returns the items for [Demo] in a text that is embedded into the program: lines as DynamoDB exports them to S3,
// plain or gzip, of a table with the design. The iteration panics at a malformed line.
func Lines(design *design.Design, text string) iter.Seq[item.Item] {
	return func(yield func(item.Item) bool) {
		for it, err := range admin.Items(strings.NewReader(text)) {
			if err != nil {
				panic(fmt.Errorf("app: the embedded items: %w", err))
			}
			if !yield(design.FromStored(it)) {
				return
			}
		}
	}
}
