package replicas_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/storetest"
)

// TestACL: a user with the permissions that the documentation names can do all that a gateway does with the store, and
// nothing with other keys.
func TestACL(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/operations.md")
	fatal.If(t, err)
	found := regexp.MustCompile("(?s)the user needs\\s+`(.*?)`").FindSubmatch(page)
	if found == nil {
		t.Fatal("the page names no permissions")
	}
	server := storetest.Start(t)
	permissions := strings.Fields(string(found[1]))
	server.Do(t, append([]string{"ACL", "SETUSER", "gateway", "on", ">secret"}, permissions...)...)
	s, _ := open(t, server.URL("gateway:secret"), "", patient)
	text := replicas.Text{Key: s.Key("text"), Text: "text", Kept: time.Minute}
	fatal.If(t, s.Append(t.Context(), s.Key("stream"), "x", 100, text))
	if entries, err := s.Follow(t.Context(), s.Key("stream"), replicas.FirstID); err != nil || len(entries) != 1 {
		t.Errorf("it follows %v, %v", entries, err)
	}
	if _, err := s.Last(t.Context(), s.Key("stream")); err != nil {
		t.Error(err)
	}
	parts, err := s.Parts(t.Context(), []replicas.Part{{Key: text.Key, Bytes: 4}})
	if err != nil || parts[0] != "text" {
		t.Errorf("it has %q, %v", parts, err)
	}
	if err := s.Append(t.Context(), "other", "x", 100, replicas.Text{}); err == nil {
		t.Error("it may write other keys")
	}
}
