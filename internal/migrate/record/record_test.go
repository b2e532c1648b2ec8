package record_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/table"
)

// Times of replicas in these tests.
const (
	every = 10 * time.Millisecond
	lease = 500 * time.Millisecond
)

func open(t *testing.T) (*record.Store, *table.Table) {
	t.Helper()
	e := tabletest.Start(t, table.Schema{})
	return record.Open(e.Table), e.Table
}

// begun stores the record of a migration that begins, and returns it.
func begun(t *testing.T, s *record.Store) migrate.Record {
	t.Helper()
	first := migrate.NewRecord(migrate.Version{SDL: strings.Repeat("type A ", 9000)})
	fatal.If(t, s.Put(t.Context(), migrate.Record{}, first))
	r, err := first.Begin(migrate.Version{SDL: "type B"})
	fatal.If(t, err)
	fatal.If(t, s.Put(t.Context(), first, r))
	return r
}

// TestStore: a record is read as it was written, by nobody else than those who look for it, and is replaced only as it
// was read.
func TestStore(t *testing.T) {
	s, table := open(t)
	if r, err := s.Get(t.Context()); err != nil || r.Revision != 0 {
		t.Fatalf("%+v %v", r, err)
	}
	r := begun(t, s)
	got, err := s.Get(t.Context())
	if diff := cmp.Diff(r, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if err := s.Put(t.Context(), migrate.Record{}, r); !errors.Is(err, record.ErrChanged) {
		t.Error("a second first record:", err)
	}
	next, err := r.Step()
	fatal.If(t, err)
	fatal.If(t, s.Put(t.Context(), r, next))
	if err := s.Put(t.Context(), r, next); !errors.Is(err, record.ErrChanged) {
		t.Error("a change of what is not there any longer:", err)
	}
	items, err := (admin.Scanner{Table: table}).Scan(t.Context(), admin.Scan{})
	if err != nil || len(items.Items) > 0 {
		t.Errorf("a scan for objects finds %v %v", items.Items, err)
	}
}

// member joins with an Apply that sends each revision, and waits until it may go on.
func member(t *testing.T, s *record.Store, applied chan int64) *record.Member {
	t.Helper()
	m, err := s.Join(t.Context(), record.Options{
		Program: "test", Every: every, Lease: lease, Log: slog.New(slog.DiscardHandler),
		Apply: func(ctx context.Context, r migrate.Record) error {
			select {
			case applied <- r.Revision:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	})
	fatal.If(t, err)
	return m
}

// TestAcknowledge: the next step waits until a replica acts by the record, and a replica renews while it applies one.
func TestAcknowledge(t *testing.T) {
	s, _ := open(t)
	r := begun(t, s)
	applied := make(chan int64, 1)
	m := member(t, s, applied)
	if got := <-applied; got != r.Revision || !m.IsRegistered() {
		t.Fatalf("applied %d of %d", got, r.Revision)
	}
	applied <- 0 // the next Apply waits until there is room
	next, err := r.Step()
	fatal.If(t, err)
	fatal.If(t, s.Put(t.Context(), r, next))
	// The replica is in Apply for longer than its lease, and nobody takes it for dead.
	begin := time.Now()
	waited := false
	err = s.Await(t.Context(), next.Revision, every, lease, func(behind []record.Replica) {
		if len(behind) == 0 {
			return
		}
		waited = true
		if time.Since(begin) > 2*lease {
			select {
			case <-applied:
			default:
			}
		}
	})
	if err != nil || !waited || time.Since(begin) < 2*lease {
		t.Errorf("waited %v for %v: %v", waited, time.Since(begin), err)
	}
	all, err := s.Replicas(t.Context())
	if err != nil || len(all) != 1 || all[0].Revision != next.Revision || all[0].Program != "test" {
		t.Errorf("%+v %v", all, err)
	}
	fatal.If(t, m.Leave(t.Context()))
	if all, err := s.Replicas(t.Context()); len(all) != 0 || err != nil || m.IsRegistered() {
		t.Errorf("after it has left: %v %v", all, err)
	}
}

// TestExpired: a replica that was killed is removed after its lease; one that is alive and was removed registers again.
func TestExpired(t *testing.T) {
	s, _ := open(t)
	r := begun(t, s)
	dead := record.Replica{ID: "dead", Renewals: 1, Revision: r.Revision - 1}
	if _, err := s.Register(t.Context(), dead); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := s.Await(t.Context(), r.Revision, every, lease, nil); err != nil || time.Since(begin) < lease {
		t.Errorf("after %v: %v", time.Since(begin), err)
	}
	if _, registered, err := s.Renew(t.Context(), dead); registered || err != nil {
		t.Error("a replica that was removed renews:", err)
	}
	applied := make(chan int64, 100)
	m := member(t, s, applied)
	<-applied
	all, err := s.Replicas(t.Context())
	fatal.If(t, err)
	for removed := false; !removed; {
		if removed, err = s.Remove(t.Context(), all[0]); err != nil {
			t.Fatal(err)
		}
		if all, err = s.Replicas(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := <-applied; got != r.Revision {
		t.Errorf("registered again by revision %d", got)
	}
	fatal.If(t, m.Leave(t.Context()))
}

// TestWithoutRecord: nothing is written to a table without a record, and a replica registers once there is one.
func TestWithoutRecord(t *testing.T) {
	s, table := open(t)
	applied := make(chan int64, 100)
	m := member(t, s, applied)
	if got := <-applied; got != 0 || !m.IsRegistered() {
		t.Fatalf("applied %d", got)
	}
	out, err := table.Client().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(table.Name())})
	if err != nil || len(out.Items) > 0 {
		t.Errorf("%v %v", out.Items, err)
	}
	r := begun(t, s)
	for <-applied < r.Revision {
	}
	fatal.If(t, s.Await(t.Context(), r.Revision, every, lease, nil))
	if all, err := s.Replicas(t.Context()); len(all) != 1 || err != nil {
		t.Errorf("%v %v", all, err)
	}
	fatal.If(t, m.Leave(t.Context()))
}

// TestLock: two migrators exclude each other, one that was killed is replaced by another one, which goes on.
func TestLock(t *testing.T) {
	s, _ := open(t)
	first, m, err := s.Lock(t.Context(), "host 1", lease)
	if err != nil || m.UnitsPerSecond >= 0 {
		t.Fatal(err, m.UnitsPerSecond)
	}
	saved := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if err := first.Save(t.Context(), "half"); err != nil {
				saved <- err
				return
			}
		}
		saved <- nil
	}()
	var held *record.HeldError
	if _, _, err := s.Lock(t.Context(), "host 2", lease); !errors.As(err, &held) || held.Name != "host 1" {
		t.Fatal(err)
	}
	cancel()
	fatal.If(t, <-saved)
	fatal.If(t, s.SetRate(t.Context(), 12.5))
	second, m, err := s.Lock(t.Context(), "host 2", lease)
	if err != nil || m.Progress != "half" || m.UnitsPerSecond != 12.5 {
		t.Fatalf("%+v %v", m, err)
	}
	if err := first.Save(t.Context(), "more"); !errors.Is(err, record.ErrLost) {
		t.Error(err)
	}
	fatal.If(t, second.Release(t.Context(), "done"))
	if _, m, err := s.Lock(t.Context(), "host 3", lease); err != nil || m.Progress != "done" {
		t.Errorf("%+v %v", m, err)
	}
}

// TestLockLostAnswers: a process whose answers are lost keeps the right that it has taken, and gives it up once.
func TestLockLostAnswers(t *testing.T) {
	e := tabletest.Start(t, table.Schema{})
	s := record.Open(e.Table)
	e.Proxy.Inject(tabletest.Faults{Lost: 0.5})
	for n := range 5 {
		l, m, err := s.Lock(t.Context(), fmt.Sprint("host ", n), lease)
		if err != nil || m.Holder != "" {
			t.Fatalf("%d: %+v %v", n, m, err)
		}
		for range 3 {
			if err := l.Save(t.Context(), "half"); err != nil {
				t.Fatalf("%d: %v", n, err)
			}
		}
		if err := l.Release(t.Context(), "done"); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
	}
}
