package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/gateway/response"
	"github.com/partita/partita/plan"
)

// servesPlan reports whether the gateway serves /plan. A plan contains keys, which are no more public than the schema.
func (c Config) servesPlan() bool { return c.hasTable && !c.Documents.DisableIntrospection }

// planHeader requests what each Read of the plan has consumed, in extensions.plan of the response, if its value is
// planMeasured and the gateway serves /plan. The ids of the Reads are those of the plan that /plan returns for the same
// request.
const (
	planHeader   = "Partita-Plan"
	planMeasured = "measured"
)

// requestHeaders are the names of the request headers that pages of other origins may send.
func (c Config) requestHeaders() []string {
	headers := c.Engine.RequestHeaders()
	if c.servesPlan() {
		headers = append(slices.Clone(headers), planHeader)
	}
	return headers
}

// isMeasured reports whether a response has what each Read of the plan has consumed.
func (c Config) isMeasured(header http.Header) bool {
	return header.Get(planHeader) == planMeasured && c.servesPlan()
}

// planEndpoint is POST /plan. It accepts the requests of /graphql and returns what their operations would send to the
// table. It neither executes them nor charges a budget.
//
// The body is not a GraphQL response, because there is none for an operation that is valid and was not executed: a
// response without data is a request error, and data is the result (GraphQL specification, section 7.1). A request
// without a plan gets the same request error as from /graphql.
type planEndpoint struct{ *endpoint }

// planBody is the body of a response.
type planBody struct {
	Plan plan.Explanation `json:"plan"`
	// Errors are why the operation would not be executed, such as its cost.
	Errors gqlerror.List `json:"errors,omitempty"`
}

func (p planEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The status is that of a panic, unless it is replaced.
	line := &operationLine{start: time.Now(), method: r.Method, status: http.StatusInternalServerError}
	defer func() {
		line.duration = time.Since(line.start)
		line.write(r.Context(), "plan")
	}()
	r, err := p.authenticate(r)
	var body []byte
	if err == nil {
		body, err = p.plan(w, r, line)
	}
	if err == nil {
		err = seatOf(r.Context()).take(len(body))
	}
	if err != nil {
		line.errors = err.Errors
		line.status = p.reject(w, r, err)
		return
	}
	line.status = http.StatusOK
	w.Header().Set("Content-Type", response.MediaJSON)
	w.Header().Set("Cache-Control", response.CacheNothing)
	response.Send(w, r, body)
}

func (p planEndpoint) plan(w http.ResponseWriter, r *http.Request, line *operationLine) ([]byte, *response.Error) {
	_, cancel, params, err := p.receive(w, r)
	if err != nil {
		return nil, err
	}
	defer cancel()
	req, err := p.load(r, params, line)
	if err != nil {
		return nil, err
	}
	bound := p.bind(r.Context(), req)
	price, cause := p.config.Engine.Price(bound)
	line.cost = response.EstimateOf(price)
	answer := planBody{Plan: bound.Explain()}
	if cause != nil {
		answer.Errors = response.LimitError(r.Context(), cause).Errors
		line.errors = answer.Errors
	}
	body, invalid := json.Marshal(answer)
	if invalid != nil {
		panic(invalid) // an explanation is JSON
	}
	return body, nil
}
