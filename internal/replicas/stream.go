package replicas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/valkey-io/valkey-go"
)

// Entry is an entry of a stream in the store.
type Entry struct {
	// ID is that of the store, which is greater than those of all entries before.
	ID   string
	Text string
}

// field is the only field of an entry.
const field = "v"

// appendScript adds an entry. A stream has some entries more than its limit, because the store removes them in blocks.
//
// https://valkey.io/commands/xadd/
var appendScript = NewScript(
	`return {redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', '` + field + `', ARGV[2])}`)

// Append adds an entry to a stream, of which the store keeps about the given number. The key is one of Key. The only
// error is ErrUnreachable, after which the entry may have been added.
func (s *Store) Append(ctx context.Context, key, text string, keep int) error {
	_, err := s.Run(ctx, appendScript, []string{key}, []string{strconv.Itoa(keep), text})
	return err
}

// FollowLimit is how many entries Follow returns at most.
const FollowLimit = 100

// followWait is how long the store waits for the next entry before it answers that there is none. The end of a context
// does not end the wait.
const followWait = 100 * time.Millisecond

// FirstID is before the ids of all entries.
const FirstID = "0-0"

// CompareIDs compares two ids of entries, which are two numbers each.
func CompareIDs(a, b string) int {
	aTime, aNumber, _ := strings.Cut(a, "-")
	bTime, bNumber, _ := strings.Cut(b, "-")
	return cmp.Or(cmp.Compare(len(aTime), len(bTime)), cmp.Compare(aTime, bTime),
		cmp.Compare(len(aNumber), len(bNumber)), cmp.Compare(aNumber, bNumber))
}

// Last returns the id of the newest entry of a stream, for Follow. Its error is that of the store, or the context's.
func (s *Store) Last(ctx context.Context, key string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	client := s.use()
	b := client.B().Xrevrange().Key(key).End("+").Start("-").Count(1).Build()
	entries, err := client.Do(ctx, b).AsXRange()
	if err != nil || len(entries) == 0 {
		return FirstID, err
	}
	return entries[0].ID, nil
}

// Follow returns the entries of a stream after the one with the id, and waits for a moment if there are none yet. It
// uses a connection of its own. Its error is that of the store, or the context's.
//
// https://valkey.io/commands/xread/
func (s *Store) Follow(ctx context.Context, key, after string) ([]Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, followWait+max(s.timeout, probeInterval))
	defer cancel()
	client := s.use()
	b := client.B().Xread().Count(FollowLimit).Block(followWait.Milliseconds()).Streams().Key(key).Id(after).Build()
	streams, err := client.Do(ctx, b).AsXRead()
	switch {
	case valkey.IsValkeyNil(err):
		return nil, nil
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	case err != nil:
		return nil, err
	}
	entries := make([]Entry, len(streams[key]))
	for i, e := range streams[key] {
		entries[i] = Entry{e.ID, e.FieldValues[field]}
	}
	return entries, nil
}
