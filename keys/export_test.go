package keys

// Forge returns the cursor with this payload, as a caller who knows the secret could send it.
func (c Condition) Forge(payload []byte) string {
	return c.cursors().seal(&c, func(b []byte) []byte { return append(b, payload...) })
}
