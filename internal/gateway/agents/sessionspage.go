package agents

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/partita/partita/internal/gateway/playground"
	"github.com/partita/partita/internal/gateway/response"
)

var (
	//go:embed sessions.gohtml
	sessionsText string
	//go:embed sessions.css
	sessionsStyle string
)

var sessionsTemplate = template.Must(template.New("sessions").Funcs(template.FuncMap{
	"amount": amount,
	"clock":  func(t time.Time) string { return t.Format(time.TimeOnly) },
	"full":   func(t time.Time) string { return t.Format(time.RFC3339) },
}).Parse(sessionsText))

// WantsPage reports whether a request is that of a browser for a page.
func WantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// sessionsPage is the page with the sessions, without the sessions. It is one file, and sends no request.
type sessionsPage struct {
	Links  []playground.Link
	Style  template.CSS
	Script template.JS
	// Idle is after how many minutes a session ends.
	Idle   int
	policy string
}

func newSessionsPage(links []playground.Link) *sessionsPage {
	styles := playground.Tokens + sessionsStyle
	return &sessionsPage{
		Links: links, Style: template.CSS(styles), Idle: int(idle / time.Minute),
		Script: template.JS(playground.Scheme), //nolint:gosec // Both are part of the program.
		policy: fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:; base-uri 'none'; "+
			"form-action 'none'; frame-ancestors 'none'",
			playground.SourceOf(styles), playground.SourceOf(playground.Scheme)),
	}
}

// write writes the page with sessions, or without for a visitor who may not see them.
func (p *sessionsPage) write(w http.ResponseWriter, all []listed, isClosed bool) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", p.policy)
	if isClosed {
		w.WriteHeader(http.StatusForbidden)
	}
	view := struct {
		*sessionsPage
		Sessions []listed
		IsClosed bool
		Now      time.Time
	}{p, all, isClosed, time.Now().UTC()}
	_ = sessionsTemplate.Execute(w, view) // an error means that the browser is gone
}

// Sessions answers operators with the sessions and what they have spent: a browser with a page, with links to all
// pages, and others with JSON. It is for callers of this machine.
func (s *Service) Sessions(links []playground.Link) http.Handler {
	page := newSessionsPage(links)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		all := s.sessions.list()
		w.Header().Set("Vary", "Accept")
		w.Header().Set("Cache-Control", response.CacheNothing)
		if WantsPage(r) {
			page.write(w, all, false)
			return
		}
		text, err := json.MarshalIndent(map[string][]listed{"sessions": all}, "", " ")
		if err != nil {
			panic(err) // names, numbers and times are JSON
		}
		w.Header().Set("Content-Type", response.MediaJSON)
		_, _ = w.Write(append(text, '\n')) // fails only when the client has gone
	})
}

// ClosedSessions answers browsers of other machines.
func ClosedSessions(links []playground.Link) http.Handler {
	page := newSessionsPage(links)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Vary", "Accept")
		w.Header().Set("Cache-Control", response.CacheNothing)
		page.write(w, nil, true)
	})
}
