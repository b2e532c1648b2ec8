package agents

import (
	"net/http"
	"testing"

	"github.com/partita/partita/internal/share"
)

// TestSessionOfAnother: a session has one caller, also if the SDK passes its id with another one.
func TestSessionOfAnother(t *testing.T) {
	s := newSessions(defaultSettings.Session)
	one, other := share.Caller{Viewer: "one"}, share.Caller{Viewer: "other"}
	begun, err := s.of("id", one)
	if err != nil {
		t.Fatal(err.Errors)
	}
	if again, err := s.of("id", one); again != begun || err != nil {
		t.Error("the caller does not go on with its session")
	}
	if got, err := s.of("id", other); got != nil || err == nil || err.Status != http.StatusForbidden {
		t.Errorf("another caller gets %v, %v", got, err)
	}
}
