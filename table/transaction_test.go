package table_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
	"github.com/partita/partita/item"
	"github.com/partita/partita/keys"
	"github.com/partita/partita/keys/design"
	"github.com/partita/partita/request"
	"github.com/partita/partita/table"
	"github.com/partita/partita/write"
)

func counted(pk string, n int) item.Item {
	return append(tabletest.Stored(pk, "S"), item.Attribute{Name: "n", Value: item.NumberValue(n)})
}

func numeral(name, text string) item.Attribute {
	return item.Attribute{Name: name, Value: item.Value{Kind: item.Number, Text: text}}
}

func keyOf(pk string) keys.Key { return keys.Key{PK: keys.PK(pk), SK: "S"} }

// increment adds one to n of an item that exists.
func increment(pk string) write.Action {
	return write.Action{
		Kind: write.ActionUpdate, Key: keyOf(pk),
		Add: []write.Increment{{Name: "n", By: 1}}, If: []write.Precondition{write.IfExists()},
	}
}

func transact(t testing.TB, e *tabletest.Engine, actions ...write.Action) (request.Result, error) {
	t.Helper()
	return e.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: actions})
}

// read returns the item as "name=value" in the order of names, "" when there is none.
func read(t testing.TB, e *tabletest.Engine, pk string) string {
	t.Helper()
	got := must(e.Table.GetItem(t.Context(), request.GetItem{Key: keyOf(pk), Consistent: true}))
	var parts []string
	for _, it := range got.Items {
		for _, a := range it {
			if a.Name != keys.AttributePK && a.Name != keys.AttributeSK {
				parts = append(parts, a.Name+"="+a.Value.Text)
			}
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func TestTransactionActions(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Load(t, counted("A", 1), tabletest.Stored("B", "S", "name", "b", "gone", "x"))
	e.Load(t, tabletest.Stored("C", "S"), tabletest.Stored("D", "S", "version", "7"))
	e.Proxy.Reset()
	got := must(transact(t, e,
		increment("A"),
		write.Action{
			Kind: write.ActionUpdate, Key: keyOf("B"),
			Set: item.Item{
				{Name: "name", Value: item.StringValue("bb")},
				{Name: "size", Value: item.StringValue("reserved words too")},
			},
			Remove: []string{"gone", "absent"},
			Add:    []write.Increment{{Name: "n", By: -2}},
			If:     []write.Precondition{write.IfExists(), write.IfEquals("name", item.StringValue("b"))},
		},
		write.DeleteItem(keyOf("C"), write.IfExists()),
		write.CheckItem(keyOf("D"), write.IfEquals("version", item.StringValue("7"))),
		write.PutItem(tabletest.Stored("E", "S", "name", "e"), write.IfMissing()),
		write.DeleteItem(keyOf("F")),
	))
	if got.WriteUnits == 0 || got.WriteUnits != e.Proxy.Counts().WriteUnits {
		t.Errorf("%v write units reported, the engine said %v", got.WriteUnits, e.Proxy.Counts().WriteUnits)
	}
	if log := e.Proxy.Log(); len(log) != 1 ||
		log[0] != "TransactWriteItems Update A S, Update B S, Delete C S, ConditionCheck D S, Put E S, Delete F S" {
		t.Errorf("log %q", log)
	}
	for pk, want := range map[string]string{
		"A": "n=2", "B": "n=-2 name=bb size=reserved words too", "C": "", "D": "version=7", "E": "name=e",
	} {
		if got := read(t, e, pk); got != want {
			t.Errorf("%s is %q, want %q", pk, got, want)
		}
	}
}

func TestTransactionConditions(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Load(t, counted("A", 1), tabletest.Stored("B", "S", "name", "b"))
	_, err := transact(t, e,
		increment("A"),
		write.PutItem(tabletest.Stored("B", "S", "name", "other"), write.IfMissing()),
		increment("missing"),
		write.CheckItem(keyOf("missing too"), write.IfEquals("n", item.NumberValue(1))),
		write.DeleteItem(keyOf("missing three"), write.IfMissing()),
	)
	var failed *write.ConditionError
	if !errors.As(err, &failed) {
		t.Fatalf("got %v", err)
	}
	if len(failed.Failed) != 3 || failed.Find(0) != nil || failed.Find(2) == nil || failed.Find(3) == nil {
		t.Errorf("failed %+v, want the actions 1, 2 and 3", failed.Failed)
	}
	if f := failed.Find(1); f == nil || f.Item.Text("name") != "b" {
		t.Errorf("the item of the failed condition is %v", f)
	}
	if f := failed.Find(2); f != nil && f.Item != nil {
		t.Errorf("an item that does not exist is %v", f.Item)
	}
	if got := read(t, e, "A"); got != "n=1" {
		t.Errorf("something was written: A is %q", got)
	}
}

// TestTombstones checks that for conditions a tombstone neither exists nor is missing. Only
// IfStored and IfEquals include tombstones.
func TestTombstones(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	const deletedAt = "2026-01-02T03:04:05.678Z"
	e.Load(t, tabletest.Stored("tombstone", "S", keys.AttributeDeletedAt, deletedAt))
	for _, tt := range []struct {
		name      string
		pk        string
		condition write.Precondition
		holds     bool
	}{
		{"exists", "tombstone", write.IfExists(), false},
		{"missing", "tombstone", write.IfMissing(), false},
		{"stored", "tombstone", write.IfStored(), true},
		{"no item is stored", "none", write.IfStored(), false},
		{"that time", "tombstone", write.IfEquals(keys.AttributeDeletedAt, item.StringValue(deletedAt)), true},
		{"another time", "tombstone",
			write.IfEquals(keys.AttributeDeletedAt, item.StringValue("2026-01-02T03:04:05.679Z")), false},
	} {
		_, err := transact(t, e, write.CheckItem(keyOf(tt.pk), tt.condition))
		var failed *write.ConditionError
		if errors.As(err, &failed) == tt.holds || err != nil && failed == nil {
			t.Errorf("%s: got %v, holds: %v", tt.name, err, tt.holds)
		}
	}
}

// expiring is a table with items that expire.
var expiring = table.SchemaOf(design.MustDesign(nil, []*design.Type{{
	Name: "Code", Expires: "ttl", Item: keys.Shape{PK: keys.MustTemplate("{code}"), SK: keys.MustTemplate("CODE")},
}}, nil))

// TestExpiredConditions checks that for conditions an expired item is missing, by the clock of the table.
func TestExpiredConditions(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, expiring)
	stored := func(pk string, ttl item.Value) {
		e.Load(t, append(tabletest.Stored(pk, "S"), item.Attribute{Name: "ttl", Value: ttl}))
	}
	now := e.Table.Now().Unix()
	stored("expired", item.IntValue(now-1))
	stored("lasting", item.IntValue(now+3600))
	stored("old", item.IntValue(0))
	stored("text", item.StringValue("2026-01-02T03:04:05.678Z"))
	e.Load(t, tabletest.Stored("no expiry", "S"))
	for pk, exists := range map[string]bool{
		"expired": false, "lasting": true, "old": true, "text": true, "no expiry": true, "no item": false,
	} {
		for _, tt := range []struct {
			condition write.Precondition
			holds     bool
		}{{write.IfExists(), exists}, {write.IfMissing(), !exists}} {
			also := write.IfExists()
			if !exists {
				also = write.IfMissing()
			}
			_, err := transact(t, e, write.CheckItem(keyOf(pk), tt.condition, also))
			var failed *write.ConditionError
			if errors.As(err, &failed) == tt.holds || err != nil && failed == nil {
				t.Errorf("%s, %v: got %v", pk, tt.condition.Kind, err)
			}
		}
	}
}

func TestTransactionLimits(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Proxy.Reset()
	puts := func(n, bytes int) []write.Action {
		actions := make([]write.Action, n)
		for i := range actions {
			actions[i] = write.PutItem(tabletest.Stored(fmt.Sprintf("P%d", i), "S", "text", strings.Repeat("x", bytes)))
		}
		return actions
	}
	for name, tt := range map[string]struct {
		actions []write.Action
		token   string
		message string
	}{
		"none":     {nil, "", "a transaction of 0 actions; 1 to 100 are possible"},
		"too many": {puts(101, 1), "", "a transaction of 101 actions"},
		"large":    {puts(1, 400<<10), "", "action 0 of a transaction writes"},
		"together": {puts(11, 390<<10), "", "at most 4194304 are possible"},
		"twice":    {append(puts(2, 1), increment("P1")), "", "actions 1 and 2 of a transaction are on one item"},
		"token":    {puts(1, 1), strings.Repeat("x", 37), "a token of 37 characters"},
		"no PK":    {[]write.Action{increment("")}, "", "a partition key of 0 bytes; 1 to 2048 are possible"},
		"long PK":  {[]write.Action{increment(strings.Repeat("x", 2049))}, "", "a partition key of 2049 bytes"},
		"no SK": {
			[]write.Action{write.DeleteItem(keys.Key{PK: "P"})}, "",
			`action 0 of a transaction is on the key "P" and ""; those of the table are PK, SK`,
		},
		"long SK": {
			[]write.Action{write.PutItem(tabletest.Stored("P", strings.Repeat("x", 1025)))}, "", "a sort key of 1025 bytes",
		},
		"a number": {
			[]write.Action{write.PutItem(append(tabletest.Stored("P", "S"), numeral("n", strings.Repeat("9", 39))))}, "",
			"n must have at most 38 significant digits",
		},
		"a change": {
			[]write.Action{{Kind: write.ActionUpdate, Key: keyOf("P"), Set: item.Item{numeral("n", "NaN")}}}, "",
			"n must be a number",
		},
	} {
		_, err := e.Table.TransactWriteItems(t.Context(), write.Transaction{Actions: tt.actions, Token: tt.token})
		if err == nil || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: got %v, want %q", name, err, tt.message)
		}
	}
	if n := e.Proxy.Counts().Total(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	if _, err := transact(t, e, puts(100, 1)...); err != nil {
		t.Errorf("100 actions: %v", err)
	}
}

// TestTransactionsHappenOnce checks that each transaction is carried out once, whatever is lost.
func TestTransactionsHappenOnce(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]tabletest.Faults{
		"none":      {},
		"conflict":  {Seed: 1, Conflict: 0.3},
		"throttled": {Seed: 2, Throttled: 0.3},
		"reset":     {Seed: 3, Reset: 0.3},
		"lost":      {Seed: 4, Lost: 0.3},
		"all":       {Seed: 5, Conflict: 0.1, Throttled: 0.1, Reset: 0.1, Failed: 0.1, Lost: 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := tabletest.Start(t, schema)
			e.Load(t, counted("A", 0), counted("B", 0))
			e.Proxy.Inject(faults)
			var group errgroup.Group
			for i := range 60 {
				group.Go(func() error {
					created := write.PutItem(tabletest.Stored(fmt.Sprintf("I%d", i), "S"), write.IfMissing())
					_, err := transact(t, e, increment("A"), increment("B"), created)
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Error(err)
			}
			c := e.Proxy.Counts()
			if n := c.Conflicts + c.Throttled + c.Failed + c.ResetConnections; (n == 0) != (name == "none") {
				t.Errorf("%d requests had faults", n)
			}
			e.Proxy.Inject(tabletest.Faults{})
			if a, b := read(t, e, "A"), read(t, e, "B"); a != "n=60" || b != "n=60" {
				t.Errorf("A is %q, B is %q, want n=60", a, b)
			}
		})
	}
}

func TestTransactionToken(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Load(t, counted("A", 0), counted("B", 0))
	send := func(pk string) error {
		transaction := write.Transaction{Actions: []write.Action{increment(pk)}, Token: "once"}
		_, err := e.Table.TransactWriteItems(t.Context(), transaction)
		return err
	}
	for range 3 {
		fatal.If(t, send("A"))
	}
	if err := send("B"); !errors.Is(err, write.ErrTokenReused) {
		t.Errorf("other actions under the token gave %v", err)
	}
	if a, b := read(t, e, "A"), read(t, e, "B"); a != "n=1" || b != "n=0" {
		t.Errorf("A is %q, B is %q", a, b)
	}
}

// A conflict that does not end, until the deadline.
func TestTransactionConflictAtLast(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	e.Load(t, counted("A", 0))
	e.Proxy.Inject(tabletest.Faults{Conflict: 1})
	e.Proxy.Reset()
	ctx := tabletest.NewDeadline(t.Context())
	ctx.PassAtRequest(e.Proxy, "TransactWriteItems", 3)
	got, err := e.Table.TransactWriteItems(ctx, write.Transaction{Actions: []write.Action{increment("A")}})
	if !errors.Is(err, request.ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if sent := e.Proxy.Counts().Total(); got.Retries < sent-1 || got.Retries > sent || sent < 2 {
		t.Errorf("%d retries reported of %d requests", got.Retries, sent)
	}
	if got.Unanswered != 1 || got.Cancelled != 2 {
		t.Errorf("%d unanswered and %d cancelled, want the last one and the two before", got.Unanswered, got.Cancelled)
	}
}

// TestTransactionAttempts: what the Result has of a first attempt that fails, and whether a condition that fails
// afterwards is in doubt. A single write has no token, so that it always finds what a lost attempt has written.
func TestTransactionAttempts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]firstAttempt{
		"no fault":                       {},
		"throttled":                      {first: tabletest.Faults{Throttled: 1}},
		"failed":                         {first: tabletest.Faults{Failed: 1}, unanswered: 1},
		"lost":                           {first: tabletest.Faults{Lost: 1}, unanswered: 1},
		"conflict":                       {first: tabletest.Faults{Conflict: 1}, cancelled: 1},
		"the condition":                  {stored: true, cancelled: 1, failed: true},
		"throttled, then the condition":  {tabletest.Faults{Throttled: 1}, true, 0, 1, true, false},
		"conflict, then the condition":   {tabletest.Faults{Conflict: 1}, true, 0, 2, true, false},
		"failed, then the condition":     {tabletest.Faults{Failed: 1}, true, 1, 1, true, true},
		"lost, then the condition":       {tabletest.Faults{Lost: 1}, true, 1, 1, true, true},
		"lost, and the table forgets it": {tabletest.Faults{Lost: 1, NewTokens: true}, false, 1, 1, true, true},
	} {
		run := func(name string, tt firstAttempt, others ...write.Action) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				attemptTwice(t, tt, others)
			})
		}
		run(name, tt, write.PutItem(tabletest.Stored("B", "S"), write.IfMissing()))
		if name == "lost" {
			tt.cancelled, tt.failed, tt.inDoubt = 1, true, true
		}
		run(name+", single", tt)
	}
}

// firstAttempt is a first attempt that fails, and what follows.
type firstAttempt struct {
	first                 tabletest.Faults
	stored                bool // the item, so that the condition fails
	unanswered, cancelled int
	failed, inDoubt       bool
}

// attemptTwice puts an item together with other actions.
func attemptTwice(t *testing.T, tt firstAttempt, others []write.Action) {
	t.Helper()
	e := tabletest.Start(t, schema)
	if tt.stored {
		e.Load(t, tabletest.Stored("A", "S"))
	}
	attempts := 0
	tt.first.Only = func(tabletest.Request) bool { attempts++; return attempts == 1 }
	e.Proxy.Inject(tt.first)
	got, err := transact(t, e, append(others, write.PutItem(tabletest.Stored("A", "S"), write.IfMissing()))...)
	failed, is := errors.AsType[*write.ConditionError](err)
	if is != tt.failed || is && failed.InDoubt != tt.inDoubt || err != nil && !is {
		t.Errorf("got %v", err)
	}
	if got.Unanswered != tt.unanswered || got.Cancelled != tt.cancelled {
		t.Errorf("%d unanswered and %d cancelled, want %d and %d", got.Unanswered, got.Cancelled, tt.unanswered, tt.cancelled)
	}
	if sent := e.Proxy.Log()[0]; strings.HasPrefix(sent, "PutItem A S") != (len(others) == 0) {
		t.Errorf("sent %s", sent)
	}
}

// TestUnansweredAttemptIsNotForgotten: neither a conflict nor the success after it hides an attempt without an answer.
func TestUnansweredAttemptIsNotForgotten(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	once := func() func(tabletest.Request) bool {
		n := 0
		return func(tabletest.Request) bool { n++; return n == 1 }
	}
	e.Proxy.Inject(tabletest.Faults{Failed: 1, Only: once()})
	first := e.Proxy.Hold(once())
	type outcome struct {
		result request.Result
		err    error
	}
	ended := make(chan outcome, 1)
	go func() {
		result, err := transact(t, e, write.PutItem(tabletest.Stored("A", "S"), write.IfMissing()))
		ended <- outcome{result, err}
	}()
	<-first.Arrived() // its fault has been drawn
	e.Proxy.Inject(tabletest.Faults{Conflict: 1, Only: once()})
	first.Release()
	got := <-ended
	if got.err != nil || got.result.Unanswered != 1 || got.result.Cancelled != 1 {
		t.Errorf("got %+v, %v, want one unanswered and one cancelled attempt", got.result, got.err)
	}
}

func TestTransactionRejected(t *testing.T) {
	t.Parallel()
	e := tabletest.Start(t, schema)
	for code, want := range map[string]error{
		"AccessDeniedException":     request.ErrAccessDenied,
		"ResourceNotFoundException": request.ErrNoTable,
	} {
		e.Proxy.Inject(tabletest.Faults{ErrorCode: code})
		if _, err := transact(t, e, increment("A")); !errors.Is(err, want) {
			t.Errorf("%s: got %v", code, err)
		}
	}
	e.Proxy.Inject(tabletest.Faults{})
	// The engine rejects an empty key of an index, which is not a failed condition.
	empty := write.PutItem(tabletest.Stored("P", "S", "GSI1PK", "", "GSI1SK", "x"))
	var failed *write.ConditionError
	if _, err := transact(t, e, empty); err == nil || errors.As(err, &failed) {
		t.Errorf("an empty key gave %v", err)
	}
}

// TestTableExpires checks that admin.Create turns time to live on, for the attribute of the schema.
func TestTableExpires(t *testing.T) {
	t.Parallel()
	for want, schema := range map[string]table.Schema{keys.AttributeExpiry: schema, "ttl": expiring} {
		e := tabletest.Start(t, schema)
		checkExpiry(t, e, want)
	}
}

func checkExpiry(t *testing.T, e *tabletest.Engine, want string) {
	t.Helper()
	in := &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(e.Table.Name())}
	got := must(e.Table.Client().DescribeTimeToLive(t.Context(), in))
	d := got.TimeToLiveDescription
	if name := aws.ToString(d.AttributeName); d.TimeToLiveStatus != types.TimeToLiveStatusEnabled ||
		name != want {
		t.Errorf("time to live is %s on %q, want %s", d.TimeToLiveStatus, name, want)
	}
}
