package shop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/partita/partita/app"
	"github.com/partita/partita/exit"
	"github.com/partita/partita/graph/model"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/processtest"
	"github.com/partita/partita/internal/shop"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/stored"
	"github.com/partita/partita/request"
	"github.com/partita/partita/resolvers/claim"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// leavers are users who will be deleted. Each of them follows the next.
type leavers struct {
	*tabletest.Engine
	users []*model.User
}

func startLeavers(t *testing.T, n int) leavers {
	t.Helper()
	l := leavers{Engine: tabletest.Start(t, tableSchema())}
	for i := range n {
		email := fmt.Sprintf("u%d@example.org", i)
		u := &model.User{ID: keys.NewID("User", fmt.Sprintf("u%d", i)), Name: "Leaving", Email: &email, Version: 1}
		if i > 0 {
			u.FollowerCount = 1
		}
		if i < n-1 {
			u.FollowingCount = 1
			l.load(t)(typed.StoredFollow(&model.Follow{FollowerID: u.ID,
				FolloweeID: keys.NewID("User", fmt.Sprintf("u%d", i+1))}))
		}
		l.load(t)(typed.StoredUser(u))
		claimed, err := claim.Email(email, u.ID)
		l.load(t)([]item.Item{claimed}, err)
		l.users = append(l.users, u)
	}
	return l
}

func (l leavers) load(t *testing.T) func([]item.Item, error) {
	return func(items []item.Item, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		l.Load(t, items...)
	}
}

// softDelete deletes all of the users as the mutation does.
func (l leavers) softDelete(t *testing.T) {
	t.Helper()
	ctx := write.NewContext(t.Context(), mutator{l.Table})
	for _, u := range l.users {
		in := write.Input{Version: 1, Set: item.Item{{Name: "id", Value: keys.IDAttribute(u.ID)}}}
		out, err := write.Mutate(ctx, typed.Design, typed.Design.Mutation("deleteUser"), in)
		if err != nil || out.Any() {
			t.Fatal(out.List(), err)
		}
	}
}

// mutator is the write.Store of a table, for the deletion of a user.
type mutator struct{ *table.Table }

func (m mutator) ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := m.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	return slices.Concat(res.Items...), err
}

func (mutator) ReadRange(context.Context, write.Range) ([]item.Item, keys.Position, error) {
	return nil, keys.Position{}, errors.ErrUnsupported
}

func (m mutator) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	_, err := m.TransactWriteItems(ctx, t)
	return nil, err
}

// left returns the number of items in the table.
func (l leavers) left(t *testing.T) int {
	t.Helper()
	var text strings.Builder
	n, err := admin.Export(t.Context(), l.Table, &text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// removed holds the last request of a user's removal.
func (l leavers) removed(u *model.User) *tabletest.Hold {
	last := fmt.Sprintf("DeleteItem USER#%s USER#%s", u.ID.Value(), u.ID.Value())
	return l.Proxy.Hold(func(r tabletest.Request) bool { return r.Text == last })
}

func TestGatewaySweeps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		interval string
		// when the users are deleted: before the gateway starts, by its mutation, or by another process.
		when string
	}{
		"at start":      {"1h", "before"},
		"when woken":    {"1h", "mutation"},
		"each interval": {"10ms", "elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			l := startLeavers(t, 1)
			first := l.Proxy.Hold(processtest.IsOperation("Query"))
			if tt.when == "before" {
				l.softDelete(t)
			}
			last := l.removed(l.users[0])
			p := processtest.Start(t, "LIVE=off", "DYNAMODB_ENDPOINT="+l.Proxy.URL(), "SWEEP_INTERVAL="+tt.interval,
				"TABLE_SAMPLE=0") // no other Query at start
			<-first.Arrived() // of the sweep at start
			first.Release()
			switch tt.when {
			case "mutation":
				deleteUser(t, p, l.users[0].ID)
			case "elsewhere":
				l.softDelete(t)
			}
			<-last.Arrived()
			last.Release()
			p.Signal(t, syscall.SIGTERM)
			p.WantExit(t, "exit status 0", "")
			if n := l.left(t); n != 0 {
				t.Errorf("%d items are left", n)
			}
		})
	}
}

func deleteUser(t *testing.T, p *processtest.Process, id keys.ID) {
	t.Helper()
	body := `{"query":"mutation { deleteUser(input: {version: 1}) { deletedUserId userErrors { message } } }"}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/graphql", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if err := processtest.SignIn(request, viewer.Viewer{ID: id.Value()}); err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct{ Errors []any }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || len(answer.Errors) > 0 {
		t.Fatalf("got %+v, %v", answer, err)
	}
}

func TestGatewayWithoutSweep(t *testing.T) {
	t.Parallel()
	l := startLeavers(t, 1)
	l.softDelete(t)
	l.Proxy.Reset()
	p := processtest.Start(t, "LIVE=off", "DYNAMODB_ENDPOINT="+l.Proxy.URL(), "SWEEP_INTERVAL=0s", "TABLE_SAMPLE=0")
	p.Signal(t, syscall.SIGTERM)
	p.WantExit(t, "exit status 0", "")
	if l.Proxy.Counts().Requests["Query"] != 0 || l.writes() != 0 {
		t.Errorf("it swept: %v", l.Proxy.Log())
	}
}

// TestGatewayStopFinishesStep: a gateway that is stopped finishes the current step and begins no other. The next sweep
// continues there.
func TestGatewayStopFinishesStep(t *testing.T) {
	l := startLeavers(t, 3)
	l.softDelete(t)
	hold := l.Proxy.Hold(processtest.IsOperation("TransactWriteItems"))
	l.Proxy.Reset()
	p := processtest.Start(t, "LIVE=off", "DYNAMODB_ENDPOINT="+l.Proxy.URL())
	<-hold.Arrived()
	p.Signal(t, syscall.SIGTERM)
	awaitRefused(p)
	hold.Release()
	p.WantExit(t, "exit status 0", "")
	l.wantOneStep(t)
	l.wantRest(t)
}

// TestSweepInterrupted: the command that is interrupted does the same.
func TestSweepInterrupted(t *testing.T) {
	l := startLeavers(t, 3)
	l.softDelete(t)
	hold := l.Proxy.Hold(processtest.IsOperation("TransactWriteItems"))
	l.Proxy.Reset()
	t.Setenv("DYNAMODB_ENDPOINT", l.Proxy.URL())
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- shop.Application().Run(ctx, []string{"table", "sweep"}) }()
	<-hold.Arrived()
	interrupt()
	hold.Release()
	if err := <-ended; app.ExitCode(err) != exit.Interrupted {
		t.Errorf("it ended with %v", err)
	}
	l.wantOneStep(t)
	l.wantRest(t)
}

// writes returns the number of write requests. That with which a gateway checks its endpoint, which changes nothing, is
// about the record of the design.
func (l leavers) writes() int {
	n := l.Proxy.Counts().WriteRequests()
	for _, sent := range l.Proxy.Log() {
		if strings.HasPrefix(sent, "TransactWriteItems ConditionCheck "+stored.DesignPK) {
			n--
		}
	}
	return n
}

func (l leavers) wantOneStep(t *testing.T) {
	t.Helper()
	if n := l.writes(); n != 1 {
		t.Errorf("%d steps: %v", n, l.Proxy.Log())
	}
	if n := l.left(t); n != 3+3+2 { // the users and their items in the list, and an edge as base item and copy
		t.Errorf("%d items are left", n)
	}
}

// wantRest sweeps on to the end.
func (l leavers) wantRest(t *testing.T) {
	t.Helper()
	t.Setenv("DYNAMODB_ENDPOINT", l.Proxy.URL())
	if err := shop.Application().Run(t.Context(), []string{"table", "sweep"}); err != nil {
		t.Error(err)
	}
	if n := l.left(t); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

// awaitRefused waits until no connection is accepted any more.
func awaitRefused(p *processtest.Process) {
	for {
		response, err := http.Get(p.URL + "/healthz")
		if err != nil {
			return
		}
		_ = response.Body.Close()
	}
}
