package write

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/partita/partita/keys"
)

// UserError is a mistake in an input that a person can correct. A schema's type
// UserError with the same fields is bound to it.
type UserError struct {
	// Field is the place in the input, such as "lines.2.quantity"; nil when it is no
	// single field.
	Field *string
	// Message is a sentence for the person.
	Message string
	Code    Code
}

// Code is what is wrong, for programs: a value of the enum of UserError.code. A
// schema may have further codes of its own.
type Code string

// The codes that every schema with UserError has.
const (
	// CodeInvalid: the value breaks a rule.
	CodeInvalid Code = "INVALID"
	// CodeNotFound: there is no such object.
	CodeNotFound Code = "NOT_FOUND"
	// CodeTaken: the value must be unique and belongs to another object.
	CodeTaken Code = "TAKEN"
	// CodeConflict: the object has another version than the given one.
	CodeConflict Code = "CONFLICT"
	// CodeKeyReused: the idempotency key was used for another input.
	CodeKeyReused Code = "KEY_REUSED"
	// CodeAlready: the object to create exists already. Only schemas with @mutable have it.
	CodeAlready Code = "ALREADY"
)

// Codes returns the codes that every schema with UserError has.
func Codes() []Code { return []Code{CodeInvalid, CodeNotFound, CodeTaken, CodeConflict, CodeKeyReused} }

// MarshalGQL writes the code as a JSON string.
func (c Code) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(c))) }

// UnmarshalGQL reads a code.
func (c *Code) UnmarshalGQL(v any) error {
	text, ok := v.(string)
	if !ok {
		return &keys.InputError{Message: "a code must be the name of an enum value"}
	}
	*c = Code(text)
	return nil
}

// UserErrors collects user errors. The zero value has none.
type UserErrors struct{ list []*UserError }

// Any reports whether there are user errors. Nothing should be written then.
func (e *UserErrors) Any() bool { return len(e.list) > 0 }

// List returns the user errors in the order in which they were added. It is never
// nil, as a payload's userErrors are.
func (e *UserErrors) List() []*UserError {
	if e.list == nil {
		return []*UserError{}
	}
	return e.list
}

// once removes user errors that say the same as one before: an object can be missing for two steps.
func (e *UserErrors) once() {
	var kept []*UserError
	for _, one := range e.list {
		isSame := func(u *UserError) bool {
			isSameField := one.Field == nil || u.Field != nil && *u.Field == *one.Field
			return u.Code == one.Code && u.Message == one.Message && isSameField
		}
		if !slices.ContainsFunc(kept, isSame) {
			kept = append(kept, one)
		}
	}
	e.list = kept
}

// Add adds a user error. The field is "" if it is no single one.
func (e *UserErrors) Add(code Code, field, format string, args ...any) {
	u := &UserError{Code: code, Message: fmt.Sprintf(format, args...)}
	if field != "" {
		u.Field = &field
	}
	e.list = append(e.list, u)
}

// has reports whether there is a user error about a field, "" for no single one.
func (e *UserErrors) has(code Code, field string) bool {
	return slices.ContainsFunc(e.list, func(u *UserError) bool {
		return u.Code == code && (u.Field == nil && field == "" || u.Field != nil && *u.Field == field)
	})
}

// AddInput adds err as INVALID if it is a keys.InputError, such as that of an item
// that is too large, and reports whether it is one. With the field "", the user error
// is about the error's argument.
func (e *UserErrors) AddInput(field string, err error) bool {
	if illegal, is := errors.AsType[*TransitionError](err); is {
		e.Add(CodeIllegalTransition, cmp.Or(field, illegal.Attribute), "%s", illegal.Message)
		return true
	}
	input, is := errors.AsType[*keys.InputError](err)
	if !is {
		return false
	}
	if field == "" {
		field = input.Argument
	}
	e.Add(CodeInvalid, field, "%s", input.Message)
	return true
}

// Key returns the key of the object that an ID names. key is the function that is
// generated for the type. The ID of another type is INVALID.
func (e *UserErrors) Key(field string, id keys.ID, typ string, key func(keys.ID) (keys.Key, error)) keys.Key {
	k, err := key(id)
	if err != nil || id.Type() != typ {
		e.Add(CodeInvalid, field, "%s must be an id of type %s, exactly as a response gave it", field, typ)
	}
	return k
}

// Missing adds that an ID names no object of the type: NOT_FOUND.
func (e *UserErrors) Missing(field, typ string) {
	e.Add(CodeNotFound, field, "there is no %s with this id", typ)
}

// Outdated adds that an object has another version than the given one: CONFLICT.
func (e *UserErrors) Outdated(given, now int) { e.outdated(AttributeVersion, given, now) }

func (e *UserErrors) outdated(field string, given, now int) {
	e.Add(CodeConflict, field,
		"this was changed meanwhile: version %d was given, %d is stored now; look at it and try again", given, now)
}
