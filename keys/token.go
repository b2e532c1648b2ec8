package keys

// maxTokenBytes limits the text of a token from a caller.
const maxTokenBytes = 4 * (2*MaxSKBytes + MaxPKBytes + 64)

// Token returns an encrypted position, of several texts, in a list that is no field's: the scope names the list. The
// tenant, "" without tenants, is part of it.
func (k *Cursors) Token(tenant string, scope, position []string) string {
	return k.Seal(tokenScope(tenant, scope), position)
}

// ParseToken returns the position in a token. ok is false for a text that Token has not returned for the same scope.
func (k *Cursors) ParseToken(tenant string, scope []string, text string) (position []string, ok bool) {
	if len(text) > maxTokenBytes {
		return nil, false
	}
	return k.Open(tokenScope(tenant, scope), text)
}

// tokenScope returns the scope of a list as that of a field's collection. No type has the name of the field's parent.
func tokenScope(tenant string, scope []string) []string {
	texts := []string{"/", "", string(appendTexts(nil, scope)), ""}
	if tenant != "" {
		texts = append([]string{"", tenant}, texts...)
	}
	return texts
}
