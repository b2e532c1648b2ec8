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

// appendScript adds an entry, and a text. A stream has some entries more than its limit, because the store removes them
// in blocks.
//
// https://valkey.io/commands/xadd/
var appendScript = NewScript(`
if KEYS[2] then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4]) end
return {redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', '` + field + `', ARGV[2])}`)

// Text is a text that the store keeps beside an entry for the time Kept, of whole milliseconds. Its key is one of
// Store.Key; with "" there is no text.
type Text struct {
	Key, Text string
	Kept      time.Duration
}

// Append adds an entry to a stream, of which the store keeps about the given number. The key is one of Key. The only
// error is ErrUnreachable, after which the entry and the text beside it may have been added.
func (s *Store) Append(ctx context.Context, key, text string, keep int, beside Text) error {
	keys, args := []string{key}, []string{strconv.Itoa(keep), text}
	if beside.Key != "" {
		keys = append(keys, beside.Key)
		args = append(args, beside.Text, strconv.FormatInt(beside.Kept.Milliseconds(), 10))
	}
	_, err := s.Run(ctx, appendScript, keys, args)
	return err
}

// Part is a part of the Text with a key: Bytes bytes, at least one, that begin at the byte From, counted from 0.
type Part struct {
	Key         string
	From, Bytes int
}

// partBytes and maxParts are how much Parts asks for at a time: no command takes long, for the store and on its way.
const (
	partBytes = 1 << 20
	maxParts  = 256
)

// partsScript returns parts of texts.
//
// https://valkey.io/commands/getrange/
var partsScript = NewScript(`
local parts = {}
for i, key in ipairs(KEYS) do parts[i] = redis.call('GETRANGE', key, ARGV[2 * i - 1], ARGV[2 * i]) end
return parts`)

// ErrNoText is the error if the store does not have a Text any more.
var ErrNoText = errors.New("the shared store does not have a text any more")

// Parts returns parts of texts. The errors are ErrUnreachable and ErrNoText.
func (s *Store) Parts(ctx context.Context, parts []Part) ([]string, error) {
	texts := make([]string, 0, len(parts))
	for len(parts) > 0 {
		n, bytes := 0, 0
		var keys, args []string
		for ; n < len(parts) && n < maxParts && (n == 0 || bytes+parts[n].Bytes <= partBytes); n++ {
			p := parts[n]
			bytes += p.Bytes
			keys = append(keys, p.Key)
			args = append(args, strconv.Itoa(p.From), strconv.Itoa(p.From+p.Bytes-1))
		}
		got, err := s.Run(ctx, partsScript, keys, args)
		if err != nil {
			return nil, err
		}
		for i := range n {
			if i >= len(got) || len(got[i]) != parts[i].Bytes {
				return nil, ErrNoText
			}
		}
		texts, parts = append(texts, got...), parts[n:]
	}
	return texts, nil
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
