package subscribe

import (
	"net/http"
	"sync"
	"time"

	"github.com/partita/partita/viewer"
)

// whileTrusted calls a function once when the trust in the token of an authenticated request ends: it expires, or its
// key is withdrawn. The cause is errExpired or errUntrusted. Stop ends the wait; the function may still be called.
func (s *Server) whileTrusted(r *http.Request, ended func(cause error)) (stop func()) {
	v := viewer.FromContext(r.Context())
	if v.Until.IsZero() {
		return func() {}
	}
	var once sync.Once
	end := func(cause error) { once.Do(func() { ended(cause) }) }
	timer := time.AfterFunc(time.Until(v.Until), func() { end(errExpired) })
	verify := func() {
		if _, err := s.Callers.Authenticate(r); err != nil {
			go end(errUntrusted) // it may wait for operations
		}
	}
	forget := s.Callers.OnKeys(verify)
	verify() // the keys may have been replaced since the request was authenticated
	return func() {
		timer.Stop()
		forget()
	}
}
