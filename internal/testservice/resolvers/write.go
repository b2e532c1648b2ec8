package resolvers

import (
	"context"
	"strconv"

	"github.com/partita/partita/internal/testservice/graph/model"
	"github.com/partita/partita/internal/testservice/graph/typed"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

const codeAlready write.Code = "ALREADY"

// The parts of the library's transactions.
const (
	partObject = "object"
	partReader = "reader"
	partBook   = "book"
)

// create writes a new object together with other changes. It reports whether the object exists already.
func create[T any](ctx context.Context, object T, stored func(T) ([]item.Item, error)) (exists bool, err error) {
	items, err := stored(object)
	if err != nil {
		return false, err
	}
	var tx write.Transaction
	tx.Add(partObject, write.Create(typed.Design, items)...)
	failed, err := tx.Commit(ctx, partObject)
	return failed.Part(partObject), err
}

// recommendation returns the viewer's recommendation of a book, and a transaction that adds to the counters of
// the reader and of the book. It checks the book's id.
func recommendation(
	ctx context.Context, problems *write.UserErrors, book keys.ID, by int,
) (*model.Recommendation, write.Transaction, error) {
	var tx write.Transaction
	reader := keys.NewID("Reader", viewer.FromContext(ctx).ID)
	readerKey, err := typed.ReaderKey(reader)
	if err != nil {
		return nil, tx, err
	}
	bookKey := problems.Key("bookId", book, "Book", typed.BookKey)
	tx.Add(partReader, write.Count(readerKey, "recommendationCount", by))
	tx.Add(partBook, write.Count(bookKey, "recommendedCount", by))
	id := keys.NewID("Recommendation", reader.Value(), book.Value())
	return &model.Recommendation{ID: id, ReaderID: reader, BookID: book}, tx, nil
}

func (r *Resolver) recommendBook(
	ctx context.Context, input model.RecommendBookInput,
) (*model.RecommendBookPayload, error) {
	var problems write.UserErrors
	object, tx, err := recommendation(ctx, &problems, input.BookID, 1)
	if err != nil {
		return nil, err
	}
	payload := &model.RecommendBookPayload{}
	if !problems.Any() {
		object.Stars, object.MadeAt = input.Stars, r.Now
		items, err := typed.StoredRecommendation(object)
		if err != nil {
			return nil, err
		}
		tx.Add(partObject, write.Create(typed.Design, items)...)
		failed, err := tx.Commit(ctx, partObject, partReader, partBook)
		switch {
		case err != nil:
			return nil, err
		case failed.Part(partObject):
			problems.Add(codeAlready, "bookId", "the viewer recommends this book already")
		case failed.Part(partReader), failed.Part(partBook):
			problems.Add(write.CodeNotFound, "", "there is no such reader or book")
		default:
			payload.Recommendation, payload.ReaderID = object, &object.ReaderID
		}
	}
	payload.UserErrors = problems.List()
	return payload, nil
}

func (r *Resolver) withdrawRecommendation(
	ctx context.Context, input model.WithdrawRecommendationInput,
) (*model.WithdrawRecommendationPayload, error) {
	var problems write.UserErrors
	object, tx, err := recommendation(ctx, &problems, input.BookID, -1)
	if err != nil {
		return nil, err
	}
	payload := &model.WithdrawRecommendationPayload{}
	if !problems.Any() {
		items, err := typed.StoredRecommendation(object)
		if err != nil {
			return nil, err
		}
		tx.Add(partObject, write.Delete(typed.Design, items)...)
		failed, err := tx.Commit(ctx, partObject, partReader, partBook)
		switch {
		case err != nil:
			return nil, err
		case failed != nil:
			problems.Add(write.CodeNotFound, "bookId", "the viewer does not recommend this book")
		default:
			payload.DeletedRecommendationID = &object.ID
		}
	}
	payload.UserErrors = problems.List()
	return payload, nil
}

func (r *Resolver) postNotice(ctx context.Context, input model.PostNoticeInput) (*model.PostNoticePayload, error) {
	var problems write.UserErrors
	key, err := typed.NoticeKey(input.BranchID, input.Number)
	if err != nil {
		return nil, err
	}
	notice, err := write.Read(ctx, key, model.NewNotice)
	if err != nil {
		return nil, err
	}
	payload := &model.PostNoticePayload{}
	exists := notice != nil
	if !exists {
		notice = &model.Notice{
			ID:       keys.NewID("Notice", input.BranchID.Value(), strconv.Itoa(input.Number)),
			BranchID: input.BranchID, Number: input.Number, Title: input.Title,
		}
		if exists, err = create(ctx, notice, typed.StoredNotice); err != nil {
			return nil, err
		}
	}
	if exists {
		problems.Add(codeAlready, "number", "the board has a notice with this number")
	} else {
		payload.Notice = notice
	}
	payload.UserErrors = problems.List()
	return payload, nil
}

func (r *Resolver) countVisit(ctx context.Context, input model.CountVisitInput) (*model.CountVisitPayload, error) {
	var problems write.UserErrors
	id := keys.NewID("Visit", input.BranchID.Value(), r.Now.Format(item.TimeLayout), input.Door)
	visit := &model.Visit{ID: id, BranchID: input.BranchID, At: r.Now, Door: input.Door}
	exists, err := create(ctx, visit, typed.StoredVisit)
	if err != nil {
		return nil, err
	}
	payload := &model.CountVisitPayload{}
	if exists {
		problems.Add(codeAlready, "", "this visit has been counted")
	} else {
		payload.VisitID, payload.Visit = &id, visit
	}
	payload.UserErrors = problems.List()
	return payload, nil
}
