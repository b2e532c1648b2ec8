package resolvers

import (
	"context"
	"errors"

	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// write carries out the actions, all or none. It returns the places of the actions whose conditions do not hold.
func write(ctx context.Context, actions []keys.Action) (failed *table.ConditionError, err error) {
	err = loaders.Write(ctx, table.TransactWriteItems{Actions: actions})
	if failed, is := errors.AsType[*table.ConditionError](err); is {
		return failed, nil
	}
	return nil, err
}

// create writes a new object together with other changes. The object's base item is the first of the actions.
func create[T any](
	ctx context.Context,
	object T,
	stored func(T) ([]item.Item, error),
	with ...keys.Action,
) (*table.ConditionError, error) {
	items, err := stored(object)
	if err != nil {
		return nil, err
	}
	return write(ctx, append(keys.CreateForms(items), with...))
}

// count changes a counter of an object, which must exist.
func count(key keys.Key, counter string, by int) keys.Action {
	return keys.Action{
		Kind: keys.ActionUpdate, Key: key,
		Add: []keys.Increment{{Name: counter, By: by}},
		If:  []keys.Precondition{keys.IfExists()},
	}
}

// counters are the changes of the counters of a recommendation's reader, who is the viewer, and of its book.
func counters(ctx context.Context, book keys.ID, by int) (reader keys.ID, actions []keys.Action, err error) {
	reader = keys.NewID("Reader", viewer.FromContext(ctx).ID)
	readerKey, err := typed.ReaderKey(reader)
	if err != nil {
		return reader, nil, err
	}
	bookKey, err := typed.BookKey(book)
	return reader, []keys.Action{
		count(readerKey, "recommendationCount", by),
		count(bookKey, "recommendedCount", by),
	}, err
}

func (r *Resolver) recommendBook(
	ctx context.Context,
	input model.RecommendBookInput,
) (*model.RecommendBookPayload, error) {
	reader, counters, err := counters(ctx, input.BookID, 1)
	if err != nil {
		return nil, err
	}
	recommendation := &model.Recommendation{
		ID:       keys.NewID("Recommendation", reader.Value(), input.BookID.Value()),
		ReaderID: reader, BookID: input.BookID, Stars: input.Stars, MadeAt: r.Now,
	}
	failed, err := create(ctx, recommendation, typed.RecommendationForms, counters...)
	switch {
	case err != nil:
		return nil, err
	case failed == nil:
		return &model.RecommendBookPayload{
			Recommendation: recommendation,
			ReaderID:       &reader,
			UserErrors:     []*model.UserError{},
		}, nil
	case failed.Find(0) != nil:
		return &model.RecommendBookPayload{UserErrors: already("the viewer recommends this book already")}, nil
	default:
		return &model.RecommendBookPayload{UserErrors: notFound("there is no such reader or book")}, nil
	}
}

func (r *Resolver) withdrawRecommendation(
	ctx context.Context, input model.WithdrawRecommendationInput,
) (*model.WithdrawRecommendationPayload, error) {
	reader, counters, err := counters(ctx, input.BookID, -1)
	if err != nil {
		return nil, err
	}
	items, err := typed.RecommendationForms(&model.Recommendation{ReaderID: reader, BookID: input.BookID})
	if err != nil {
		return nil, err
	}
	failed, err := write(ctx, append(keys.DeleteForms(items), counters...))
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return &model.WithdrawRecommendationPayload{
			UserErrors: notFound("the viewer does not recommend this book"),
		}, nil
	}
	id := keys.NewID("Recommendation", reader.Value(), input.BookID.Value())
	return &model.WithdrawRecommendationPayload{DeletedRecommendationID: &id, UserErrors: []*model.UserError{}}, nil
}

func (r *Resolver) postNotice(ctx context.Context, input model.PostNoticeInput) (*model.PostNoticePayload, error) {
	notice := &model.Notice{BranchID: input.BranchID, Number: input.Number, Title: input.Title}
	key, err := typed.NoticeKey(input.BranchID, input.Number)
	if err != nil {
		return nil, err
	}
	stored, err := loaders.ReadItem(ctx, key)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		return &model.PostNoticePayload{UserErrors: already("the board has a notice with this number")}, nil
	}
	items, err := typed.NoticeForms(notice)
	if err != nil {
		return nil, err
	}
	failed, err := write(ctx, keys.CreateForms(items))
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return &model.PostNoticePayload{UserErrors: already("the board has a notice with this number")}, nil
	}
	if notice, err = model.NewNotice(items[0]); err != nil {
		return nil, err
	}
	return &model.PostNoticePayload{Notice: notice, UserErrors: []*model.UserError{}}, nil
}

func (r *Resolver) countVisit(ctx context.Context, input model.CountVisitInput) (*model.CountVisitPayload, error) {
	id := keys.NewID("Visit", input.BranchID.Value(), r.Now.Format("2006-01-02T15:04:05.000Z"), input.Door)
	visit := &model.Visit{ID: id, BranchID: input.BranchID, At: r.Now, Door: input.Door}
	failed, err := create(ctx, visit, typed.VisitForms)
	switch {
	case err != nil:
		return nil, err
	case failed != nil:
		return &model.CountVisitPayload{UserErrors: already("this visit has been counted")}, nil
	}
	return &model.CountVisitPayload{VisitID: &id, Visit: visit, UserErrors: []*model.UserError{}}, nil
}

func already(message string) []*model.UserError {
	return []*model.UserError{{Code: model.UserErrorCodeAlready, Message: message}}
}

func notFound(message string) []*model.UserError {
	return []*model.UserError{{Code: model.UserErrorCodeNotFound, Message: message}}
}
