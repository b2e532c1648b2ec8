package gateway

import (
	"errors"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/viewer"
)

// challenger is an error that says in the header WWW-Authenticate how to do better (RFC 9110, section 11.6.1).
type challenger interface {
	error
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
	shown := present(r.Context(), err)
	code, _ := shown.Extensions["code"].(string)
	no := &refusal{status: http.StatusBadRequest, errors: gqlerror.List{shown}}
	if status, known := statusOf[code]; known {
		no.status = status
	}
	if c, is := errors.AsType[challenger](err); is {
		no.challenge = c.Challenge()
	}
	return no
}
