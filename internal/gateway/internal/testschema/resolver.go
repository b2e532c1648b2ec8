package testschema

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// Resolver answers the schema's fields.
type Resolver struct {
	// Waiting receives once when the field wait begins; the field answers when Release is closed.
	Waiting chan struct{}
	// Release lets the field wait go on.
	Release chan struct{}
	// Touched is called when the mutation touch is executed; nil for nothing.
	Touched func()
}

// CodedError is an error that brings its code and a message for the caller, as those of keys and loaders do.
type CodedError struct{ Text, ErrorCode string }

func (e CodedError) Error() string { return e.Text }

// Code returns extensions.code.
func (e CodedError) Code() string { return e.ErrorCode }

func fail(ctx context.Context, how Failure) error {
	switch how {
	case FailureCoded:
		return CodedError{Text: "The table is busy. Try again in a second.", ErrorCode: "THROTTLED"}
	case FailurePanic:
		panic("secret panic")
	case FailureTimeout:
		<-ctx.Done()
		return ctx.Err()
	default:
		return errors.New("secret failure")
	}
}

// checkCount keeps what anyone may ask for, a fuzzer too, small.
func checkCount(count int) error {
	if count < 0 || count > 1000 {
		return CodedError{Text: "The number must be between 0 and 1000.", ErrorCode: "BAD_USER_INPUT"}
	}
	return nil
}

func (r *mutationResolver) Touch(context.Context) (bool, error) {
	if r.Touched != nil {
		r.Touched()
	}
	return true, nil
}

func (r *queryResolver) Echo(_ context.Context, text string) (string, error) { return text, nil }

func (r *queryResolver) Count(_ context.Context, to int) ([]int, error) {
	if err := checkCount(to); err != nil {
		return nil, err
	}
	numbers := make([]int, 0, to)
	for n := range to {
		numbers = append(numbers, n+1)
	}
	return numbers, nil
}

func (r *queryResolver) Describe(
	_ context.Context, input *Input, color *Color, ids []string, ratio *float64, flag *bool,
) (string, error) {
	text, err := json.Marshal(map[string]any{"input": input, "color": color, "ids": ids, "ratio": ratio, "flag": flag})
	return string(text), err
}

func (r *queryResolver) At(_ context.Context, at time.Time) (*time.Time, error) { return &at, nil }

func (r *queryResolver) Fail(ctx context.Context, how Failure) (*string, error) {
	return nil, fail(ctx, how)
}

func (r *queryResolver) FailNonNull(ctx context.Context, how Failure) (string, error) {
	return "", fail(ctx, how)
}

func (r *queryResolver) Wait(ctx context.Context) (string, error) {
	select {
	case r.Waiting <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	select {
	case <-r.Release:
		return "done", nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (r *queryResolver) Thing(context.Context) (*Thing, error) { return &Thing{Name: "one"}, nil }

func (r *queryResolver) Things(_ context.Context, count int) ([]*Thing, error) {
	if err := checkCount(count); err != nil {
		return nil, err
	}
	things := make([]*Thing, count)
	for i := range things {
		things[i] = &Thing{Name: strconv.Itoa(i)}
	}
	return things, nil
}

func (r *thingResolver) Broken(ctx context.Context, _ *Thing) (*string, error) {
	return nil, fail(ctx, FailurePlain)
}

// Mutation is the resolver of the mutation type.
func (r *Resolver) Mutation() MutationResolver { return &mutationResolver{r} }

// Query is the resolver of the query type.
func (r *Resolver) Query() QueryResolver { return &queryResolver{r} }

// Thing is the resolver of the type Thing.
func (r *Resolver) Thing() ThingResolver { return &thingResolver{r} }

type (
	mutationResolver struct{ *Resolver }
	queryResolver    struct{ *Resolver }
	thingResolver    struct{ *Resolver }
)
