package subscribe

import (
	"context"

	"github.com/partita/partita/internal/gateway/response"
	"github.com/partita/partita/internal/plan"
)

// replayRequests is how many requests to the stream a subscription pays in advance. Each costs a read unit, which those
// subscriptions share that wait for the same changes: it is what DynamoDB counts for a GetRecords.
//
// https://aws.amazon.com/dynamodb/pricing/on-demand/
const replayRequests = 16

// payReplay has the changes that the subscription has missed read from the stream, at the cost of its caller. If the
// budget is short, it waits.
func (s *Subscription) payReplay(ctx context.Context) *response.Error {
	s.countReplay(ctx, true)
	requests := s.streams.Budgets.Most(replayRequests)
	reserved, err := s.reserve(ctx, plan.Price{ReadUnits: requests}, false, nil)
	if err != nil {
		return err
	}
	s.replay = &reserved
	s.feed.Replay(requests)
	return nil
}

// countReplay commits what was reserved for requests to the stream, when the replay is over.
func (s *Subscription) countReplay(ctx context.Context, isOver bool) {
	if s.replay == nil {
		return
	}
	used, mayBeMore := s.feed.Replayed()
	if s.replayed += used; isOver || !mayBeMore {
		s.replay.Commit(ctx, s.replayed, 0)
		s.replay, s.replayed = nil, 0
	}
}
