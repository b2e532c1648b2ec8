package gateway

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/share"
	"github.com/partita/partita/loaders"
	reads "github.com/partita/partita/request"
	"github.com/partita/partita/viewer"
)

// TablePage is the page at /table, which shows what is stored. It writes by the mutations of the schema, and with
// ForThisMachine also single items.
type TablePage struct {
	// Reader reads the table. Nil removes the page.
	Reader TableReader
	// ForThisMachine is set if visitors of this machine may see the whole table, because it is for development only. All
	// others need the role RoleTable.
	ForThisMachine bool
}

// RoleTable is the role of viewers who may see what is stored, whatever the rules of the schema are. In a table with
// tenants that is what their own tenant has.
const RoleTable = "ADMIN"

// TableReader answers the questions of the page: JSON for JSON. It is a *browse.Browser. Its method is called
// concurrently, with the tenant of the viewer in the context.
type TableReader interface {
	// Answer returns the answer to the question with the name, and what it has read and written in how many requests: one,
	// if any, and Result.CompanionReads. An error with a Code method is for the visitor; others wrap those of package
	// request.
	Answer(ctx context.Context, name string, question []byte) (answer []byte, read reads.Result, err error)
}

// pathTable is the page. Its questions are sent to paths below it.
const pathTable = "/table"

// questionChange is the question that changes an item. Only visitors of this machine may ask it, and only if the table
// is for them.
const questionChange = "change"

// maxQuestionBytes is more than any other question has: the keys of an item, escaped.
const maxQuestionBytes = 64 << 10

// worstPageUnits is what one request of the page consumes at worst: 1 MB, eventually consistent, and its last item.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html
const worstPageUnits = 178

// tableEndpoint is POST /table/{question}. Its requests have their share of the gateway and their budget as operations
// do.
type tableEndpoint struct{ *endpoint }

func (t tableEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The status is that of a panic, unless it is replaced.
	line := &operation.Line{
		Start: time.Now(), Method: r.Method, Name: r.PathValue("question"), Status: http.StatusInternalServerError,
	}
	defer func() {
		line.Duration = time.Since(line.Start)
		line.Write(r.Context(), "table")
	}()
	r, err := t.Authenticate(r)
	var body []byte
	if err == nil {
		body, err = t.answer(w, r, line)
	}
	if err == nil {
		err = operation.SeatOf(r.Context()).Take(len(body))
	}
	if err != nil {
		line.Errors = err.Errors
		line.Status = t.reject(w, r, err)
		return
	}
	line.Status = http.StatusOK
	w.Header().Set("Content-Type", response.MediaJSON)
	w.Header().Set("Cache-Control", response.CacheNothing)
	response.Send(w, r, body)
}

func (t tableEndpoint) answer(w http.ResponseWriter, r *http.Request, line *operation.Line) ([]byte, *response.Error) {
	if err := t.authorize(r); err != nil {
		return nil, err
	}
	limits := t.config.Limits
	if line.Name != questionChange {
		limits.MaxBodyBytes = min(limits.MaxBodyBytes, maxQuestionBytes)
	}
	question := response.NewBuffer()
	defer response.Release(question)
	ctx, cancel, err := t.await(w, r, question, limits)
	if err != nil {
		return nil, err
	}
	defer cancel()
	return t.read(ctx, line, question)
}

// read answers a question within the caller's budget.
func (t tableEndpoint) read(
	ctx context.Context, line *operation.Line, question *bytes.Buffer,
) ([]byte, *response.Error) {
	reserved, err := t.Budgets.ReservePage(ctx, share.TurnOf(ctx).Caller, worstPageUnits)
	if err != nil {
		return nil, err
	}
	var read reads.Result
	defer func() {
		line.Cost.ReadUnits, line.Cost.WriteUnits, line.Cost.Retries = read.ReadUnits, read.WriteUnits, read.Retries
		if read.ReadUnits > 0 {
			line.Cost.Requests = 1 + read.CompanionReads
		}
		reserved.Commit(ctx, operation.InBudget(read.ReadUnits, read.WriteUnits, 0))
	}()
	if tenant := viewer.FromContext(ctx).Tenant; tenant != "" {
		ctx = reads.WithTenant(ctx, tenant)
	}
	share.TurnOf(ctx).End()
	if t.Shares.Pages.Acquire(ctx, share.TurnOf(ctx).Caller) != nil {
		return nil, response.Later(response.Errorf(http.StatusTooManyRequests, response.CodeRateLimited,
			"Other questions of yours are being answered. Ask one at a time."))
	}
	defer t.Shares.Pages.Release(share.TurnOf(ctx).Caller)
	body, read, cause := t.config.Table.Reader.Answer(ctx, line.Name, question.Bytes())
	if cause != nil {
		if _, isCoded := errors.AsType[response.Coded](cause); !isCoded {
			cause = loaders.NewReadError(cause)
		}
		return nil, response.OperationError(ctx, gqlerror.List{gqlerror.Wrap(cause)})
	}
	return body, nil
}

// authorize returns an error for callers who may not see the table, or not change its items.
func (t tableEndpoint) authorize(r *http.Request) *response.Error {
	v := viewer.FromContext(r.Context())
	isOfThisMachine := t.config.Table.ForThisMachine && operation.IsFromThisMachine(r, t.config.Callers.TrustedProxies)
	isAllowed := v.Has(RoleTable) || isOfThisMachine
	switch {
	case isAllowed && r.PathValue("question") == questionChange && !isOfThisMachine:
		return response.Errorf(http.StatusForbidden, response.CodeForbidden,
			"Items are changed here on the local engine only, by visitors of its machine. Use a mutation.")
	case isAllowed:
		return t.config.Callers.Check(r.Context())
	case v.IsAnonymous():
		err := response.Errorf(http.StatusUnauthorized, response.CodeUnauthenticated,
			"What is stored is shown to viewers with the role %s only. Send such a token in Authorization.", RoleTable)
		err.Challenge = `Bearer realm="graphql"`
		return err
	default:
		return response.Errorf(http.StatusForbidden, response.CodeForbidden,
			"What is stored is shown to viewers with the role %s only.", RoleTable)
	}
}
