package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/partita/partita/internal/gateway/httpserver"
	"github.com/partita/partita/internal/migrate"
	"github.com/partita/partita/internal/migrate/record"
	"github.com/partita/partita/internal/migrate/run"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/table/local"
	"github.com/partita/partita/table"
)

// designed serves an application over what the table's record says is stored, and follows the record.
type designed struct {
	// newHandler returns the gateway of an application.
	newHandler func(*Application, *local.Table) (http.Handler, error)
	table      *local.Table
	store      *record.Store
	log        *slog.Logger
	// every is how often the registration is renewed; 0 for the constant.
	every time.Duration

	// onStop calls a function when the server stops.
	onStop  func(func())
	member  *record.Member
	handler *httpserver.Switch
	// mu is for what follows: one record or application is applied at a time.
	mu       sync.Mutex
	app      Application
	record   migrate.Record
	isOwn    bool
	progress progressText
	// sweep starts the sweep beside the gateway; nil for none.
	sweep func(context.Context, *Application, *table.Table, *slog.Logger) (stop func())
	// startBackground starts work beside the gateway, which ends with the server as well.
	startBackground func(*Application, *table.Table) (stop func())
	// endBackground ends the work beside the gateway; nil while there is none.
	endBackground func()
}

// newDesigned returns what serves an application until the context ends, once it has a newHandler and is started.
func newDesigned(ctx context.Context, a *Application, t *local.Table, log *slog.Logger) *designed {
	d := &designed{
		onStop: func(f func()) { context.AfterFunc(ctx, f) },
		table:  t, store: record.Open(t.Table), log: log, app: *a}
	d.startBackground = func(a *Application, t *table.Table) func() {
		var stops []func()
		if d.sweep != nil {
			stops = append(stops, d.sweep(ctx, a, t, log))
		}
		if a.Background != nil {
			stops = append(stops, a.Background.Start(ctx, t, log))
		}
		return func() {
			for _, stop := range stops {
				stop()
			}
		}
	}
	return d
}

// hasRecord reports whether the table has a record.
func (d *designed) hasRecord() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.record.Revision != 0
}

// leaving is how long a replica that stops tries to end its registration. Without an answer of the table, its lease
// ends.
const leaving = 2 * time.Second

func (d *designed) servesOwnDesign() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.isOwn
}

// start registers the process, and serves the application by the record.
func (d *designed) start(ctx context.Context) (err error) {
	d.member, err = d.store.Join(ctx, record.Options{
		Program: version(), Apply: d.apply, Every: d.every, Lease: record.Lease, Log: d.log,
	})
	if err != nil {
		return recordError(d.table.Table, err)
	}
	return nil
}

// stop ends the registration, and the work beside the gateway.
func (d *designed) stop(ctx context.Context) {
	d.progress.stop()
	d.stopBackground()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaving)
	defer cancel()
	if err := d.member.Leave(ctx); err != nil {
		d.log.WarnContext(ctx, "this replica is still registered, until its lease is over", "error", err.Error())
	}
}

// apply serves by a record. It returns when nothing acts by the one before.
func (d *designed) apply(ctx context.Context, r migrate.Record) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.handler != nil && r == d.record {
		return nil
	}
	return d.serve(ctx, d.app, r, (*httpserver.Switch).Replace)
}

// use serves another version of the application.
func (d *designed) use(ctx context.Context, a *Application) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	// Operations of the version before act by the same record: nobody waits for them.
	return d.serve(ctx, *a, d.record, func(s *httpserver.Switch, _ context.Context, h http.Handler) error {
		s.Set(h)
		return nil
	})
}

func (d *designed) serve(ctx context.Context, a Application, r migrate.Record,
	replace func(*httpserver.Switch, context.Context, http.Handler) error,
) error {
	served, t, isOwn, err := d.by(ctx, a, r)
	if err != nil {
		return err
	}
	handler, err := d.newHandler(served, t)
	if err != nil {
		return err
	}
	d.app, d.record, d.isOwn = a, r, isOwn
	// The work beside the gateway is for the application's own design: it waits while the table has another one.
	d.stopBackground()
	if d.isOwn {
		d.endBackground = d.startBackground(served, t.Table)
	}
	if d.handler == nil {
		d.handler = httpserver.NewSwitch(handler)
		// With the server, the streams of the handler end that is then in use.
		d.onStop(d.handler.Stop)
		return nil
	}
	return replace(d.handler, ctx, handler)
}

// by returns the application over what the record says is stored, and the table as it is then written. isOwn is set if
// that is what the application declares.
func (d *designed) by(
	ctx context.Context, a Application, r migrate.Record,
) (_ *Application, _ *local.Table, isOwn bool, err error) {
	var progress func() string
	if r.Revision != 0 {
		progress = d.progress.start(ctx, d.store, r, a.command)
	}
	follower, isOwn, err := a.follow(r, d.table.Schema().Tenants, progress)
	if err != nil {
		return nil, nil, false, recordError(d.table.Table, err)
	}
	t := d.table.WithSchema(a.tenancy.schema(a.tableSchema()))
	if err := admin.Verify(ctx, t.Table); err != nil {
		return nil, nil, false, misfit(err, t.IsLocal())
	}
	return &a, t.With(t.Table.WithFollower(follower).WithWriteCheck(d.mayWrite)), isOwn, nil
}

func (d *designed) stopBackground() {
	if d.endBackground != nil {
		d.endBackground()
	}
	d.endBackground = nil
}

// mayWrite returns an error while others take this replica for dead.
func (d *designed) mayWrite() error {
	if d.member == nil { // it is not serving yet
		return nil
	}
	return d.member.Check()
}

// ServeHTTP answers a request by the record as this replica knows it. Others may have gone on if it is not registered.
func (d *designed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := d.member.Refresh(r.Context()); err != nil && r.URL.Path != "/healthz" && r.URL.Path != "/metrics" {
		d.log.WarnContext(r.Context(), "this replica is not registered", "error", err.Error())
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(notRegistered)) // the client has left
		return
	}
	d.handler.ServeHTTP(w, r)
}

const notRegistered = `{"errors":[{"message":"The gateway has lost its connection to the table. Try again.",` +
	`"extensions":{"code":"UNAVAILABLE"}}]}`

// wayToReady is the command that helps where a field is not ready.
func wayToReady(r migrate.Record, command func(string) string) string {
	if r.IsStable() {
		return "run `" + command("migrate run") + "`"
	}
	return fmt.Sprintf("the table is %s on its way to %s, see `%s`", r.State, r.Goal, command("migrate status"))
}

// progressText is what a field that is not ready says of the way to it.
type progressText struct {
	cancel context.CancelFunc
	mu     sync.Mutex
	text   string
}

// progressEvery is how often the progress of a migration is read while fields are not ready.
const progressEvery = 5 * time.Second

// start returns a function with the progress by a record. It is read in the background as long as there is a migration.
func (p *progressText) start(
	ctx context.Context, store *record.Store, r migrate.Record, command func(string) string,
) func() string {
	if p.cancel != nil {
		p.cancel()
	}
	status := wayToReady(r, command)
	p.set(status)
	if r.IsStable() {
		return p.get
	}
	ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		for ctx.Err() == nil {
			var now run.Progress
			if m, err := store.Migration(ctx); err == nil && json.Unmarshal([]byte(m.Progress), &now) == nil && now.Phase != "" {
				p.set(fmt.Sprintf("%s: %s, pass %d, %d items read, %d objects written", status, now.Phase, now.Pass, now.Items,
					now.Written))
			}
			select {
			case <-ctx.Done():
			case <-time.After(progressEvery):
			}
		}
	}()
	return p.get
}

// stop ends the reading.
func (p *progressText) stop() {
	if p.cancel != nil {
		p.cancel()
	}
}

func (p *progressText) get() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text
}

func (p *progressText) set(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = text
}

// migrateHere takes the table of the local engine to the design of an application, while this process serves it. It
// returns the parts that it has changed.
func (d *designed) migrateHere(ctx context.Context, a *Application) (migrated []string, err error) {
	r, err := d.store.Get(ctx)
	if err != nil || r.Revision == 0 {
		return nil, err
	}
	from, to, err := a.versions(r, d.table.Schema().Tenants)
	if err != nil {
		return nil, err
	}
	difference := run.Compare(from, to)
	switch blocked := difference.Blocked(); {
	case r.IsStable() && !difference.NeedsMigration():
		return nil, nil
	case len(blocked) > 0:
		return nil, partsError(blocked)
	}
	m, err := run.Open(ctx, d.table.Table, run.Options{
		Name: "serve --watch", Every: d.every, Lease: record.Lease, Stream: streamHere, Log: d.log,
	})
	if err != nil {
		return nil, err
	}
	err = func() error {
		if !m.Record().IsStable() && m.Record().To != to.SDL {
			if err := m.Run(ctx, migrate.Former); err != nil {
				return err
			}
		}
		if err := m.CreateIndexes(ctx, a.tableSchema()); err != nil {
			return err
		}
		if err := m.Begin(ctx, to); err != nil {
			return err
		}
		if err := m.Run(ctx, migrate.Switched); err != nil {
			return err
		}
		return m.Run(ctx, migrate.Latter)
	}()
	if closed := m.Close(ctx); err == nil {
		err = closed
	}
	if blocked, is := errors.AsType[*run.BlockedError](err); is {
		return nil, stoppedBy(blocked)
	}
	if err != nil {
		return nil, a.migrationError(d.table.Table, err)
	}
	for _, p := range difference.Parts {
		d.log.InfoContext(ctx, "migrated", "part", p.String())
		migrated = append(migrated, p.String())
	}
	return migrated, nil
}

// shownObjects is how many objects that stop a migration a page shows.
const shownObjects = 20

func stoppedBy(blocked *run.BlockedError) error {
	all := len(blocked.Objects)
	shown := run.BlockedError{Objects: blocked.Objects[:min(all, shownObjects)]}
	more := ""
	if rest := all - len(shown.Objects); rest > 0 {
		more = fmt.Sprintf("\nand %d more", rest)
	}
	return fmt.Errorf("%s: correct what is stored, or change the schema\n%s%s",
		count(all, "object stops the migration of the table", "objects stop the migration of the table"), shown.Error(), more)
}
