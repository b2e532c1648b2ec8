package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
)

// idle is after what time without a call a session ends.
const idle = 30 * time.Minute

// The most sessions: a caller who begins one after the other gets as many budgets in that time at each replica, within
// the caller's own budget. A client that begins one for each of its calls can do so every minute.
const (
	maxSessions          = 2000
	maxSessionsPerCaller = 30
)

// sessions are those of all callers.
type sessions struct {
	mu    sync.Mutex
	limit Amount
	all   map[string]*owned // by ids
	// each is how many there are by callers; those that are just beginning are included.
	each  map[share.Caller]int
	total int
}

// owned is a session of a caller.
type owned struct {
	*session
	caller share.Caller
}

func newSessions(limit Amount) *sessions {
	return &sessions{limit: limit, all: map[string]*owned{}, each: map[share.Caller]int{}}
}

// reserve makes room for a session of a caller, which settle gives to an id.
func (s *sessions) reserve(caller share.Caller) *response.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takeRoom(caller)
}

func (s *sessions) takeRoom(caller share.Caller) *response.Error {
	if s.each[caller] >= maxSessionsPerCaller || s.total >= maxSessions {
		s.expire(time.Now())
	}
	switch {
	case s.each[caller] >= maxSessionsPerCaller:
		return response.Later(response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited,
			"You have begun %d sessions. Each ends %d minutes after its last call. Go on with one of them.",
			maxSessionsPerCaller, idle/time.Minute))
	case s.total >= maxSessions:
		return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"There are too many sessions at the moment. Try again later."))
	}
	s.each[caller]++
	s.total++
	return nil
}

// settle lets the room that a caller has reserved be the session with an id; "" if none has begun.
func (s *sessions) settle(id string, caller share.Caller) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" || s.all[id] != nil { // a call has come first
		s.forget(caller)
		return
	}
	s.all[id] = &owned{newSession(nameOf(id), s.limit), caller}
}

func (s *sessions) forget(caller share.Caller) {
	s.total--
	if s.each[caller]--; s.each[caller] == 0 {
		delete(s.each, caller)
	}
}

// of returns the session of a caller with an id: a new one if the id is new.
func (s *sessions) of(id string, caller share.Caller) (*session, *response.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.all[id]
	switch {
	case known != nil && known.caller != caller:
		return nil, response.Errorf(http.StatusForbidden, response.CodeForbidden, "This session is another caller's.")
	case known != nil && !known.isOver(time.Now()):
		return known.session, nil
	case known == nil:
		if err := s.takeRoom(caller); err != nil {
			return nil, err
		}
	}
	begun := newSession(nameOf(id), s.limit)
	s.all[id] = &owned{begun, caller}
	return begun, nil
}

// expire forgets the sessions that are over.
func (s *sessions) expire(now time.Time) {
	for id, o := range s.all {
		if o.isOver(now) {
			delete(s.all, id)
			s.forget(o.caller)
		}
	}
}

func (s *session) isOver(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reserved == Amount{} && now.Sub(s.last) > idle
}

// nameOf returns a short name for a session's id.
func nameOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:4])
}
