package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/gateway/document"
	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// methodCall is the method of a call in the log, where operations have that of HTTP.
const methodCall = "tools/call"

// call is a call of a tool while it is carried out.
type call struct {
	*Service
	// request is that of the caller, in the context of the operation.
	request *http.Request
	// lasting is the request without the timeout of an operation.
	lasting *http.Request
	tool    callable
	name    string
	session *session
	line    *operation.Line
}

// run carries out a call as its caller, in the caller's share of the gateway. It writes one line into the log.
func (s *Service) run(ctx context.Context, by caller, name string, do func(*call) *output) (out *output) {
	seat := &operation.Seat{Shares: s.free.Shares}
	defer seat.Leave()
	from := logging.RequestOf(by.request.Context())
	ctx = httpserver.WithServer(ctx, by.request.Context())
	r := by.request.Clone(seat.Within(logging.WithRequest(ctx, &logging.Request{ID: from.ID, Logger: from.Logger})))
	r.Method = http.MethodPost // a session may also send mutations
	line := &operation.Line{Start: time.Now(), Method: methodCall, Name: name}
	observed, ended := s.free.Observer.Operation(r)
	r, line.Ended = r.WithContext(observed), ended
	c := &call{Service: s, request: r, tool: s.callables[name], name: name, line: line}
	defer func() {
		if cause := recover(); cause != nil {
			logging.Logger(r.Context()).ErrorContext(r.Context(), "panic",
				"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			out = c.failed(response.Internal(r.Context()))
		}
		line.End(c.request.Context())
	}()
	if err := c.begin(by, seat); err != nil {
		return c.failed(err)
	}
	c.lasting = c.request
	opCtx, cancel := context.WithTimeout(c.request.Context(), s.free.OperationTimeout)
	defer cancel()
	c.request = c.request.WithContext(opCtx)
	if err := seat.Enter(opCtx); err != nil {
		return c.failed(err)
	}
	return do(c)
}

// ctx is the context of the operation.
func (c *call) ctx() context.Context { return c.request.Context() }

// begin finds the caller and the session.
func (c *call) begin(by caller, seat *operation.Seat) (err *response.Error) {
	if httpserver.IsStopping(c.ctx()) {
		return response.Later(response.Errorf(http.StatusServiceUnavailable, response.CodeUnavailable,
			"The gateway is stopping. Call again."))
	}
	if c.request, err = c.free.Authenticate(c.request); err != nil {
		return err
	}
	if c.session, err = by.session(seat); err != nil {
		return err
	}
	c.line.Session = c.session.name
	if _, isKnown := c.callables[c.name]; isKnown {
		c.session.calls(c.name)
	}
	return nil
}

// failed returns the result of a call that has no data.
func (c *call) failed(err *response.Error) *output {
	c.line.Errors, c.line.Status = err.Errors, err.Status
	if c.line.Cost == (response.Cost{}) {
		c.line.Cost = err.Cost
	}
	out := &output{Errors: failuresOf(response.CapErrors(err.Errors))}
	if c.session != nil {
		c.session.refuse(true)
		out.Session = c.session.left()
	}
	return out
}

// load returns the operation of a call.
func (c *call) load(arguments json.RawMessage) (operation.Request, *response.Error) {
	if c.tool.executor == nil {
		return operation.Request{}, response.Errorf(http.StatusNotFound, response.CodeOperation,
			"There is no tool %q that has a price.", c.name[:min(len(c.name), maxToolName)])
	}
	if err := operation.SeatOf(c.ctx()).Take(len(arguments)); err != nil {
		return operation.Request{}, err
	}
	query, variables, err := c.tool.operation(arguments)
	if err != nil {
		return operation.Request{}, err
	}
	params, err := c.parameters(query, variables)
	if err != nil {
		return operation.Request{}, err
	}
	req, err := c.tool.executor.Load(c.request, params, c.line)
	if err == nil && c.tool.reads && req.Operation.Operation != ast.Query {
		err = response.Errorf(http.StatusForbidden, response.CodeForbidden,
			"This tool reads alone: only a query can be given. Other tools are there for what is allowed to change.")
	}
	return req, err
}

// parameters returns those of a request to /graphql for an operation, within its limits.
func (c *call) parameters(query string, variables json.RawMessage) (document.Parameters, *response.Error) {
	text, err := json.Marshal(query)
	if err != nil {
		panic(err) // a text is JSON
	}
	if len(bytes.TrimSpace(variables)) == 0 {
		variables = json.RawMessage("null")
	}
	var body bytes.Buffer
	fmt.Fprintf(&body, `{"query":%s,"variables":%s}`, text, variables)
	return document.ReadBody(body.Bytes(), c.free.Limits.Limits)
}

// price returns what a call would cost at most.
func (c *call) price(arguments json.RawMessage) *output {
	_, estimate, err := c.priced(arguments)
	if err != nil {
		return c.failed(err)
	}
	c.line.Status, c.line.Executed = http.StatusOK, true
	price := priceOf(estimate)
	return &output{Price: &price, Session: c.session.left()}
}

// priced returns the operation of a call and its price, and an error if that is more than an operation may cost.
func (c *call) priced(arguments json.RawMessage) (operation.Request, plan.Price, *response.Error) {
	req, err := c.load(arguments)
	if err != nil {
		return req, plan.Price{}, err
	}
	estimate, cause := c.free.Meter.Price(c.ctx(), c.tool.executor.Bind(c.ctx(), req))
	if req.Operation.Operation == ast.Subscription && cause == nil {
		bound := c.tool.executor.Bind(c.ctx(), req).OfEvent()
		ofEvent, eventCause := c.free.Meter.Price(c.ctx(), bound)
		estimate, cause = dearest(estimate, ofEvent), eventCause
	}
	c.line.Cost = response.EstimateOf(estimate)
	if cause != nil {
		return req, estimate, response.LimitError(c.ctx(), cause)
	}
	return req, estimate, nil
}

// execute executes the operation of a call within the session's budget.
func (c *call) execute(arguments json.RawMessage) *output {
	req, estimate, err := c.priced(arguments)
	if err != nil {
		return c.failed(err)
	}
	reserved, err := c.session.begin(estimate, c.Tools.AnswerBytes)
	if err != nil {
		return c.failed(err)
	}
	used := reserved // what counts if nobody knows what was used
	ended := false
	end := func() {
		if !ended {
			c.session.end(reserved, used)
		}
		ended = true
	}
	defer end()
	answer, err := c.tool.executor.Execute(c.ctx(), req)
	charged := 0
	if err != nil {
		answer = response.Result{Cost: err.Cost}
	} else {
		if err = c.tool.executor.CheckAnswer(c.ctx(), answer, c.line.Kind); err == nil {
			charged, err = c.checkSize(len(answer.Data), int(reserved.Bytes))
		}
	}
	c.line.Cost = answer.Cost
	used = Amount{
		Units:   operation.InBudget(answer.Cost.ReadUnits, answer.Cost.WriteUnits, 0),
		Objects: float64(answer.Cost.Objects), Bytes: float64(charged),
	}
	end()
	atMost := priceOf(estimate)
	if err != nil {
		out := c.failed(err)
		out.Receipt = receiptOf(answer.Cost, charged, &atMost)
		return out
	}
	c.line.Executed, c.line.Status, c.line.Errors = true, http.StatusOK, answer.Errors
	out := &output{
		Data: answer.Data, Errors: failuresOf(answer.Errors), Receipt: receiptOf(answer.Cost, charged, &atMost),
		Session: c.session.left(),
	}
	var data map[string]any
	if json.Unmarshal(answer.Data, &data) == nil {
		out.More = more(req.Operation, data)
	}
	return out
}

// checkSize returns how many bytes are charged for an answer, and an error for one that is larger than one may be here.
// One that is larger than all that is left uses it up: an agent could otherwise pay for further answers in vain.
func (c *call) checkSize(size, limit int) (charged int, err *response.Error) {
	if size <= limit {
		return size, nil
	}
	advice := "Ask for a smaller page."
	if limit < c.Tools.AnswerBytes {
		charged, advice = limit, "No more bytes are left in this session."
	}
	if c.line.Kind == string(ast.Mutation) {
		advice += " The mutation has been carried out."
	}
	return charged, response.Errorf(http.StatusUnprocessableEntity, response.CodeCostLimit,
		"The answer has %d bytes, and %d are the most that it may have. %s", size, limit, advice)
}

// add adds a tool that executes an operation.
func (s *Service) add(server *mcp.Server, by callers, t *mcp.Tool) {
	server.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		out := s.run(ctx, by(req), t.Name, func(c *call) *output { return c.execute(req.Params.Arguments) })
		return out.result(t.Name), nil
	})
}
