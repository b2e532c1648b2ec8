package gateway

import (
	"regexp"
	"strings"
	"testing"
)

func TestSafeIDs(t *testing.T) {
	safe := regexp.MustCompile(`^[A-Za-z0-9._:/+=-]{1,128}$`)
	ids := []string{
		"", "abc-1", "a b", "a\nb", "\u00e9", strings.Repeat("x", maxRequestID), strings.Repeat("x", maxRequestID+1),
	}
	for c := range 256 {
		ids = append(ids, string([]byte{byte(c)}), string([]byte{'x', byte(c)}))
	}
	for _, id := range ids {
		if got, want := isSafeID(id), safe.MatchString(id); got != want {
			t.Errorf("%q: got %v, want %v", id, got, want)
		}
	}
}
