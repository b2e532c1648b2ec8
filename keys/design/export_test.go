package design

import "encoding/binary"

// Forge returns the cursor with this payload, as a caller who knows the secret could send it. The rest of a payload
// that does not consist of texts is its last text.
func (c Condition) Forge(payload []byte) string {
	var texts []string
	for rest := payload; len(rest) > 0; {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			texts = append(texts, string(rest))
			break
		}
		texts = append(texts, string(rest[size:size+int(n)]))
		rest = rest[size+int(n):]
	}
	scope, from := c.cursorScope()
	return c.cursors().Seal(scope[from:], texts)
}
