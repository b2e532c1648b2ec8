package stream

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestLiving: a replica reads until it has not been renewed for a time, or has left, or if it reads another stream.
func TestLiving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const expires = time.Minute
		m := newReaders(nil, "me", "stream/now", expires)
		it := map[string]types.AttributeValue{
			"PK": text("PARTITA#LIVE"), readerPrefix + "me": text("3 now"), readerPrefix + "a": text("1 now"),
			readerPrefix + "b": text("1 now"), readerPrefix + "earlier": text("1 before"),
		}
		want := func(when string, ids ...string) {
			t.Helper()
			if got := m.living(it); !slices.Equal(got, ids) {
				t.Errorf("%s: the readers are %q, want %q", when, got, ids)
			}
		}
		want("at first", "a", "b", "me")
		time.Sleep(expires - 1)
		want("before one expires", "a", "b", "me")
		it[readerPrefix+"a"] = text("2 now")
		want("after a renewal", "a", "b", "me")
		time.Sleep(time.Nanosecond)
		want("when one expires", "a", "me")
		time.Sleep(expires - 2)
		want("before the other expires", "a", "me")
		time.Sleep(time.Nanosecond)
		want("when both have expired", "me")
		it[readerPrefix+"b"] = text("2 now")
		want("after one is back", "b", "me")
		delete(it, readerPrefix+"b")
		want("after it has left", "me")
		it[readerPrefix+"b"] = text("2 now")
		want("when it begins again", "b", "me")
	})
}
