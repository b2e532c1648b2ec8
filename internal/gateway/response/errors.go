package response

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/partita/partita/internal/answer"
	"github.com/partita/partita/internal/gateway/logging"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/plan/price"
	"github.com/partita/partita/loaders"
)

// A Coded error is meant for the caller: the response has its message, and its code as extensions.code.
type Coded interface {
	error
	Code() string
}

// A panicError replaces a panic that recovered has logged.
type panicError struct{}

func (panicError) Error() string { return "panic" }

// Recovered logs a resolver's panic with its stack, and returns the error of the field.
func Recovered(ctx context.Context, cause any) error {
	logging.Logger(ctx).ErrorContext(ctx, "panic in a resolver", "path", fieldPath(ctx).String(),
		"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
	return panicError{}
}

// Present returns the error of a field as the caller may see it. An error that is not meant for the caller is logged,
// and the caller gets the request id to find it in the log.
func Present(ctx context.Context, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Path: fieldPath(ctx)}
	argument := ""
	raised, isGraphQL := errors.AsType[*gqlerror.Error](err)
	if isGraphQL {
		shown.Locations = raised.Locations
		shown.Path, argument = splitArgument(ctx, raised.Path)
	}
	if field := graphql.GetFieldContext(ctx); len(shown.Locations) == 0 && field != nil && field.Field.Field != nil {
		shown.Locations = locationOf(field.Field.Position)
	}
	code, message := describe(ctx, err, raised, argument)
	return shownAs(ctx, shown, err, code, message)
}

// PresentField is present for an error of an operation that gqlgen does not execute.
func PresentField(ctx context.Context, e answer.FieldError) *gqlerror.Error {
	shown, argument := &gqlerror.Error{Path: e.Path}, ""
	if e.Field != nil {
		shown.Locations = locationOf(e.Field.Position)
	}
	if invalid, is := errors.AsType[*plan.ArgumentError](e.Err); is {
		argument = invalid.Path.String()
	}
	code, message := describe(ctx, e.Err, nil, argument)
	return shownAs(ctx, shown, e.Err, code, message)
}

// shownAs completes an error, and logs what the caller must not see.
func shownAs(ctx context.Context, shown *gqlerror.Error, err error, code, message string) *gqlerror.Error {
	shown.Message = message
	shown.Extensions = map[string]any{"code": code}
	hidden := hiddenCause(err)
	switch code {
	case loaders.CodeDamaged, loaders.CodeUnreadable:
		shown.Extensions["requestId"] = logging.ID(ctx)
	case CodeInternal:
		id := logging.ID(ctx)
		shown.Message = fmt.Sprintf("Something went wrong here, not in your operation. Report it with the request id %s.", id)
		shown.Extensions["requestId"] = id
		if _, logged := errors.AsType[panicError](err); !logged && hidden == nil {
			hidden = err
		}
	}
	// An operation that is cancelled because the client is gone is not a failure.
	if hidden != nil && !errors.Is(hidden, context.Canceled) {
		logFailure(ctx, shown.Path, code, hidden)
	}
	return shown
}

// hiddenCause returns the part of a coded error that the caller must not see, or nil.
func hiddenCause(err error) error {
	if c, isCoded := errors.AsType[Coded](err); isCoded {
		return errors.Unwrap(c)
	}
	return nil
}

// describe returns an error's code, and its message unless the code is codeInternal.
func describe(ctx context.Context, err error, raised *gqlerror.Error, argument string) (code, message string) {
	if c, isCoded := errors.AsType[Coded](err); isCoded {
		message = c.Error()
		if argument != "" {
			message = argument + ": " + message
		}
		return c.Code(), message
	}
	if raised != nil {
		if code, isSet := raised.Extensions["code"].(string); isSet {
			return code, raised.Message
		}
	}
	switch {
	case argument != "":
		message = "The value of the argument " + argument + " is not one of its type" + argumentType(ctx, argument) + "."
		return CodeBadUserInput, message
	case errors.Is(err, context.DeadlineExceeded):
		return codeTimeout, "The operation took too long. Ask for less at once, or try again."
	case errors.Is(err, context.Canceled):
		return CodeUnavailable, "The operation was cancelled before this field was answered. Try again."
	default:
		return CodeInternal, ""
	}
}

// splitArgument separates the path of an error into that of its field and that of an argument. For an argument that
// its Go type rejects, the executor returns an error whose path continues from the field into the argument. If it
// continues with an index instead, the error is that of an element of the field's list. An error that several fields
// share has the path of the first one, and is presented with that of each.
func splitArgument(ctx context.Context, path ast.Path) (field ast.Path, argument string) {
	field = fieldPath(ctx)
	if field == nil {
		return path, ""
	}
	if len(path) <= len(field) || !slices.Equal(path[:len(field)], field) {
		return field, ""
	}
	if _, isIndex := path[len(field)].(ast.PathIndex); isIndex {
		return path, ""
	}
	return field, path[len(field):].String()
}

func argumentType(ctx context.Context, argument string) string {
	field := graphql.GetFieldContext(ctx)
	if field.Field.Field == nil || field.Field.Definition == nil {
		return ""
	}
	definition := field.Field.Definition.Arguments.ForName(argument)
	if definition == nil {
		return ""
	}
	return ", " + definition.Type.String()
}

func fieldPath(ctx context.Context) ast.Path {
	if field := graphql.GetFieldContext(ctx); field != nil {
		return field.Path()
	}
	return nil
}

func locationOf(position *ast.Position) []gqlerror.Location {
	if position == nil {
		return nil
	}
	return []gqlerror.Location{{Line: position.Line, Column: position.Column}}
}

// SortErrors sorts errors by their paths, since gqlgen executes fields concurrently.
func SortErrors(errs gqlerror.List) {
	slices.SortStableFunc(errs, func(a, b *gqlerror.Error) int { return answer.ComparePaths(a.Path, b.Path) })
}

// logFailure logs why a field failed, for up to maxErrors fields of an operation.
func logFailure(ctx context.Context, path ast.Path, code string, err error) {
	if logging.RequestOf(ctx).Failures.Add(1) > MaxErrors {
		return
	}
	logging.Logger(ctx).LogAttrs(ctx, slog.LevelError, "a field failed",
		slog.String("path", path.String()), slog.String("code", code), slog.String("error", err.Error()))
}

// LimitError returns the request error for an operation that may cost too much.
func LimitError(ctx context.Context, cause error) *Error {
	err := gqlerror.WrapIfUnwrapped(cause)
	if limit, is := errors.AsType[*price.LimitError](cause); is {
		err.Locations = locationOf(limit.Position)
	}
	return OperationError(ctx, gqlerror.List{err})
}

// OperationError returns the request error for an operation that was rejected, or that ended without data.
func OperationError(ctx context.Context, errs gqlerror.List) *Error {
	err := &Error{Status: http.StatusUnprocessableEntity}
	for _, cause := range errs {
		shown := Present(ctx, cause)
		err.Errors = append(err.Errors, shown)
		if status, known := StatusOf[shown.Extensions["code"].(string)]; known {
			err.Status = status
		}
	}
	return err
}
