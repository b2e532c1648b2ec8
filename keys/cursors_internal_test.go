package keys

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"testing"
)

// TestCrypt compares with the counter mode of crypto/cipher, also where the counter overflows.
func TestCrypt(t *testing.T) {
	k := NewCursors(nil)
	for _, vector := range [][]byte{
		make([]byte, aes.BlockSize),
		bytes.Repeat([]byte{0xff}, aes.BlockSize),
		append(make([]byte, aes.BlockSize-1), 0xfe),
		append(bytes.Repeat([]byte{1}, aes.BlockSize-2), 0xff, 0xff),
	} {
		for size := range 70 {
			text := bytes.Repeat([]byte("x"), size)
			want := make([]byte, size)
			cipher.NewCTR(k.block, vector).XORKeyStream(want, text)
			if k.crypt(&sealer{}, text, vector); !bytes.Equal(text, want) {
				t.Errorf("%d bytes with the vector %x: got %x, want %x", size, vector, text, want)
			}
		}
	}
}

// FuzzOpen: a cursor with any content, sealed with the secret, is the texts that it has, or none.
func FuzzOpen(f *testing.F) {
	k, scope := NewCursors(nil), []string{"Query", "orders"}
	f.Add([]byte{})
	f.Add(appendTexts(nil, []string{"", "a", "ab"}))
	f.Add([]byte{5, 'a'})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, payload []byte) {
		s := k.sealers.Get().(*sealer)
		s.sealed = append(make([]byte, cursorHeader), payload...)
		texts, ok := k.Open(scope, string(k.appendSealed(nil, s, scope)))
		if again := appendTexts(nil, texts); ok && len(again) > len(payload) {
			t.Errorf("%x has %q", payload, texts)
		}
	})
}
