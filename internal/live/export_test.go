package live

import "context"

// Next waits for what Poll returns, or for the end of the context.
func (f *Feed) Next(ctx context.Context) (Event, error) {
	ready := make(chan struct{}, 1)
	f.Notify(func() {
		select {
		case ready <- struct{}{}:
		default:
		}
	})
	for {
		e, isAny, err := f.Poll()
		if isAny || err != nil {
			return e, err
		}
		select {
		case <-ctx.Done():
			return Event{}, ctx.Err()
		case <-ready:
		}
	}
}
