package keys

import (
	"github.com/partita/partita/item"
)

// Agrees reports whether the key is that of the shape with the values of the item.
func (s Shape) Agrees(key Key, it item.Item) bool { return s.agrees(key, it, 1) }

// Forge returns the cursor with this payload, as a caller who knows the secret could send it.
func (c Condition) Forge(payload []byte) string {
	return c.cursors().seal(&c, func(b []byte) []byte { return append(b, payload...) })
}
