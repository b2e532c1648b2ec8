package operation

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/viewer"
)

// challenger is an error with a value for the header WWW-Authenticate (RFC 9110, section 11.6.1).
type challenger interface {
	response.Coded
	Challenge() string
}

// Authenticate adds the viewer to the context of a request, and decides whose share the request is part of.
func (e *Executor) Authenticate(r *http.Request) (*http.Request, *response.Error) {
	v, err := e.Callers.Authenticate(r)
	SeatOf(r.Context()).Sit(CallerOf(v, r, e.Callers.TrustedProxies))
	if err != nil {
		return r, authenticationError(r, err)
	}
	return r.WithContext(viewer.NewContext(r.Context(), v)), nil
}

func authenticationError(r *http.Request, cause error) *response.Error {
	c, is := errors.AsType[challenger](cause)
	if is && c.Challenge() != "" {
		// The caller's mistake. It is not logged as an error, or anybody could fill the log with errors.
		logging.Logger(r.Context()).InfoContext(r.Context(), "a token was rejected", "cause", errors.Unwrap(c))
		err := response.Errorf(response.StatusOf[c.Code()], c.Code(), "%s", c.Error())
		err.Challenge = c.Challenge()
		return err
	}
	shown := response.Present(r.Context(), cause)
	code, _ := shown.Extensions["code"].(string)
	return &response.Error{Status: cmp.Or(response.StatusOf[code], http.StatusBadRequest), Errors: gqlerror.List{shown}}
}
