package response

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/keys"
)

func pathOf(elements ...any) ast.Path {
	var path ast.Path
	for _, e := range elements {
		if i, isIndex := e.(int); isIndex {
			path = append(path, ast.PathIndex(i))
		} else {
			path = append(path, ast.PathName(e.(string)))
		}
	}
	return path
}

// TestSortErrors: errors are sorted by their paths, indexes by number, and those with the same path keep their order.
func TestSortErrors(t *testing.T) {
	sorted := []ast.Path{
		nil,
		pathOf("a"),
		pathOf("a", 2),
		pathOf("a", 10),
		pathOf("a", 10, "b"),
		pathOf("a", "b"),
		pathOf("b", 0, "z"),
		pathOf("b", 1, "a"),
	}
	var want gqlerror.List
	for _, path := range sorted {
		want = append(want, &gqlerror.Error{Path: path, Message: "first"}, &gqlerror.Error{Path: path, Message: "second"})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var errs gqlerror.List
		for _, i := range random.Perm(len(sorted)) {
			errs = append(errs, want[2*i], want[2*i+1])
		}
		SortErrors(errs)
		for i := range errs {
			if errs[i] != want[i] {
				t.Fatalf("error %d is %v %q, want %v %q", i, errs[i].Path, errs[i].Message, want[i].Path, want[i].Message)
			}
		}
	}
}

// hiding is a coded error with a cause that the caller must not see.
type hiding struct {
	code  string
	cause error
}

func (hiding) Error() string   { return "The table is busy." }
func (e hiding) Code() string  { return e.code }
func (e hiding) Unwrap() error { return e.cause }

// TestPresentField: an error has the same text whether gqlgen executes the operation or not.
func TestPresentField(t *testing.T) {
	secret := errors.New("secret failure")
	input := &keys.InputError{Argument: "from", Message: "a time must be written as in RFC 3339"}
	field := &plan.Field{Position: &ast.Position{Line: 3, Column: 7}}
	path := pathOf("reader", "loans")
	const (
		located  = `"path":["reader","loans"],"locations":[{"line":3,"column":7}],`
		internal = `{"message":"Something went wrong here, not in your operation. Report it with the request id r1.",`
	)
	for _, tt := range []struct {
		name      string
		err       answer.FieldError
		want, log string // an empty log has no line
	}{
		{
			"coded", answer.FieldError{Err: hiding{code: "THROTTLED"}, Path: path, Field: field},
			`{"message":"The table is busy.",` + located + `"extensions":{"code":"THROTTLED"}}`, "",
		},
		{
			"coded with a cause", answer.FieldError{Err: hiding{"THROTTLED", secret}, Path: path, Field: field},
			`{"message":"The table is busy.",` + located + `"extensions":{"code":"THROTTLED"}}`,
			`path=reader.loans code=THROTTLED error="secret failure"`,
		},
		{
			"internal with a cause", answer.FieldError{Err: hiding{CodeInternal, secret}, Path: path, Field: field},
			internal + located + `"extensions":{"code":"INTERNAL_SERVER_ERROR","requestId":"r1"}}`,
			`path=reader.loans code=INTERNAL_SERVER_ERROR error="secret failure"`,
		},
		{
			"uncoded", answer.FieldError{Err: secret, Path: path, Field: field},
			internal + located + `"extensions":{"code":"INTERNAL_SERVER_ERROR","requestId":"r1"}}`,
			`path=reader.loans code=INTERNAL_SERVER_ERROR error="secret failure"`,
		},
		{
			"denied", answer.FieldError{Err: plan.ErrForbidden, Path: path, Field: field},
			`{"message":"you may not see this, if it is there at all; sign in as someone who may",` + located +
				`"extensions":{"code":"FORBIDDEN"}}`, "",
		},
		{
			"an argument", answer.FieldError{
				Err: &plan.ArgumentError{Path: pathOf("lentAt", "from"), Err: input}, Path: path, Field: field,
			},
			`{"message":"lentAt.from: a time must be written as in RFC 3339",` + located +
				`"extensions":{"code":"BAD_USER_INPUT"}}`, "",
		},
		{
			"an element of an argument", answer.FieldError{
				Err: &plan.ArgumentError{Path: pathOf("ids", 2), Err: input}, Path: path, Field: field,
			},
			`{"message":"ids[2]: a time must be written as in RFC 3339",` + located +
				`"extensions":{"code":"BAD_USER_INPUT"}}`, "",
		},
		{
			"an element of a list", answer.FieldError{Err: hiding{code: "THROTTLED"}, Path: pathOf("nodes", 2)},
			`{"message":"The table is busy.","path":["nodes",2],"extensions":{"code":"THROTTLED"}}`, "",
		},
		{
			"too late", answer.FieldError{Err: fmt.Errorf("x: %w", context.DeadlineExceeded), Path: path, Field: field},
			`{"message":"The operation took too long. Ask for less at once, or try again.",` + located +
				`"extensions":{"code":"TIMEOUT"}}`, "",
		},
		{
			"cancelled", answer.FieldError{Err: context.Canceled, Path: path, Field: field},
			`{"message":"The operation was cancelled before this field was answered. Try again.",` + located +
				`"extensions":{"code":"UNAVAILABLE"}}`, "",
		},
		{
			"the client is gone", answer.FieldError{Err: hiding{codeTimeout, context.Canceled}, Path: path, Field: field},
			`{"message":"The table is busy.",` + located + `"extensions":{"code":"TIMEOUT"}}`, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			logger := slog.New(slog.NewTextHandler(&log, nil))
			ctx := logging.WithRequest(t.Context(), &logging.Request{ID: "r1", Logger: logger})
			got, err := json.Marshal(PresentField(ctx, tt.err))
			fatal.If(t, err)
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if (tt.log == "") != (log.Len() == 0) || !strings.Contains(log.String(), tt.log) {
				t.Errorf("the log has %q, want %q", log.String(), tt.log)
			}
			if tt.err.Field == nil {
				return
			}
			by, err := json.Marshal(Present(atField(ctx, tt.err), raisedBy(tt.err)))
			fatal.If(t, err)
			if !bytes.Equal(by, got) {
				t.Errorf("gqlgen %s\nanswer %s", by, got)
			}
		})
	}
}

// atField returns the context of an error's field in gqlgen's executor.
func atField(ctx context.Context, e answer.FieldError) context.Context {
	for _, element := range e.Path {
		fc := &graphql.FieldContext{Field: graphql.CollectedField{
			Field: &ast.Field{Alias: string(element.(ast.PathName)), Position: e.Field.Position},
		}}
		ctx = graphql.WithFieldContext(ctx, fc)
	}
	return ctx
}

// raisedBy returns an error as gqlgen's executor does: the path of one in an argument continues into it.
func raisedBy(e answer.FieldError) error {
	invalid, is := errors.AsType[*plan.ArgumentError](e.Err)
	if !is {
		return e.Err
	}
	return &gqlerror.Error{Err: invalid.Err, Path: append(e.Path[:len(e.Path):len(e.Path)], invalid.Path...)}
}
