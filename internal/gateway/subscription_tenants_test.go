package gateway_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/partita/partita/internal/executors"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/gateway/subscribe"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/live"
	"github.com/partita/partita/internal/plan"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/internal/testservice"
	"github.com/partita/partita/item"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/table"
	"github.com/partita/partita/viewer"
)

// TestSubscriptionsOfTenants: three tenants have objects with the same ids in one table, and subscribe to each live
// field. While the objects of all of them change, what each has received becomes what its queries return, and no
// position is valid for another tenant.
func TestSubscriptionsOfTenants(t *testing.T) {
	design, schema := testservice.Design(), testservice.Executable()
	stored := table.SchemaOf(design)
	plain := tabletest.Start(t, stored)
	stored.Tenants = true
	engine := plain.With(t, stored)
	hub := testservice.NewChanges(t, design, plain, nil, live.Options{})
	c := gateway.Config{
		Schema:        schema,
		Subscriptions: subscribe.Settings{Live: hub.Hub},
		Callers: operation.Callers{
			NeedsTenant:  true,
			Authenticate: gatewaytest.Authenticate,
		},
		Monitoring: gateway.Monitoring{Logger: slog.New(slog.DiscardHandler)},
		Engine:     loaders.New(design, schema.Schema(), engine.Table, loaders.Options{}),
	}
	l := &library{subscriptions: gateway.NewSubscriber(c)}
	queries := gateway.New(c)

	names := []string{"acme", "acme2", "zebra"}
	var tenants []*tenant
	for n, name := range names {
		seed := uint64(n)
		one := &tenant{
			Changes: hub.OfTenant(t, engine, name), viewer: testservice.Librarian,
			random: rand.New(rand.NewPCG(seed, 7)), text: "text of " + name,
		}
		one.viewer.Tenant = name
		one.objects = one.draw()
		for _, items := range one.objects {
			one.Put(t, items...)
		}
		tenants = append(tenants, one)
	}
	generator := executors.NewGenerator(plan.API(schema.Schema()), design, slices.Values(tenants[0].Items()))
	generator.Valid = true
	for _, one := range tenants {
		for field := range liveFields {
			one.follows = append(one.follows, follow(t, l, one.viewer, field, generator, one.random))
		}
	}
	for range 30 {
		for _, one := range tenants {
			one.change(t)
		}
	}
	for _, one := range tenants {
		one.Put(t, one.Items()...) // of what is selected below an item, there are no events
		one.check(t, queries, names)
	}
	for _, of := range liveFields {
		if of.path == "latestLoanOf" || of.path == "bookByIsbn" {
			continue // the first item of a Query always begins with its state
		}
		query := "subscription { live: " + of.field + " { __typename } }"
		own := l.subscribe(t, tenants[0].viewer, query)
		body, _ := own.Next()
		var a liveAnswer
		if err := json.Unmarshal([]byte(body), &a); err != nil || a.Extensions.Live.Position == "" {
			t.Fatalf("%s: %v %s", query, err, body)
		}
		position := a.Extensions.Live.Position
		if got := l.refused(t, tenants[1].viewer, query, position); !strings.HasPrefix(got, "POSITION_EXPIRED") {
			t.Errorf("%s with the position of another tenant: %s", query, got)
		}
	}
}

// tenant is a tenant with its objects.
type tenant struct {
	*testservice.Changes
	viewer  viewer.Viewer
	random  *rand.Rand
	text    string
	objects [][]item.Item
	follows []*follower
}

// draw returns versions of all objects, in which texts have the name of the tenant.
func (o *tenant) draw() [][]item.Item {
	all := objects(o.random)
	for _, items := range all {
		for _, it := range items {
			for i := range it {
				if strings.HasPrefix(it[i].Value.Text, "text ") {
					it[i].Value.Text = fmt.Sprint(o.text, " ", o.random.IntN(100))
				}
			}
		}
	}
	return all
}

func (o *tenant) change(t *testing.T) {
	t.Helper()
	i := o.random.IntN(len(o.objects))
	next := o.draw()[i]
	o.Replace(t, o.objects[i], next)
	o.objects[i] = next
}

// check waits until all states are those of queries. No answer has a text of another tenant.
func (o *tenant) check(t *testing.T, queries http.Handler, names []string) {
	t.Helper()
	for _, f := range o.follows {
		f.check(t, queries)
		f.mu.Lock()
		received := strings.Join(f.text, "\n")
		f.mu.Unlock()
		for _, other := range names {
			if other != o.viewer.Tenant && strings.Contains(received, "text of "+other+" ") {
				t.Errorf("%s: %s has received what %s has: %s", liveFields[f.field].field, o.viewer.Tenant, other, received)
			}
		}
	}
}
