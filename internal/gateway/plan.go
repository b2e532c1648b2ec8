package gateway

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan/price"
)

// planEndpoint is POST /plan. It accepts the requests of /graphql and returns what their operations would send to the
// table. It neither executes them nor charges a budget.
//
// The body is not a GraphQL response, because there is none for an operation that is valid and was not executed: a
// response without data is a request error, and data is the result (GraphQL specification, section 7.1). A request
// without a plan gets the same request error as from /graphql.
type planEndpoint struct{ *endpoint }

// planBody is the body of a response.
type planBody struct {
	Plan price.Explanation `json:"plan"`
	// Errors are why the operation would not be executed, such as its cost.
	Errors gqlerror.List `json:"errors,omitempty"`
}

func (p planEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The status is that of a panic, unless it is replaced.
	line := &operation.Line{Start: time.Now(), Method: r.Method, Status: http.StatusInternalServerError}
	defer func() {
		line.Duration = time.Since(line.Start)
		line.Write(r.Context(), "plan")
	}()
	r, err := p.Authenticate(r)
	var body []byte
	if err == nil {
		body, err = p.plan(w, r, line)
	}
	if err == nil {
		err = operation.SeatOf(r.Context()).Take(len(body))
	}
	if err != nil {
		line.Errors = err.Errors
		line.Status = p.reject(w, r, err)
		return
	}
	line.Status = http.StatusOK
	w.Header().Set("Content-Type", response.MediaJSON)
	w.Header().Set("Cache-Control", response.CacheNothing)
	response.Send(w, r, body)
}

func (p planEndpoint) plan(w http.ResponseWriter, r *http.Request, line *operation.Line) ([]byte, *response.Error) {
	_, cancel, params, err := p.receive(w, r)
	if err != nil {
		return nil, err
	}
	defer cancel()
	req, err := p.Load(r, params, line)
	if err != nil {
		return nil, err
	}
	bound := p.Bind(r.Context(), req)
	estimate, cause := p.Meter.Price(r.Context(), bound)
	line.Cost = response.EstimateOf(estimate)
	answer := planBody{Plan: price.Explain(bound)}
	if cause != nil {
		answer.Errors = response.LimitError(r.Context(), cause).Errors
		line.Errors = answer.Errors
	}
	body, invalid := json.Marshal(answer)
	if invalid != nil {
		panic(invalid) // an explanation is JSON
	}
	return body, nil
}
