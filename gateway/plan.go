package gateway

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// plans says whether the gateway answers /plan: where it keeps its schema to itself, it keeps its keys, too.
func (c Config) plans() bool { return c.Plan != nil && !c.DisableIntrospection }

// planner is POST /plan. It takes the requests of /graphql and answers each with what its operation would send to the table. It executes
// nothing and takes nothing out of a budget.
//
// The answer is no GraphQL response, since no such response stands for an operation that is valid and was not executed: without data it
// is a request error, and data would have to hold the result (GraphQL specification, section 7.1). A request that has no plan is
// refused as at /graphql.
type planner struct{ *endpoint }

// planned is the body of an answer.
type planned struct {
	Plan any `json:"plan"`
	// Errors say why the operation would be refused nevertheless.
	Errors gqlerror.List `json:"errors,omitempty"`
}

func (p planner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	line := &operationLine{start: time.Now(), method: r.Method, status: http.StatusInternalServerError} // unless there is no panic
	defer func() {
		line.duration = time.Since(line.start)
		line.write(r.Context(), "plan")
	}()
	r, err := p.authenticate(r)
	var body []byte
	if err == nil {
		body, err = p.plan(w, r, line)
	}
	if err != nil {
		line.errors = err.errors
		line.status = writeRequestError(w, err)
		return
	}
	line.status = http.StatusOK
	w.Header().Set("Content-Type", mediaJSON)
	w.Header().Set("Cache-Control", cacheNothing)
	_, _ = w.Write(body) // the client has gone away if this fails
}

func (p planner) plan(w http.ResponseWriter, r *http.Request, line *operationLine) ([]byte, *requestError) {
	params, err := p.admit(w, r)
	if err != nil {
		return nil, err
	}
	defer p.slots.free()
	req, err := p.load(r, params, line)
	if err != nil {
		return nil, err
	}
	ctx, operation, errs := p.operationContext(r.Context(), req)
	line.cost.EstimatedReadUnits = p.config.Estimate(operation).ReadUnits
	answer := planned{Plan: p.config.Plan(operation)}
	if len(errs) > 0 {
		answer.Errors = operationError(ctx, errs).errors
		line.errors = answer.Errors
	}
	body, invalid := json.Marshal(answer)
	if invalid != nil {
		panic(invalid) // the result of Config.Plan is not JSON
	}
	return body, nil
}
