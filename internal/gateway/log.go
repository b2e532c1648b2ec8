package gateway

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"

	"github.com/partita/partita/internal/gateway/logging"
)

// maxRequestID is the length in bytes of the longest id that is accepted from a caller.
const maxRequestID = 128

// isSafeID reports whether an id has only letters, digits and ._:/+=- and can be written into a line of the log.
func isSafeID(id string) bool {
	for i := range len(id) {
		c := id[i]
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isLetter && !('0' <= c && c <= '9') && strings.IndexByte("._:/+=-", c) < 0 {
			return false
		}
	}
	return 0 < len(id) && len(id) <= maxRequestID
}

// withRequestID adds an id to the context of each request, the caller's or a new one. All lines of the request in the
// log have it.
func withRequestID(base *slog.Logger, next http.Handler) http.Handler {
	base = logging.WithIDs(base)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(logging.HeaderRequestID)
		if !isSafeID(id) {
			id = rand.Text()
		}
		w.Header().Set(logging.HeaderRequestID, id)
		ctx := logging.WithRequest(r.Context(), &logging.Request{ID: id, Logger: base})
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
