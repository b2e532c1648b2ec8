package agents

import (
	"slices"
	"time"
)

// listed is what operators see of a session.
type listed struct {
	// Session is its name in the log, which is of no use to go on with it.
	Session string `json:"session"`
	// Tenant and Viewer are those of the caller, and Network is that of an anonymous one.
	Tenant  string `json:"tenant,omitempty"`
	Viewer  string `json:"viewer,omitempty"`
	Network string `json:"network,omitempty"`
	// Since is when the session has begun, and Last when its last call was, whose tool is Tool; "" for none.
	Since time.Time `json:"since"`
	Last  time.Time `json:"last"`
	Tool  string    `json:"tool,omitempty"`
	// Calls are those that were carried out, and Refused those that have an error and no data.
	Calls   int    `json:"calls"`
	Refused int    `json:"refused"`
	Spent   Amount `json:"spent"`
	Limit   Amount `json:"limit"`
}

// spending is how much of a kind a session has spent.
type spending struct{ Spent, Limit float64 }

// Spendings returns those of units, objects and bytes.
func (l listed) Spendings() []spending {
	return []spending{
		{l.Spent.Units, l.Limit.Units}, {l.Spent.Objects, l.Limit.Objects}, {l.Spent.Bytes, l.Limit.Bytes},
	}
}

// list returns the sessions, the latest first.
func (s *sessions) list() []listed {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire(time.Now())
	all := make([]listed, 0, len(s.all))
	for _, o := range s.all {
		all = append(all, o.listed())
	}
	slices.SortFunc(all, func(a, b listed) int { return b.Last.Compare(a.Last) })
	return all
}

func (o *owned) listed() listed {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := listed{
		Session: o.name, Tenant: o.caller.Tenant, Viewer: o.caller.Viewer,
		Since: o.began.UTC(), Last: o.last.UTC(), Tool: o.tool, Calls: o.carriedOut, Refused: o.refused,
		Spent: o.spent, Limit: o.limit,
	}
	if o.caller.Network.IsValid() {
		l.Network = o.caller.Network.String()
	}
	return l
}
