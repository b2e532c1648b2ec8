package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/gateway"
	"github.com/partita/partita/internal/gateway/operation"
	"github.com/partita/partita/internal/soak"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/viewer"
	"github.com/partita/partita/write"
)

// rulesOfAllKinds is a schema with live fields whose answers depend on the viewer in all ways that there are.
const rulesOfAllKinds = `
type Query {
  tasks(list: String!): TaskConnection @query(index: "GSI1", pk: "LIST#{list}") @allow(to: ["VIEWER"]) @live
  byDay(list: String!, day: String!): TaskConnection
    @query(index: "GSI1", pk: "LIST#{list}", sk: "{day}#") @allow(to: ["VIEWER"]) @live
  task(id: ID!): Task @get(pk: "TASK#{id}", sk: "TASK#{id}") @live
  inbox(kind: String!): MessageConnection @query(pk: "INBOX#{viewer}", sk: "{kind}#") @allow(to: ["VIEWER"]) @live
  log(room: String!): EntryConnection @query(pk: "ROOM#{room}", sk: "LOG#") @allow(to: ["VIEWER"]) @live
}
type Task @item(pk: "TASK#{id}", sk: "TASK#{id}") @index(name: "GSI1", pk: "LIST#{list}", sk: "{day}#{id}")
  @allow(to: ["OWNER", "ADMIN", "CLERK"], owner: "ownerId") {
  id: ID! list: String! day: String! text: String! ownerId: ID! roomId: String
  pay: Int @allow(to: ["ADMIN"])
  note: String @allow(to: ["OWNER", "ADMIN"], owner: "ownerId")
  owner: Person @get(pk: "PERSON#{ownerId}", sk: "PERSON#{ownerId}")
  room: Room @get(pk: "ROOM#{roomId}", sk: "ROOM#{roomId}")
  others: TaskConnection @query(index: "GSI1", pk: "LIST#{list}") @allow(to: ["VIEWER"])
}
type Person @item(pk: "PERSON#{id}", sk: "PERSON#{id}") {
  id: ID! name: String!
  phone: String @allow(to: ["OWNER", "CLERK"], owner: "id")
}
type Room @item(pk: "ROOM#{id}", sk: "ROOM#{id}")
  @allow(to: ["MEMBER", "ADMIN"], member: {pk: "ROOM#{id}", sk: "MEMBER#{viewer}"}) { id: String! title: String! }
type Entry @item(pk: "ROOM#{room}", sk: "LOG#{n:03}")
  @allow(to: ["MEMBER"], member: {pk: "ROOM#{room}", sk: "MEMBER#{viewer}"}) {
  id: ID! room: String! n: Int! text: String!
}
type Message @item(pk: "INBOX#{userId}", sk: "{kind}#{n:03}") @allow(to: ["OWNER"], owner: "userId") {
  id: ID! userId: ID! kind: String! n: Int! text: String!
}
type Membership @item(pk: "ROOM#{room}", sk: "MEMBER#{userId}") { room: String! userId: ID! }`

// liveDocuments are subscriptions to that schema.
var liveDocuments = []string{
	`tasks(list: "a", first: 5) { change nodeId cursor edge { cursor } node { id text pay note owner { name phone } } }`,
	`tasks(list: "a", first: 5) { change node { text } }`,
	`tasks(list: "a", first: 5) { change node { room { title } others(first: 2) { nodes { text pay } } } }`,
	`byDay(list: "a", day: "1", first: 5) { change nodeId cursor node { text ownerId } }`,
	`task(id: "VGFzazox") { text note pay owner { phone } }`,
	`task(id: "VGFzazox") { room { title } }`,
	`inbox(kind: "M", first: 5) { change nodeId node { text } }`,
	`log(room: "r", first: 5) { change node { n text } }`,
	`tasks(list: "a", first: 5) { change node { others(first: $n) { nodes { text } } } }`,
}

// world is what the subscriptions of a random run see.
type world struct {
	*rand.Rand
	design *design.Design
	l      *library
	there  map[string][]item.Item
}

func (w *world) stored(t *testing.T, typ string, values ...any) []item.Item {
	t.Helper()
	var it item.Item
	for i := 0; i < len(values); i += 2 {
		var v item.Value
		switch value := values[i+1].(type) {
		case string:
			v = item.StringValue(value)
		case int:
			v = item.NumberValue(value)
		case keys.ID:
			v = keys.IDAttribute(value)
		}
		it = append(it, item.Attribute{Name: values[i].(string), Value: v})
	}
	items, err := write.Items(w.design.Type(typ), it)
	fatal.If(t, err)
	return items
}

func user(n int) keys.ID { return keys.NewID("Person", fmt.Sprint("u", n)) }

// change writes, replaces or deletes a random object. Some are damaged.
func (w *world) change(t *testing.T) {
	t.Helper()
	n, of, text := w.IntN(3), user(w.IntN(3)), fmt.Sprint("text ", w.IntN(1000))
	own := keys.NewID("", of.Value()) // of a type without a field for it
	var items []item.Item
	var name string
	switch w.IntN(8) {
	case 0, 1, 2, 3:
		name = fmt.Sprint("task", n)
		items = w.stored(t, "Task", "id", keys.NewID("Task", fmt.Sprint(n)), "list", "a", "day", fmt.Sprint(w.IntN(2)),
			"text", text, "ownerId", of, "roomId", "r", "pay", n, "note", text)
	case 4:
		name = fmt.Sprint("person", of)
		items = w.stored(t, "Person", "id", of, "name", text, "phone", text)
	case 5:
		name = fmt.Sprint("entry", n)
		items = w.stored(t, "Entry", "room", "r", "n", n, "text", text)
	case 6:
		name = fmt.Sprint("message", of, n)
		items = w.stored(t, "Message", "userId", own, "kind", "M", "n", n, "text", text)
	default:
		name = fmt.Sprint("member", of)
		items = w.stored(t, "Membership", "room", "r", "userId", own)
	}
	if w.IntN(10) == 0 {
		for i := range items {
			items[i] = changed(items[i], "text", "\x00")
			items[i] = changed(items[i], item.EntityType, "Newer")
		}
	}
	if old := w.there[name]; old != nil && w.IntN(4) == 0 {
		w.l.Delete(t, old...)
		delete(w.there, name)
		return
	} else if old != nil {
		w.l.Replace(t, old, items)
	} else {
		w.l.Put(t, items...)
	}
	w.there[name] = items
}

// TestSharedAnswers: an answer that was made for another subscription is the one that would have been made. Each
// subscription of a group has a twin, whose document has a name of its own, so that it shares nothing.
func TestSharedAnswers(t *testing.T) {
	total := 0
	for seed := range soak.Seeds(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			total += checkShared(t, rand.New(rand.NewPCG(seed, 2)))
		})
	}
	if total < 50 {
		t.Errorf("%d answers were shared", total)
	}
}

func checkShared(t *testing.T, r *rand.Rand) (reused int) {
	t.Helper()
	design, schema := folderOf(t, rulesOfAllKinds)
	w := &world{Rand: r, design: design, there: map[string][]item.Item{}}
	var shared sharedAnswers
	w.l = startLive(t, design, schema, setup{config: func(c *gateway.Config) { c.Monitoring.Observer = &shared }})
	for range 10 {
		w.change(t)
	}
	viewers := []viewer.Viewer{
		{}, {ID: "u0"}, {ID: "u1"}, {ID: "u2"}, {ID: "u9"},
		{ID: "u0", Roles: []string{"CLERK"}}, {ID: "u1", Roles: []string{"ADMIN"}}, {ID: "u9", Roles: []string{"ADMIN"}},
		{ID: "u2", Roles: []string{"CLERK", "OTHER"}},
	}
	var pairs []*pair
	for _, document := range liveDocuments {
		for _, v := range viewers {
			for range 1 + r.IntN(2) {
				if p := w.pair(t, v, document, len(pairs)); p != nil {
					pairs = append(pairs, p)
				}
			}
		}
	}
	for range 30 {
		w.change(t)
		var reading sync.WaitGroup
		for _, p := range pairs {
			reading.Go(p.shared.read)
			reading.Go(p.alone.read)
		}
		reading.Wait()
		for _, p := range pairs {
			p.check(t)
		}
	}
	return int(shared.count.Load())
}

// pair is a subscription with its twin.
type pair struct {
	name          string
	shared, alone *polled
}

type polled struct {
	*gateway.Subscription
	bodies []string
	hasEnd bool
}

// pair subscribes twice, nil for a viewer who may not.
func (w *world) pair(t *testing.T, v viewer.Viewer, document string, n int) *pair {
	t.Helper()
	begin := func(name string) *polled {
		var variables map[string]any
		if strings.Contains(document, "$n") {
			name, variables = name+"($n: Int)", map[string]any{"n": json.Number(strconv.Itoa(n % 3))}
		}
		s, _ := w.l.subscriptions.Subscribe(t.Context(), v, "subscription "+name+" { "+document+" }", variables, "")
		if s == nil {
			return nil
		}
		t.Cleanup(s.Close)
		return &polled{Subscription: s}
	}
	p := &pair{
		name: fmt.Sprintf("%s as %q %v", document, v.ID, v.Roles), shared: begin("Same"), alone: begin(fmt.Sprint("Own", n)),
	}
	if (p.shared == nil) != (p.alone == nil) {
		t.Fatalf("%s: only one begins", p.name)
	}
	if p.shared == nil {
		return nil
	}
	return p
}

// read reads all answers that there are.
func (p *polled) read() {
	for !p.hasEnd {
		body, isAny, isEnd := p.Poll()
		if p.hasEnd = isEnd; !isAny && !isEnd {
			return
		}
		p.bodies = append(p.bodies, body)
	}
}

// check compares what the two have received.
func (p *pair) check(t *testing.T) {
	t.Helper()
	got, want := p.shared.answers(t), p.alone.answers(t)
	if got != want {
		t.Fatalf("%s: got\n%s\nwant\n%s", p.name, got, want)
	}
	p.shared.bodies, p.alone.bodies = nil, nil
}

// answers returns the data, the errors and the numbers of objects of what was received.
func (p *polled) answers(t *testing.T) string {
	t.Helper()
	var lines []string
	for _, body := range p.bodies {
		var a liveAnswer
		fatal.If(t, json.Unmarshal([]byte(body), &a))
		lines = append(lines, fmt.Sprintf("%s %s, %d objects of %v", a.Data, errorsOf(t, body),
			a.Extensions.Cost.Objects, a.Extensions.Cost.EstimatedObjects))
	}
	return strings.Join(lines, "\n")
}

// sharedAnswers counts them.
type sharedAnswers struct {
	operation.NoObserver
	count atomic.Int64
}

func (s *sharedAnswers) Subscribed(context.Context, string) (func(operation.EventReport), func(string)) {
	return func(r operation.EventReport) {
		if r.IsShared {
			s.count.Add(1)
		}
	}, func(string) {}
}

// TestSharedAnswerOfMany: an event is planned, read and encoded once for all to whom the rules say the same.
func TestSharedAnswerOfMany(t *testing.T) {
	design, schema := folderOf(t, rulesOfAllKinds)
	w := &world{Rand: rand.New(rand.NewPCG(1, 3)), design: design, there: map[string][]item.Item{}}
	var shared sharedAnswers
	w.l = startLive(t, design, schema, setup{config: func(c *gateway.Config) { c.Monitoring.Observer = &shared }},
		w.stored(t, "Person", "id", user(1), "name", "Ada", "phone", "1")...)
	const each = 25
	var all []*subscribed
	for i := range each {
		for _, v := range []viewer.Viewer{
			{ID: fmt.Sprint("admin", i), Roles: []string{"ADMIN"}}, {ID: fmt.Sprint("clerk", i), Roles: []string{"CLERK"}},
			{ID: "u1"}, {ID: fmt.Sprint("other", i)},
		} {
			all = append(all, w.l.subscribe(t, v,
				`subscription { tasks(list: "a", first: 5) { change node { text owner { name } } } }`))
		}
	}
	read := func(want func(i int) string) {
		t.Helper()
		for i, s := range all {
			body, isAny, _ := s.Poll()
			var a liveAnswer
			fatal.If(t, json.Unmarshal([]byte(body), &a))
			if isAny != (want(i) != "") || isAny && string(a.Data) != want(i) {
				t.Errorf("subscription %d got %s, want %s", i, body, want(i))
			}
		}
	}
	read(func(int) string { return `{"tasks":{"change":"CURRENT","node":null}}` })
	w.l.Put(t, w.stored(t, "Task", "id", keys.NewID("Task", "1"), "list", "a", "day", "1", "text", "x",
		"ownerId", user(1))...)
	w.l.Proxy.Reset()
	read(func(i int) string {
		if i%4 == 3 {
			return ""
		}
		return `{"tasks":{"change":"ADDED","node":{"text":"x","owner":{"name":"Ada"}}}}`
	})
	// The owner is decided about by the item, and the others by their roles.
	if got := w.l.Proxy.Log(); len(got) != 2 || shared.count.Load() != 3*each-2 {
		t.Errorf("the requests are %q, and %d answers are shared", got, shared.count.Load())
	}
}
