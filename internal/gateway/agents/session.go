package agents

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// CodeSessionBudget is the code of a call that may consume more than its session has left.
const CodeSessionBudget = "SESSION_BUDGET"

// A session is what the calls of an agent consume together. Its methods may be called concurrently.
type session struct {
	// name is in the log. It does not show the id, with which others could go on with the session.
	name  string
	limit Amount

	mu    sync.Mutex
	began time.Time
	// carriedOut is how many calls were, and refused how many had an error and no data.
	carriedOut, refused int
	spent, reserved     Amount
	// last is when the last call was, and tool its tool; "" for none.
	last time.Time
	tool string
}

func newSession(name string, limit Amount) *session {
	now := time.Now()
	return &session{name: name, limit: limit, began: now, last: now}
}

// calls notes the tool of a call.
func (s *session) calls(tool string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tool = tool
}

// refuse counts a call that has no data, if it has none.
func (s *session) refuse(isNothing bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isNothing {
		s.refused++
	}
}

// plus returns an amount with another one, n times.
func (a Amount) plus(n float64, b Amount) Amount {
	return Amount{a.Units + n*b.Units, a.Objects + n*b.Objects, a.Bytes + n*b.Bytes}
}

// left returns what nothing has been spent of, or reserved.
func (s *session) left() Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rest()
}

// begin reserves the price of a call and the bytes of its answer: those of the largest answer, or all that are left.
func (s *session) begin(price plan.Price, answerBytes int) (Amount, *response.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := amountOf(price)
	wanted.Bytes = min(float64(answerBytes), max(s.rest().Bytes, 1))
	if err := s.take(wanted); err != nil {
		return Amount{}, err
	}
	s.carriedOut++
	return wanted, nil
}

// reserve reserves the price of an event.
func (s *session) reserve(price plan.Price) (Amount, *response.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := amountOf(price)
	if err := s.take(wanted); err != nil {
		return Amount{}, err
	}
	return wanted, nil
}

// check returns an error for a price that is more than is left.
func (s *session) check(price plan.Price) *response.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lack(amountOf(price))
}

// amountOf returns what a price takes out of a session, without the bytes of an answer.
func amountOf(p plan.Price) Amount {
	return Amount{Units: operation.InBudget(p.ReadUnits, p.WriteUnits, 0), Objects: p.Objects}
}

// take reserves an amount. s.mu is locked, as for lack and rest.
func (s *session) take(wanted Amount) *response.Error {
	s.last = time.Now()
	if err := s.lack(wanted); err != nil {
		return err
	}
	s.reserved = s.reserved.plus(1, wanted)
	return nil
}

// lack returns an error for an amount that is more than is left.
func (s *session) lack(wanted Amount) *response.Error {
	left := s.rest()
	for _, k := range []struct {
		what               string
		wanted, left, most float64
	}{
		{"read units", wanted.Units, left.Units, s.limit.Units},
		{"objects", wanted.Objects, left.Objects, s.limit.Objects},
		{"bytes of answers", wanted.Bytes, left.Bytes, s.limit.Bytes},
	} {
		if k.wanted > k.left {
			return shortage(k.what, k.wanted, k.left, k.most)
		}
	}
	return nil
}

// rest returns what nothing has been spent of, or reserved.
func (s *session) rest() Amount { return s.limit.plus(-1, s.spent).plus(-1, s.reserved) }

// end replaces what was reserved by what was used.
func (s *session) end(reserved, used Amount) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved, s.spent = s.reserved.plus(-1, reserved), s.spent.plus(1, used)
	s.last = time.Now()
}

// shortage returns the error of a call for which too little is left.
func shortage(what string, wanted, left, most float64) *response.Error {
	left = max(left, 0)
	advice := "Ask for less: smaller pages, or fewer at a time."
	switch {
	case wanted > most:
		advice = "No session has so many. Ask for less: smaller pages, or fewer at a time."
	case left < most/100:
		advice = "The budget is used up. Do not call again: say what you have found, and that more needs a new session."
	}
	return response.Errorf(http.StatusTooManyRequests, CodeSessionBudget,
		"The call may take up to %s %s; of the %s of this session %s are left. %s",
		amount(wanted), what, amount(most), amount(left), advice)
}

// amount formats a number without an exponent and with at most one digit after the point.
func amount(n float64) string {
	text := strconv.FormatFloat(n, 'f', 1, 64)
	return fmt.Sprint(text[:len(text)-2], map[bool]string{false: text[len(text)-2:]}[text[len(text)-1] == '0'])
}
