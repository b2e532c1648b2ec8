package keys

import "encoding/binary"

// Token returns an encrypted position, of several texts, in a list that is no field's: the scope names the list. The
// tenant, "" without tenants, is part of it.
func (k *Cursors) Token(tenant string, scope, position []string) string {
	return k.seal(tokenScope(tenant, scope), func(b []byte) []byte { return appendTexts(b, position) })
}

// ParseToken returns the position in a token. ok is false for a text that Token has not returned for the same scope.
func (k *Cursors) ParseToken(tenant string, scope []string, text string) (position []string, ok bool) {
	if len(text) > 2*maxCursorBytes {
		return nil, false
	}
	sealed, ok := decode(text)
	if !ok {
		return nil, false
	}
	rest, ok := k.open(tokenScope(tenant, scope), sealed)
	for ok && len(rest) > 0 {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return nil, false
		}
		position = append(position, string(rest[size:size+int(n)]))
		rest = rest[size+int(n):]
	}
	return position, ok
}

// tokenScope returns the condition whose collection is the scope. No type has the name of its field's parent.
func tokenScope(tenant string, scope []string) *Condition {
	return &Condition{
		Field: &Field{Parent: "/"}, Tenant: tenant, scope: string(appendTexts(nil, scope)),
	}
}

func appendTexts(b []byte, texts []string) []byte {
	for _, text := range texts {
		b = appendText(b, text)
	}
	return b
}
