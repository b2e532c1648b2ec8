package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gatewaytest"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/loaders"
)

// payload is the result of a mutation: the codes of its user errors, and the id and version of its object, if any.
type payload struct {
	codes   string
	id      string
	version int
}

// fieldErrors are the errors of an answer.
type fieldErrors []answerError

func (e fieldErrors) Error() string { return fmt.Sprintf("%+v", []answerError(e)) }

// isUnavailable reports whether nobody knows if a mutation was carried out.
func isUnavailable(err error) bool {
	failed, is := errors.AsType[fieldErrors](err)
	return is && len(failed) == 1 && failed[0].Extensions.Code == loaders.CodeUnavailable
}

// attempt sends a mutation from any goroutine. Errors of fields are fieldErrors.
func (s *shop) attempt(ctx context.Context, mutation string, in input) (payload, error) {
	a, err := s.send(ctx, mutation, map[string]any{"input": in})
	if err != nil {
		return payload{}, err
	}
	if len(a.Errors) > 0 {
		return payload{}, fieldErrors(a.Errors)
	}
	var p payload
	for name, v := range a.Data["m"].(map[string]any) {
		if name == "userErrors" {
			var codes []string
			for _, e := range v.([]any) {
				codes = append(codes, fmt.Sprint(e.(map[string]any)["code"]))
			}
			p.codes = strings.Join(codes, " ")
		} else if object, ok := v.(map[string]any); ok {
			p.id, _ = object["id"].(string)
			if version, ok := object["version"].(float64); ok {
				p.version = int(version)
			}
		}
	}
	return p, nil
}

// TestWritesGiveWay: mutations in Go that wait for the table have no turn on the CPUs, so that others are answered,
// those of the same caller as well.
func TestWritesGiveWay(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	hold := s.Proxy.Hold(tabletest.Request.IsWrite)
	var waiting sync.WaitGroup
	for i := range 8 * runtime.GOMAXPROCS(0) { // more than there are turns
		waiting.Go(func() {
			if _, err := s.attempt(t.Context(), placeOrder, order(ada, fmt.Sprint("k", i), 1)); err != nil {
				t.Error(err)
			}
		})
		<-hold.Arrived()
	}
	for range 3 {
		s.must(t, `query($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": ada})
	}
	hold.Release()
	waiting.Wait()
}

// together sends n mutations at the same time.
func (s *shop) together(t *testing.T, n int, mutation string, in func(i int) input) []payload {
	t.Helper()
	payloads := make([]payload, n)
	var group errgroup.Group
	for i := range n {
		group.Go(func() (err error) {
			payloads[i], err = s.attempt(t.Context(), mutation, in(i))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return payloads
}

// trouble lists the faults of the table in the tests below.
var trouble = map[string]tabletest.Faults{
	"no faults": {},
	"conflicts": {Seed: 1, Conflict: 0.2},
	"lost":      {Seed: 2, Lost: 0.2},
	"contended": {Contended: true},
	"all":       {Seed: 3, Contended: true, Conflict: 0.1, Lost: 0.1, Throttled: 0.1, Failed: 0.05, Reset: 0.05},
}

func TestOneKeyIsOneOrder(t *testing.T) {
	cases := maps.Clone(trouble)
	// The claim alone is enough once DynamoDB has forgotten the token.
	cases["no tokens"] = tabletest.Faults{NewTokens: true}
	cases["no tokens, lost"] = tabletest.Faults{Seed: 4, NewTokens: true, Lost: 0.2}
	for name, faults := range cases {
		t.Run(name, func(t *testing.T) {
			s := startEmptyShop(t)
			ada := s.newUser(t, "ada")
			s.Proxy.Inject(faults)
			payloads := s.together(t, 50, placeOrder, func(int) input { return order(ada, "once", 3) })
			for _, p := range payloads {
				if p.codes != "" || p.id == "" || p.id != payloads[0].id {
					t.Errorf("got %+v, want the order %s", p, payloads[0].id)
				}
			}
			s.Proxy.Inject(tabletest.Faults{})
			s.checkTable(t)
			a := s.must(t, `query($id: ID!) { user(id: $id) { orderCount } }`, map[string]any{"id": ada})
			if n := gatewaytest.At(t, a.Data, "user", "orderCount"); n != 1.0 {
				t.Errorf("%v orders", n)
			}
		})
	}
}

// TestOneKeyForManyInputs: of different orders under one key, one is placed.
func TestOneKeyForManyInputs(t *testing.T) {
	for _, forgotten := range []bool{false, true} {
		s := startEmptyShop(t)
		ada := s.newUser(t, "ada")
		s.Proxy.Inject(tabletest.Faults{NewTokens: forgotten})
		placed := map[string]int{}
		for _, p := range s.together(t, 30, placeOrder, func(i int) input { return order(ada, "once", 1+i%3) }) {
			placed[p.id+p.codes]++
		}
		if len(placed) != 2 || placed["KEY_REUSED"] != 20 {
			t.Errorf("tokens forgotten %v: orders %v, want one for ten inputs and 20 errors", forgotten, placed)
		}
		s.checkTable(t)
	}
}

// TestLostOrder: an order without an answer is found by its key when it is sent again.
func TestLostOrder(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	writes := tabletest.Request.IsWrite
	s.Proxy.Inject(tabletest.Faults{Lost: 1, Only: writes})
	// The second request of the same attempt means that the first was lost.
	second := s.Proxy.Hold(func(r tabletest.Request) bool { return writes(r) && s.Proxy.Counts().ResetConnections > 1 })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan error, 1)
	go func() {
		_, err := s.attempt(ctx, placeOrder, order(ada, "lost", 2))
		gone <- err
	}()
	<-second.Arrived()
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Fatalf("the attempt ended with %v", err)
	}
	second.Release()
	s.Proxy.Inject(tabletest.Faults{})
	first := s.newOrder(t, ada, "lost")
	if again := s.newOrder(t, ada, "lost"); again != first {
		t.Errorf("the key gave %s and then %s", first, again)
	}
	s.checkTable(t)
	a := s.must(t, `query($id: ID!) { user(id: $id) { orderCount } }`, map[string]any{"id": ada})
	if n := gatewaytest.At(t, a.Data, "user", "orderCount"); n != 1.0 {
		t.Errorf("%v orders", n)
	}
}

// TestLostUser: if the answer to createUser is lost and the table has forgotten the token, the answer is not TAKEN: the
// address is the caller's own.
func TestLostUser(t *testing.T) {
	s := startEmptyShop(t)
	writes := 0
	s.Proxy.Inject(tabletest.Faults{Lost: 1, NewTokens: true, Only: func(r tabletest.Request) bool {
		if r.IsWrite() {
			writes++
		}
		return writes == 1
	}})
	in := input{"name": "Ada", "email": "ada@example.org"}
	if p, err := s.attempt(t.Context(), createUser, in); !isUnavailable(err) {
		t.Errorf("got %+v, %v", p, err)
	}
	s.Proxy.Inject(tabletest.Faults{})
	s.checkTable(t)
}

// TestManyFollowOne: many users follow one user at once, and all succeed within the attempts that a request has; then
// all unfollow.
func TestManyFollowOne(t *testing.T) {
	t.Parallel()
	for name, faults := range trouble {
		many := min(120, soak.Times(30))
		if name == "contended" {
			many = 500
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startTable(t, func(c *gateway.Config, _ *loaders.Options) { c.OperationTimeout = 5 * time.Minute })
			ada := s.newUser(t, "ada")
			users := s.together(t, many, createUser, func(i int) input {
				return input{"name": fmt.Sprint(i), "email": fmt.Sprintf("u%d@example.org", i)}
			})
			s.Proxy.Inject(faults)
			for _, step := range []struct {
				mutation string
				left     int
			}{{followUser, many}, {unfollowUser, 0}} {
				edge := func(i int) input { return input{"userId": users[i].id, "followeeId": ada} }
				for _, p := range s.together(t, many, step.mutation, edge) {
					if p.codes != "" {
						t.Errorf("got %+v", p)
					}
				}
				a := s.must(t, `query($id: ID!) { user(id: $id) { followerCount } }`, map[string]any{"id": ada})
				if n := gatewaytest.At(t, a.Data, "user", "followerCount"); n != float64(step.left) {
					t.Errorf("%v followers", n)
				}
				// After a conflict, writes wait in the per-key queue; without it there are five times as many requests.
				if c := s.Proxy.Counts().Conflicts; name == "contended" && c > 2*many {
					t.Errorf("%d conflicts of %d transactions", c, many)
				}
				s.Proxy.Reset()
			}
			s.Proxy.Inject(tabletest.Faults{})
			s.checkTable(t)
		})
	}
}

// TestOneOfManyWins: of concurrent changes based on one version, one succeeds.
func TestOneOfManyWins(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	id := s.newOrder(t, ada, "k")
	for name, run := range map[string]func() []payload{
		"createUser": func() []payload {
			return s.together(t, 20, createUser, func(i int) input {
				return input{"name": fmt.Sprint(i), "email": "Same@example.org"}
			})
		},
		"updateUser": func() []payload {
			return s.together(t, 20, updateUser, func(i int) input {
				return input{"userId": ada, "version": 1, "name": fmt.Sprint(i)}
			})
		},
		"updateOrderStatus": func() []payload {
			return s.together(t, 20, updateOrderStatus, func(i int) input {
				return input{"orderId": id, "version": 1, "status": []string{"PAID", "CANCELLED"}[i%2]}
			})
		},
	} {
		won, lost := 0, 0
		for _, p := range run() {
			switch p.codes {
			case "":
				won++
			case "CONFLICT", "TAKEN":
				lost++
			default:
				t.Errorf("%s: got %+v", name, p)
			}
		}
		if won != 1 || lost != 19 {
			t.Errorf("%s: %d succeeded and %d failed", name, won, lost)
		}
	}
	s.checkTable(t)
}

// TestUpdatesSpareCounters: a change of a user never reverts a concurrent change of the user's counters.
func TestUpdatesSpareCounters(t *testing.T) {
	s := startEmptyShop(t)
	ada := s.newUser(t, "ada")
	users := s.together(t, 40, createUser, func(i int) input {
		return input{"name": fmt.Sprint(i), "email": fmt.Sprintf("u%d@example.org", i)}
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		for version := 1; version <= 20; version++ {
			p, err := s.attempt(t.Context(), updateUser, input{"userId": ada, "version": version,
				"email": fmt.Sprintf("ada%d@example.org", version)})
			if err != nil || p.codes != "" || p.version != version+1 {
				t.Errorf("version %d: %+v, %v", version, p, err)
			}
		}
	})
	s.together(t, len(users), followUser, func(i int) input { return input{"userId": users[i].id, "followeeId": ada} })
	wg.Wait()
	s.checkTable(t)
}

// TestOneAddressForOne: of many concurrent claims of one address, in any case of its letters, for a new user or an
// existing one, one succeeds.
func TestOneAddressForOne(t *testing.T) {
	for name, faults := range map[string]tabletest.Faults{"no faults": {}, "faults": trouble["all"]} {
		t.Run(name, func(t *testing.T) {
			s := startEmptyShop(t)
			var users []string
			for i := range 32 {
				users = append(users, s.newUser(t, fmt.Sprintf("user%d", i)))
			}
			spellings := []string{"straße@example.org", " STRASSE@EXAMPLE.ORG", "Strasse＠example.org", "STRAẞE@example.org"}
			s.Proxy.Inject(faults)
			payloads := make([]payload, 2*len(users))
			var group errgroup.Group
			for i := range payloads {
				group.Go(func() (err error) {
					email := spellings[i/2%len(spellings)]
					if i%2 == 0 {
						payloads[i], err = s.attempt(t.Context(), createUser, input{"name": "New", "email": email})
					} else {
						payloads[i], err = s.attempt(t.Context(), updateUser, input{"userId": users[i/2], "version": 1, "email": email})
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
			won := map[string]int{}
			for _, p := range payloads {
				won[p.codes]++
			}
			if won[""] != 1 || won["TAKEN"] != len(payloads)-1 {
				t.Errorf("outcomes %v, want one success", won)
			}
			s.Proxy.Inject(tabletest.Faults{})
			s.checkTable(t)
		})
	}
}

// TestAddressInOtherLetters: a change of case keeps the claim.
func TestAddressInOtherLetters(t *testing.T) {
	s := startEmptyShop(t)
	in := input{"name": "Eszett", "email": "straße@example.org"}
	id := gatewaytest.At(t, s.succeed(t, createUser, in), "user", "id")
	s.succeed(t, updateUser, input{"userId": id, "version": 1, "email": "strasse@example.org"})
	s.checkTable(t)
	if got := corrections(t, s.mutate(t, createUser, in)); !strings.Contains(got, "TAKEN") {
		t.Errorf("the address in other letters: %q", got)
	}
	s.succeed(t, updateUser, input{"userId": id, "version": 2, "email": "other@example.org"})
	s.succeed(t, createUser, in)
	s.checkTable(t)
}
