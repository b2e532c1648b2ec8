package examples

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/crowdtest"
	"github.com/partita/partita/internal/exampletest"
	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/migratetest"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/viewer"
)

// crowd is what many callers do with an app, and their ledger of it.
type crowd interface {
	// enter adds a caller. It returns what the caller does first, and then one random thing after the other.
	enter(c *caller) (open, step func(context.Context) error)
	// check compares the table with the ledger.
	check(t *testing.T, objects objects)
}

// crowdGateways is how many gateways there are. crowdFaults are those of the table.
const crowdGateways = 3

var (
	crowdSize = min(200, soak.Times(10))
	// crowdKills is how often one of the gateways is killed, each after at most crowdAttempts more attempts at it.
	crowdKills    = soak.Times(1)
	crowdAttempts = max(12, crowdSize/2)
	crowdFaults   = tabletest.Faults{Throttled: 0.04, Failed: 0.01, Reset: 0.01, Lost: 0.03, Conflict: 0.04}
)

// TestCrowds lets many callers use each app at the same time, while gateways are killed and the table throttles, fails
// and loses answers. The table has what was answered with success, once, and nothing else: see the checks of the apps.
func TestCrowds(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func() crowd{
		"booking": newTheatre, "wallet": newBank, "tracker": newTeam, "chat": newTalk,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			among(t, exampletest.Open(t, name), begin())
		})
	}
}

// among serves an app to its callers.
func among(t *testing.T, e *exampletest.Example, c crowd) {
	t.Helper()
	s := e.Serve(t)
	dir, err := filepath.Abs(e.Dir)
	fatal.If(t, err)
	settings := []string{"DYNAMODB_ENDPOINT=" + s.Engine.Proxy.URL(), "READ_UNITS_BUCKET=0", "LIVE=off"}
	gateways := crowdtest.StartGateways(t, crowdGateways, func(t *testing.T) *processtest.Process {
		t.Helper()
		p := processtest.Launch(t, "serve "+dir, settings...)
		p.AwaitServing(t)
		return p
	})
	s.Engine.Proxy.Inject(crowdFaults)
	senders := crowdtest.NewSenders(crowdSize, gateways.Services...)
	random := rand.New(rand.NewPCG(soak.Seed, 0))
	fatal.If(t, act(t.Context(), c, senders, func(ctx context.Context) {
		gateways.KillInTurn(ctx, t, random, crowdKills, crowdAttempts)
	}))
	s.Engine.Proxy.Inject(tabletest.Faults{})
	for i := range gateways.All {
		gateways.Terminate(t, i)
	}
	processtest.Run(t, "table sweep "+dir, settings...) // what is below deleted objects
	s.Check(t)
	c.check(t, objectsIn(t, s.Engine))
	t.Log(crowdtest.Summary(senders))
}

// act lets all callers begin, and then go on until a function returns.
func act(ctx context.Context, c crowd, senders []*crowdtest.Sender, during func(context.Context)) error {
	var steps []func(context.Context) error
	group, opening := errgroup.WithContext(ctx)
	for _, sender := range senders {
		open, step := c.enter(&caller{sender})
		steps = append(steps, step)
		group.Go(func() error { return open(opening) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	stop := make(chan struct{})
	group, ctx = errgroup.WithContext(ctx)
	for _, step := range steps {
		group.Go(func() error { return repeat(ctx, stop, step) })
	}
	during(ctx)
	close(stop)
	return group.Wait()
}

// repeat calls a function until a channel is closed, or it fails.
func repeat(ctx context.Context, stop <-chan struct{}, step func(context.Context) error) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
}

// caller is one of the callers, whose name is that of the viewer.
type caller struct{ *crowdtest.Sender }

type input map[string]any

// outcome is the payload of an action. If doubt is set, an attempt before may have been carried out.
type outcome struct {
	payload map[string]any
	doubt   bool
}

// do sends an action of the caller, with what its payload has besides the user errors.
func (c *caller) do(ctx context.Context, action string, in input, selection string) (outcome, error) {
	return c.as(ctx, viewer.Viewer{ID: c.Name}, action, in, selection)
}

// as is do as another viewer.
func (c *caller) as(ctx context.Context, v viewer.Viewer, action string, in input, selection string) (outcome, error) {
	o := outcome{}
	document := fmt.Sprintf("mutation($in: %sInput!) { m: %s(input: $in) { %s userErrors { code message } } }",
		strings.ToUpper(action[:1])+action[1:], action, selection)
	var err error
	o.doubt, err = c.Mutate(ctx, crowdtest.Mutation{Document: document, Variables: input{"in": in}, As: v}, &o.payload)
	if err != nil {
		err = fmt.Errorf("%s %s %v: %w", c.Name, action, in, err)
	}
	return o, err
}

// want returns an error unless the code of the user error, "" for success, is one of these.
func (o outcome) want(codes ...string) error {
	for _, code := range codes {
		if o.code() == code {
			return nil
		}
	}
	return fmt.Errorf("%v instead of one of %q", o.payload, codes)
}

// done reports whether the action was carried out by the last attempt.
func (o outcome) done() bool { return o.code() == "" }

// code returns that of the only user error, "" for success.
func (o outcome) code() string {
	var codes []string
	for _, e := range o.payload["userErrors"].([]any) {
		codes = append(codes, fmt.Sprint(e.(map[string]any)["code"]))
	}
	return strings.Join(codes, " ")
}

// field returns a value of an object in the payload as text.
func (o outcome) field(object, name string) string {
	fields, _ := o.payload[object].(map[string]any)
	if fields[name] == nil {
		return ""
	}
	return fmt.Sprint(fields[name])
}

// one returns one of a list, and its number.
func one[T any](c *caller, all []T) (T, int) {
	i := c.Random.IntN(len(all))
	return all[i], i
}

// objects are those of a table, by type and global id. That copies are equal is what `table check` says.
type objects map[string]map[string]item.Item

func objectsIn(t *testing.T, e *tabletest.Engine) objects {
	t.Helper()
	all := objects{}
	d := e.Table.Schema().Design
	for key, it := range migratetest.Scan(t, e.Table) {
		typ := d.Type(it.Type())
		if typ == nil || !typ.IsBase(key) {
			continue
		}
		var id []string
		for _, name := range typ.Identity {
			id = append(id, it.Text(name))
		}
		if all[typ.Name] == nil {
			all[typ.Name] = map[string]item.Item{}
		}
		all[typ.Name][keys.NewID(typ.Name, id...).Encode()] = it
	}
	return all
}
