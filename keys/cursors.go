package keys

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"sync"
)

// MinCursorSecretBytes is the length from which on a secret for cursors cannot be found by trying.
const MinCursorSecretBytes = 32

// Cursors encrypts cursors and decrypts them. Equal positions have equal cursors, so that equal pages have equal bytes:
// the initialization vector is a keyed hash of the position and its collection, which is also the proof that a cursor
// is one of this collection (a synthetic initialization vector, as in RFC 5297, of HMAC-SHA256 and AES-CTR). A cursor
// shows only the length of its position. The methods may be called concurrently.
//
// https://www.iacr.org/archive/eurocrypt2006/40040377/40040377.pdf
type Cursors struct {
	block   cipher.Block
	sealers sync.Pool // of *sealer
}

// NewCursors returns the Cursors with a secret. All replicas of a gateway need the same one. Without a secret, all who
// know this package can read and make cursors.
func NewCursors(secret []byte) *Cursors {
	if len(secret) == 0 {
		secret = []byte("partita cursors, which everybody can read")
	}
	derive := func(use string) []byte {
		key, err := hkdf.Key(sha256.New, secret, nil, use, sha256.Size)
		if err != nil {
			panic(err) // the length is not too large
		}
		return key
	}
	block, err := aes.NewCipher(derive("partita: encrypt cursors"))
	if err != nil {
		panic(err) // the length is one of AES's
	}
	hashKey := derive("partita: authenticate cursors")
	k := &Cursors{block: block}
	k.sealers.New = func() any { return &sealer{mac: hmac.New(sha256.New, hashKey)} }
	return k
}

// A sealer has the buffers for one cursor, so that they are not allocated for each.
type sealer struct {
	mac             hash.Hash
	sum             [sha256.Size]byte
	counter, stream [aes.BlockSize]byte
	scope, sealed   []byte
}

const (
	cursorVersion = 2
	cursorHeader  = 1 + aes.BlockSize // the version and the initialization vector
)

// Seal returns a cursor with the texts of a position. It is valid for one collection: that with the same scope.
func (k *Cursors) Seal(scope, position []string) string {
	return string(k.AppendSeal(nil, scope, position))
}

// AppendSeal appends the cursor that Seal returns.
func (k *Cursors) AppendSeal(b []byte, scope, position []string) []byte {
	s := k.sealers.Get().(*sealer)
	defer k.sealers.Put(s)
	s.sealed = append(s.sealed[:0], make([]byte, cursorHeader)...)
	s.sealed = appendTexts(s.sealed, position)
	return k.appendSealed(b, s, scope)
}

// appendSealed encrypts the position in s.sealed, and appends the cursor.
func (k *Cursors) appendSealed(b []byte, s *sealer, scope []string) []byte {
	s.sealed[0] = cursorVersion
	text := s.sealed[cursorHeader:]
	copy(s.sealed[1:cursorHeader], s.vector(scope, text))
	k.crypt(s, text, s.sealed[1:cursorHeader])
	return base64.RawURLEncoding.AppendEncode(b, s.sealed)
}

// Open returns the texts of the position in a cursor. ok is false for a text that Seal has not returned for the scope.
func (k *Cursors) Open(scope []string, text string) (position []string, ok bool) {
	sealed, ok := decode(text)
	if !ok {
		return nil, false
	}
	rest, ok := k.open(scope, sealed)
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

// open returns the position in a decoded cursor, which it overwrites.
func (k *Cursors) open(scope []string, sealed []byte) (position []byte, ok bool) {
	if len(sealed) < cursorHeader || sealed[0] != cursorVersion {
		return nil, false
	}
	s := k.sealers.Get().(*sealer)
	defer k.sealers.Put(s)
	vector, text := sealed[1:cursorHeader], sealed[cursorHeader:]
	k.crypt(s, text, vector)
	return text, subtle.ConstantTimeCompare(vector, s.vector(scope, text)) == 1
}

// vector returns the initialization vector of a position in the collection with a scope, valid until the next call.
func (s *sealer) vector(scope []string, position []byte) []byte {
	s.scope = appendTexts(s.scope[:0], scope)
	s.mac.Reset()
	_, _ = s.mac.Write(s.scope) // a hash returns no errors
	_, _ = s.mac.Write(position)
	return s.mac.Sum(s.sum[:0])[:aes.BlockSize]
}

// crypt encrypts or decrypts a text by AES in counter mode. That of crypto/cipher allocates for each text.
func (k *Cursors) crypt(s *sealer, text, vector []byte) {
	copy(s.counter[:], vector)
	for len(text) > 0 {
		k.block.Encrypt(s.stream[:], s.counter[:])
		text = text[subtle.XORBytes(text, text, s.stream[:min(len(text), aes.BlockSize)]):]
		for i := len(s.counter) - 1; i >= 0; i-- {
			if s.counter[i]++; s.counter[i] != 0 {
				break
			}
		}
	}
}

func appendTexts(b []byte, texts []string) []byte {
	for _, text := range texts {
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b
}

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
