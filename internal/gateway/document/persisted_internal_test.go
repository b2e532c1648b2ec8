package document

import (
	"strconv"
	"strings"
	"testing"
)

func TestCacheOfPersistedQueriesIsLimited(t *testing.T) {
	byNumber := newQueryTexts(3, 1000)
	for i := range 5 {
		byNumber.add(strconv.Itoa(i), "0123456789")
	}
	if byNumber.lru.Len() != 3 || byNumber.bytes != 30 {
		t.Errorf("by number: %d entries of %d bytes", byNumber.lru.Len(), byNumber.bytes)
	}
	byBytes := newQueryTexts(100, 100)
	for i := range 10 {
		byBytes.add(strconv.Itoa(i), strings.Repeat("x", 30))
		byBytes.add(strconv.Itoa(i), strings.Repeat("x", 30)) // counts once
		byBytes.get("0")                                      // stays because it is used
	}
	if byBytes.lru.Len() != 3 || byBytes.bytes != 90 {
		t.Errorf("by bytes: %d entries of %d bytes", byBytes.lru.Len(), byBytes.bytes)
	}
	for hash, want := range map[string]bool{"0": true, "1": false, "7": false, "8": true, "9": true} {
		if _, known := byBytes.get(hash); known != want {
			t.Errorf("%s is known: %v, want %v", hash, known, want)
		}
	}
}
