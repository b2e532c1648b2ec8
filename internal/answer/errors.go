package answer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/partita/partita/internal/plan"
)

// FieldError is why a field has no value, or only null.
type FieldError struct {
	Err error
	// Path is that of the field, or of the element of its list.
	Path ast.Path
	// Field is the field; nil if the error is that of an element.
	Field *plan.Field
}

// CodeNotImplemented is the code of a NotImplementedError.
const CodeNotImplemented = "NOT_IMPLEMENTED"

// NotImplementedError is the error of a field that only a resolver written in Go can answer, in a service without Go.
type NotImplementedError struct{ parent, field string }

// Error returns a message for the caller.
func (e *NotImplementedError) Error() string {
	return fmt.Sprintf("%s.%s needs a resolver written in Go, and this API is served without any; "+
		"`partita generate` makes a Go module for it", e.parent, e.field)
}

// Code returns CodeNotImplemented.
func (e *NotImplementedError) Code() string { return CodeNotImplemented }

// fieldErrors are the errors of an answer. Thousands of fields can fail for the same reason, so only those that are
// presented are kept.
type fieldErrors struct {
	max   int
	count int
	// first are the first max+1 errors by their paths.
	first []fieldError
}

type fieldError struct {
	path  []segment
	field *plan.Field
	err   error
}

// add adds an error; the path is copied.
func (e *fieldErrors) add(path []segment, f *plan.Field, err error) {
	e.count++
	at := len(e.first)
	for at > 0 && slices.CompareFunc(e.first[at-1].path, path, segment.compare) > 0 {
		at--
	}
	if at > e.max {
		return
	}
	if len(e.first) > e.max {
		e.first = e.first[:e.max]
	}
	e.first = slices.Insert(e.first, at, fieldError{slices.Clone(path), f, err})
}

// segment is an element of a path: the alias of a field, or an index of a list.
type segment struct {
	alias string
	index int
}

// compare compares elements at the same place of two paths: an index comes before a name.
func (s segment) compare(other segment) int {
	return cmp.Or(cmp.Compare(s.alias, other.alias), cmp.Compare(s.index, other.index))
}

// ComparePaths compares the paths of two errors: by element, a shorter one first.
func ComparePaths(a, b ast.Path) int {
	return slices.CompareFunc(a, b, func(x, y ast.PathElement) int { return segmentOf(x).compare(segmentOf(y)) })
}

func segmentOf(e ast.PathElement) segment {
	if index, is := e.(ast.PathIndex); is {
		return segment{index: int(index)}
	}
	return segment{alias: string(e.(ast.PathName))}
}

func pathOf(segments []segment) ast.Path {
	path := make(ast.Path, len(segments))
	for i, s := range segments {
		if path[i] = ast.PathName(s.alias); s.alias == "" {
			path[i] = ast.PathIndex(s.index)
		}
	}
	return path
}

// Errors of values that are null where the schema does not allow it. Their texts are those of gqlgen, for the log.
var (
	errNullElement = errors.New("the requested element is null which the schema does not allow")
	errNull        = errors.New("must not be null")
)
