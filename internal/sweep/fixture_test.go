package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"go.uber.org/goleak"

	"github.com/partita/partita/internal/gen/directives"
	"github.com/partita/partita/internal/sweep"
	"github.com/partita/partita/internal/table/admin"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/table/check"
	"github.com/partita/partita/write"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// chat has a collection that is counted and one that is not, a tree within one transaction, and one without an end.
const chat = `
type Query { channel(name: String!): Channel @get(pk: "CHANNEL#{name}", sk: "CHANNEL") }

type Channel @item(pk: "CHANNEL#{name}", sk: "CHANNEL", maxBytes: 1024)
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  name: String!
  topic: String @unique(key: "TOPIC#{topic}")
  messageCount: Int! @counts(field: "messages")
  "What all messages are worth: the first ones may be worth more."
  worth: Int! @counts(field: "messages", of: "worth", min: "0")
  version: Int! @version
  messages: MessageConnection @query(pk: "CHANNEL#{name}", sk: "MESSAGE#", onDelete: DELETE)
  pins: PinConnection @query(pk: "PINS#{name}", onDelete: DELETE)
}

type Message @item(pk: "CHANNEL#{channel}", sk: "MESSAGE#{n:05}", maxBytes: 1024)
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  channel: String!
  n: Int!
  text: String
  worth: Int
  reactionCount: Int! @counts(field: "reactions")
  reactions: [Reaction!] @query(pk: "MESSAGE#{channel}#{n:05}", atMost: 3, onDelete: DELETE)
}
type Reaction @item(pk: "MESSAGE#{channel}#{n:05}", sk: "BY#{by}", maxBytes: 1024)
  @copy(pk: "REACTIONS#{emoji}", sk: "{channel}#{n:05}#{by}")
  @mutable(create: ["PUBLIC"], update: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  channel: String!
  n: Int!
  by: String!
  emoji: String!
}
type Pin @item(pk: "PINS#{channel}", sk: "PIN#{title}", maxBytes: 1024) @mutable(create: ["PUBLIC"]) {
  channel: String!
  title: String!
}
extend type Query { reactions(emoji: String!): ReactionConnection @query(pk: "REACTIONS#{emoji}") }

type Mutation {
  closeChannel(input: CloseChannelInput!): CloseChannelPayload @allow(to: ["PUBLIC"])
    @step(delete: "Channel") @step(create: "Closing", set: {why: "{why}"})
}
type Closing @item(pk: "CLOSING#{id}", sk: "CLOSING", maxBytes: 1024) { id: ID! why: String! }

type Folder @item(pk: "FOLDER#{id}", sk: "FOLDER", maxBytes: 1024) @copy(pk: "FOLDER#{parent}", sk: "IN#{id}")
  @mutable(create: ["PUBLIC"], delete: ["PUBLIC"]) {
  id: ID!
  parent: ID!
  folders: FolderConnection @query(pk: "FOLDER#{id}", sk: "IN#", onDelete: DELETE)
}
`

// read returns the design of a schema.
func read(t *testing.T, text string) *design.Design {
	t.Helper()
	schema, err := directives.Load(&ast.Source{Name: "chat.graphqls", Input: text})
	if err != nil {
		t.Fatal(err)
	}
	out, err := directives.Read(schema)
	if err != nil {
		t.Fatal(err)
	}
	return out.Design
}

// world is a table with a design. ctx returns the context of all requests.
type world struct {
	*tabletest.Engine
	d   *design.Design
	ctx func() context.Context
}

func start(t *testing.T) *world {
	t.Helper()
	d := read(t, chat)
	w := &world{tabletest.Start(t, table.SchemaOf(d)), d, t.Context}
	t.Cleanup(func() { w.wantClean(t) })
	return w
}

// store is the write.Store of a table.
type store struct{ *table.Table }

func (s store) ReadItem(ctx context.Context, key keys.Key) (item.Item, error) {
	res, err := s.GetItem(ctx, request.GetItem{Key: key, Consistent: true})
	if err != nil || len(res.Items) == 0 || keys.IsDeleted(res.Items[0]) {
		return nil, err
	}
	return res.Items[0], nil
}

func (s store) ReadRange(ctx context.Context, r write.Range) ([]item.Item, keys.Position, error) {
	res, err := s.Query(ctx, request.Query{
		PK: r.PK, Prefix: r.Prefix, From: r.From, To: r.To, Start: r.Start, Limit: r.Limit, Consistent: true,
	})
	return res.Items, res.Last, err
}

func (s store) Write(ctx context.Context, t write.Transaction) (item.Item, error) {
	res, err := s.TransactWriteItems(ctx, t)
	if failed, is := errors.AsType[*write.ConditionError](err); is {
		for i := range failed.Failed {
			if keys.IsDeleted(failed.Failed[i].Item) {
				failed.Failed[i].Item = nil
			}
		}
	}
	if len(res.Items) > 0 {
		return res.Items[0], err
	}
	return nil, err
}

// try carries out a mutation with an input of pairs of a name and a value: an id, "id" for that of the object, a
// number, or a text. It returns the user errors.
func (w *world) try(name string, pairs ...any) (string, error) {
	m := w.d.Mutation(name)
	var in write.Input
	for i := 0; i < len(pairs); i += 2 {
		key := pairs[i].(string)
		switch v := pairs[i+1].(type) {
		case int:
			if in.Version = v; key != "version" {
				in.Set = append(in.Set, item.Attribute{Name: key, Value: item.NumberValue(v)})
			}
		case keys.ID:
			if in.ID = v; m.Kind == design.ActionMutation {
				in.Set = append(in.Set, item.Attribute{Name: key, Value: item.TextValue(v)})
			}
		case string:
			value := item.StringValue(v)
			if a := w.d.Type(m.Type).Attribute(key); a != nil && a.Kind == keys.IDKind {
				value = keys.IDAttribute(keys.NewID(a.Ref, v))
			}
			in.Set = append(in.Set, item.Attribute{Name: key, Value: value})
		}
	}
	out, err := write.Mutate(write.NewContext(w.ctx(), store{w.Table}), w.d, m, in)
	var all []string
	for _, e := range out.List() {
		all = append(all, fmt.Sprintf("%s %s", e.Code, e.Message))
	}
	return strings.Join(all, "; "), err
}

func (w *world) must(t *testing.T, name string, pairs ...any) {
	t.Helper()
	if got, err := w.try(name, pairs...); got != "" || err != nil {
		t.Fatalf("%s %v: %s, %v", name, pairs, got, err)
	}
}

// fill creates a channel with messages, each with three reactions, and two pins.
func (w *world) fill(t *testing.T, channel string, messages int) {
	t.Helper()
	w.must(t, "createChannel", "name", channel, "topic", "about "+channel)
	for n := range messages {
		worth := 1
		if n == 39 {
			worth = -30
		}
		w.must(t, "createMessage", "channel", channel, "n", n, "text", "x", "worth", worth)
		for _, by := range []string{"ada", "bob", "cat"} {
			w.must(t, "createReaction", "channel", channel, "n", n, "by", by, "emoji", "heart")
		}
	}
	for _, title := range []string{"a", "b"} {
		w.must(t, "createPin", "channel", channel, "title", title)
	}
}

func channelID(name string) keys.ID { return keys.NewID("Channel", name) }

func messageID(channel, n string) keys.ID { return keys.NewID("Message", channel, n) }

func (w *world) sweeper() *sweep.Sweeper {
	return &sweep.Sweeper{Design: w.d, Source: w.Table, Log: slog.New(slog.DiscardHandler)}
}

// sweep sweeps the table and returns what was removed.
func (w *world) sweep(t *testing.T) sweep.Totals {
	t.Helper()
	totals, err := w.sweeper().Sweep(w.ctx())
	if err != nil {
		t.Fatal(err)
	}
	return totals
}

// wantClean checks that the table has no violations.
func (w *world) wantClean(t *testing.T) {
	t.Helper()
	w.Proxy.Inject(tabletest.Faults{})
	// The context of the test may have ended.
	report, err := check.Table(context.WithoutCancel(w.ctx()), scanner(w), check.Options{Design: w.d})
	if err != nil || !report.Clean() {
		t.Errorf("the table is not consistent: %v, %+v", err, report.Violations)
	}
}

func scanner(w *world) admin.Scanner { return admin.Scanner{Table: w.Table} }

// left returns the keys of all items, in order.
func (w *world) left(t *testing.T) []string {
	t.Helper()
	var all []string
	res, err := scanner(w).Scan(w.ctx(), admin.Scan{Segments: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range res.Items {
		key := keys.KeyOf(it)
		all = append(all, string(key.PK)+" "+string(key.SK))
	}
	slices.Sort(all)
	return all
}

// sent returns the requests since the last call.
func (w *world) sent() string {
	log := w.Proxy.Log()
	w.Proxy.Reset()
	return strings.Join(log, "\n")
}
