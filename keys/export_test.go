package keys

import (
	"encoding/base64"
	"encoding/binary"
)

// Forge returns the cursor with this payload and the checksum that goes with it, as a caller who
// knows how cursors are made could send it.
func (c Condition) Forge(payload []byte) string {
	b := append([]byte{cursorVersion}, payload...)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, c.checksum(b)))
}
