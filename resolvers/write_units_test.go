package resolvers_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/graph"
	"github.com/partita/partita/graph/typed"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/loaders"
	"github.com/partita/partita/request"
	"github.com/partita/partita/write"
)

// recorder keeps the actions of transactions.
type recorder struct {
	loaders.Source
	mu      sync.Mutex
	actions []write.Action
}

func (r *recorder) TransactWriteItems(ctx context.Context, w write.Transaction) (request.Result, error) {
	r.mu.Lock()
	r.actions = append(r.actions, w.Actions...)
	r.mu.Unlock()
	return r.Source.TransactWriteItems(ctx, w)
}

// take returns the actions since the last call.
func (r *recorder) take() []write.Action {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.actions = nil }()
	return r.actions
}

// claimBytes is more than the size of any claim: an address of 254 bytes in both key attributes.
const claimBytes = 1024

// worstUnits is what an action consumes when all items are as large as they may
// be. A transaction writes each of its items twice. What follows in an index
// afterwards is written once for each entry, and once more when its key changes,
// for the old one is deleted.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
func worstUnits(a write.Action) int {
	units := func(bytes int) int { return (bytes + 1023) / 1024 }
	t, position := storedAs(a.Key)
	if t == nil {
		return 2 * units(claimBytes)
	}
	each := units(t.MaxBytes)
	sum := 2 * each
	if a.Kind == write.ActionCheck {
		return sum
	}
	var changed []string // An entry that is removed is deleted, and none is put.
	for _, set := range a.Set {
		changed = append(changed, set.Name)
	}
	entries := map[string]int{}
	for _, ix := range t.Indexes {
		if entries[ix.Name]++; entries[ix.Name] != position+1 {
			continue // the entry is that of another item
		}
		sum += each
		if slices.Contains(changed, keys.IndexPK(ix.Name)) || slices.Contains(changed, keys.IndexSK(ix.Name)) {
			sum += each
		}
	}
	return sum
}

// storedAs returns the type that is stored under the key and the position of the item: 0 is the base item, 1 the
// first copy.
func storedAs(key keys.Key) (*design.Type, int) {
	for _, t := range typed.Design.Types {
		for i, shape := range t.Shapes() {
			_, pk := shape.PK.Match(string(key.PK))
			_, sk := shape.SK.Match(string(key.SK))
			if pk && sk {
				return t, i
			}
		}
	}
	return nil, 0
}

// TestStatedWriteUnits: the descriptions of the mutations state what follows from
// the design, and the engine reports no more for the largest input.
func TestStatedWriteUnits(t *testing.T) {
	rec := &recorder{}
	s := startTable(t, func(c *gateway.Config, o *loaders.Options) {
		c.Engine = loaders.New(typed.Design, c.Schema.Schema(), rec, *o)
	})
	rec.Source = s.Table
	name, product := strings.Repeat("𝒜", 100), strings.Repeat("茶", 190)
	email := func(c string) string { return strings.Repeat(c, 242) + "@example.org" }
	newest := func(in input) (id any) {
		return gatewaytest.At(t, s.succeed(t, createUser, in), "user", "id")
	}
	ada, bob := newest(input{"name": name, "email": email("a")}), newest(input{"name": name, "email": email("b")})
	placing := func(n int) input {
		in := order(ada.(string), fmt.Sprintf("%064d", n), n)
		for _, line := range in["lines"].([]input) {
			line["name"], line["sku"] = product, strings.Repeat("x", 64)
		}
		return in
	}
	moved := gatewaytest.At(t, s.succeed(t, placeOrder, placing(1)), "order", "id")
	cancelled := gatewaytest.At(t, s.succeed(t, placeOrder, placing(2)), "order", "id")
	for _, tt := range []struct {
		field, mutation string
		input           input
		lines           int
	}{
		{"createUser", createUser, input{"name": name, "email": email("c")}, 0},
		{"updateUser", updateUser, input{"userId": ada, "version": 1, "name": name, "email": email("d")}, 0},
		{"followUser", followUser, input{"userId": ada, "followeeId": bob}, 0},
		{"unfollowUser", unfollowUser, input{"userId": ada, "followeeId": bob}, 0},
		{"placeOrder", placeOrder, placing(5), 5},
		{"placeOrder", placeOrder, placing(96), 96},
		{"updateOrderStatus", updateOrderStatus, input{"orderId": moved, "version": 1, "status": "PAID"}, 0},
		{"cancelOrder", cancelOrder, input{"userId": ada, "orderId": cancelled, "version": 1}, 0},
		{"deleteUser", deleteUser, input{"userId": ada, "version": 2}, 0},
	} {
		t.Run(tt.field, func(t *testing.T) {
			rec.take()
			s.Proxy.Reset()
			s.succeed(t, tt.mutation, tt.input)
			sent := write.Transaction{Actions: rec.take()}
			want := 0
			for _, a := range sent.Actions {
				want += worstUnits(a)
			}
			if stated := statedUnits(t, tt.field, tt.lines); stated != want {
				t.Errorf("%d are stated, %d follow from the design", stated, want)
			}
			reported := s.Proxy.Counts().WriteUnits
			t.Logf("%d at most, %v reported", want, reported)
			if reported > float64(want) {
				t.Errorf("the engine reports %v, at most %d were to be", reported, want)
			}
			// If it were cancelled, it would cost at least as much, and no more than is stated.
			if charged := sent.Units(typed.Design); float64(charged) < reported || charged > want {
				t.Errorf("%d would be charged, %v are reported and %d stated", charged, reported, want)
			}
		})
	}
}

var statedBase = regexp.MustCompile(`[Aa]t\s+most\s+(\d+)\s+write\s+units(?:\s+and\s+(\d+)\s+for\s+each\s+line, ` +
	`so (\d+) for an order of 96 lines)?`)

// statedUnits returns the write units in the mutation's description.
func statedUnits(t *testing.T, field string, lines int) int {
	t.Helper()
	description := graph.NewExecutableSchema(graph.Config{}).Schema().Mutation.Fields.ForName(field).Description
	found := statedBase.FindStringSubmatch(strings.Join(strings.Fields(description), " "))
	if found == nil {
		t.Fatalf("nothing is stated: %s", description)
	}
	number := func(i int) int {
		n, err := strconv.Atoi(found[i])
		if err != nil && found[i] != "" {
			t.Fatal(err)
		}
		return n
	}
	if total := number(1) + 96*number(2); found[3] != "" && total != number(3) {
		t.Errorf("%d for 96 lines are stated, %d follow", number(3), total)
	}
	return number(1) + lines*number(2)
}
