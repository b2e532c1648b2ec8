package gateway

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/viewer"
)

// challenger is an error that says in the header WWW-Authenticate how to do better (RFC 9110, section 11.6.1).
type challenger interface {
	coded
	Challenge() string
}

// authenticate puts who sends the request into its context.
func (e *endpoint) authenticate(r *http.Request) (*http.Request, *refusal) {
	v, err := e.config.Authenticate(r)
	if err != nil {
		return r, refuseViewer(r, err)
	}
	return r.WithContext(viewer.NewContext(r.Context(), v)), nil
}

func refuseViewer(r *http.Request, err error) *refusal {
	c, is := errors.AsType[challenger](err)
	if is && c.Challenge() != "" {
		// It is for the caller to mend: no failure of the gateway, which anybody could fill the log with.
		logger(r.Context()).InfoContext(r.Context(), "a token was refused", "cause", errors.Unwrap(c))
		no := refuse(statusOf[c.Code()], c.Code(), "%s", c.Error())
		no.challenge = c.Challenge()
		return no
	}
	shown := present(r.Context(), err)
	code, _ := shown.Extensions["code"].(string)
	return &refusal{status: cmp.Or(statusOf[code], http.StatusBadRequest), errors: gqlerror.List{shown}}
}
