package crowd

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/storetest"
	"github.com/partita/partita/internal/tabletest"
)

const (
	// failOverReplicas is how many gateways there are, failOverWriters how many callers write.
	failOverReplicas, failOverWriters = 3, 20
	// betweenFailOvers is how many events all subscribers together receive before the next one.
	betweenFailOvers = 50
	// failOverPause keeps the CPUs free: the test mostly waits until a lease has ended.
	failOverPause = 500 * time.Millisecond
)

// TestLiveFailOver: three gateways share a table and a store. Whichever way the one that reads the stream ends, or
// stops for longer than its lease, and whatever happens to the store, each subscriber receives each change of its range
// once and in order, also if it continues at another gateway. None loses changes, because the table has them.
func TestLiveFailOver(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, tableSchema())
	store := storetest.Start(t)
	r := &replicas{store: store, way: storetest.NewForwarder(t, store.Address)}
	r.settings = []string{
		"DYNAMODB_ENDPOINT=" + e.Proxy.URL(), "SHARED_STORE=redis://" + r.way.Address + "/0",
		"METRICS_ADDR=127.0.0.1:0", "READ_UNITS_BUCKET=0", "CURSOR_SECRET=the same for all gateways, 32 bytes or more",
	}
	r.Gateways = crowdtest.StartGateways(t, failOverReplicas, func(t *testing.T) *processtest.Process {
		t.Helper()
		return processtest.Start(t, r.settings...)
	})
	crowd, err := newCrowd(t.Context(), r.Services[0], failOverWriters)
	fatal.If(t, err)
	for i, w := range crowd.writers {
		w.Services = r.Services[i%failOverReplicas:][:1]
	}
	crowd.history, crowd.pause = newHistory(), failOverPause
	crowd.begin(t)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	audience := newAudience(crowd, r.Services)
	for _, l := range audience.all {
		group.Go(func() error { return l.run(ctx) })
	}
	if err := audience.await(ctx, (*subscription).hasBegun); err != nil {
		t.Error("nothing was stopped yet:", err, group.Wait())
		return
	}
	writers, writing := errgroup.WithContext(ctx)
	for _, w := range crowd.writers {
		writers.Go(func() error { return w.run(writing) })
	}
	for range soak.Times(1) {
		for _, next := range []func(*testing.T, int){
			r.Kill, r.pause, r.terminate, r.stopStore, r.restartStore, r.emptyStore, r.fillStore,
			r.changePrimary,
		} {
			enough := audience.events.Load() + betweenFailOvers
			isEnough := func() bool { return audience.events.Load() >= enough }
			if err := audience.awaitProgress(writing, isEnough); err != nil {
				err = errors.Join(err, writers.Wait(), group.Wait())
				t.Fatalf("with %d events: %v", audience.events.Load(), err)
			}
			next(t, r.holder(t))
		}
	}
	crowd.stop()
	if err := writers.Wait(); err != nil {
		t.Fatal(err, group.Wait())
	}
	audience.check(ctx, t, crowd.history, r.All[0].URL)
	audience.closing.Store(true)
	for _, p := range r.All {
		p.Signal(t, syscall.SIGTERM)
		p.WantExit(t, "exit status 0", "")
	}
	cancel()
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	for _, s := range audience.subscriptions() {
		if err := s.check(crowd.history.steps()[s.scope]); err != nil {
			t.Errorf("after the end of the gateways, %v: %v", s, err)
		}
	}
	if n := audience.breaks["CHANGES_LOST"]; n > 0 {
		t.Errorf("%d subscriptions have ended with CHANGES_LOST", n)
	}
	t.Log(crowd.summary())
	t.Log(audience.summary())
}

// replicas are gateways with the same table and store.
type replicas struct {
	settings []string
	// stops is how often the store was stopped.
	stops int
	// store is the primary of the store, and way leads to it.
	store *storetest.Server
	way   *storetest.Forwarder
	*crowdtest.Gateways
}

// holder waits until one of the gateways reads the stream, and returns its number. The others follow it. A gateway that
// is stopped is not asked.
func (r *replicas) holder(t *testing.T, stopped ...int) int {
	t.Helper()
	for range time.Tick(100 * time.Millisecond) {
		for i, p := range r.All {
			if slices.Contains(stopped, i) {
				continue
			}
			_, metrics := processtest.Get(t, "http://"+p.MetricsAddress+"/metrics")
			if strings.Contains(metrics, "\npartita_stream_reader 1\n") {
				return i
			}
		}
	}
	return -1
}

func (r *replicas) terminate(t *testing.T, i int) {
	r.Terminate(t, i)
	r.Start(t, i)
}

// storeStops are how long the store stops, one after the other.
var storeStops = []time.Duration{
	300 * time.Millisecond, 100 * time.Millisecond, time.Second, 3 * time.Second, 10 * time.Second, 30 * time.Second,
}

// stopStore stops the store for a time, during which nothing is lost.
func (r *replicas) stopStore(t *testing.T, _ int) {
	r.store.Pause(t)
	time.Sleep(storeStops[r.stops%len(storeStops)])
	r.store.Resume(t)
	r.stops++
}

// restartStore kills the store, and starts another one without data.
func (r *replicas) restartStore(t *testing.T, _ int) {
	r.store.Kill()
	r.store.Restart(t)
}

// fillStore lets the store accept nothing for a time.
func (r *replicas) fillStore(t *testing.T, _ int) {
	r.store.Do(t, "CONFIG", "SET", "maxmemory", "1")
	time.Sleep(time.Second)
	r.store.Do(t, "CONFIG", "SET", "maxmemory", "0")
}

func (r *replicas) emptyStore(t *testing.T, _ int) { r.store.Do(t, "FLUSHALL") }

// changePrimary kills the primary of the store, and makes a replica the next one. What the replica did not have yet is
// lost.
func (r *replicas) changePrimary(t *testing.T, _ int) {
	next := r.store.Replicate(t)
	r.store.Kill()
	next.Promote(t)
	r.store = next
	r.way.Forward(next.Address)
}
