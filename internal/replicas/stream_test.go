package replicas_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/replicas"
	"github.com/partita/partita/internal/storetest"
)

// TestStream: a replica follows the entries that another one appends, from the one that was the last.
func TestStream(t *testing.T) {
	server := storetest.Start(t)
	one, _ := open(t, server.URL(""), "", patient)
	other, _ := open(t, server.URL(""), "", patient)
	key := one.Key("stream")
	add := func(text string) {
		t.Helper()
		fatal.If(t, one.Append(t.Context(), key, text, 1000, replicas.Text{}))
	}
	last, err := other.Last(t.Context(), key)
	if err != nil || last != "0-0" {
		t.Fatalf("the last entry of none is %q, %v", last, err)
	}
	add("before")
	if last, err = other.Last(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	entries, err := other.Follow(t.Context(), key, last)
	if err != nil || len(entries) > 0 {
		t.Fatalf("there are %v, %v", entries, err)
	}
	var want, got []string
	for n := range 250 {
		want = append(want, "\x00\xff"+strconv.Itoa(n))
		add(want[n])
	}
	for len(got) < len(want) {
		if entries, err = other.Follow(t.Context(), key, last); err != nil {
			t.Fatal(err)
		}
		if len(entries) > replicas.FollowLimit {
			t.Errorf("%d entries at once", len(entries))
		}
		for _, e := range entries {
			got, last = append(got, e.Text), e.ID
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the entries are %q", got)
	}
}

// TestStreamIsBounded: the store removes the oldest entries.
func TestStreamIsBounded(t *testing.T) {
	server := storetest.Start(t)
	s, _ := open(t, server.URL(""), "", patient)
	for range 1000 {
		fatal.If(t, s.Append(t.Context(), s.Key("stream"), "x", 100, replicas.Text{}))
	}
	n, err := strconv.Atoi(server.Do(t, "XLEN", s.Key("stream"))[0])
	if err != nil || n < 100 || n > 300 {
		t.Errorf("%d entries are left, %v", n, err)
	}
}

// TestTexts: parts of the texts beside entries are read as they are, until the store has a text no longer.
func TestTexts(t *testing.T) {
	server := storetest.Start(t)
	s, _ := open(t, server.URL(""), "", patient)
	key := s.Key("text")
	text := strings.Repeat("\x00\xff ", 1<<20)
	fatal.If(t, s.Append(t.Context(), s.Key("stream"), "x", 100, replicas.Text{Key: key, Text: text, Kept: time.Minute}))
	if left, err := strconv.Atoi(server.Do(t, "PTTL", key)[0]); err != nil || left <= 0 || left > 60_000 {
		t.Errorf("it is kept for %d ms, %v", left, err)
	}
	parts := []replicas.Part{
		{Key: key, Bytes: 1}, {Key: key, From: 1, Bytes: 1}, {Key: key, From: 2, Bytes: 1<<20 + 1},
		{Key: key, From: len(text) - 2, Bytes: 2},
	}
	for range 300 {
		parts = append(parts, replicas.Part{Key: key, From: 3, Bytes: 3})
	}
	_, err := s.Parts(t.Context(), parts[:1]) // so that the server knows the script
	fatal.If(t, err)
	before := server.Calls(t, "evalsha")
	got, err := s.Parts(t.Context(), parts)
	fatal.If(t, err)
	if sent := server.Calls(t, "evalsha") - before; sent != 4 {
		t.Errorf("%d scripts, want one before the part of more than 1 MiB, one for it, and two for the 301 others", sent)
	}
	for i, p := range parts {
		if want := text[p.From : p.From+p.Bytes]; got[i] != want {
			t.Fatalf("%+v has %d bytes, %.9q", p, len(got[i]), got[i])
		}
	}
	for _, p := range []replicas.Part{{Key: s.Key("other"), Bytes: 1}, {Key: key, From: len(text) - 1, Bytes: 2}} {
		if got, err := s.Parts(t.Context(), []replicas.Part{p}); !errors.Is(err, replicas.ErrNoText) {
			t.Errorf("%+v is %q, %v", p, got, err)
		}
	}
}

// TestFollowWithoutStore: neither a server that is gone nor one that hangs keeps a follower waiting.
func TestFollowWithoutStore(t *testing.T) {
	server := storetest.Start(t)
	s, _ := open(t, server.URL(""), "", 50*time.Millisecond)
	await(t, s.IsReachable)
	server.Pause(t)
	if _, err := s.Follow(t.Context(), s.Key("stream"), "0-0"); !errors.Is(err, replicas.ErrUnreachable) {
		t.Errorf("the error of a server that hangs is %v", err)
	}
	server.Resume(t)
	server.Kill()
	if _, err := s.Follow(t.Context(), s.Key("stream"), "0-0"); err == nil {
		t.Error("a server that is gone answers")
	}
	if _, err := s.Last(t.Context(), s.Key("stream")); err == nil {
		t.Error("a server that is gone answers")
	}
}
