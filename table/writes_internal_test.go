package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/partita/partita/internal/fatal"
	_ "github.com/partita/partita/internal/soak" // the cases of rapid
	"github.com/partita/partita/internal/table/wire"
	"github.com/partita/partita/item"
	"github.com/partita/partita/request"
)

// recorder is an endpoint that keeps the last request and answers each in the same way.
type recorder struct {
	status       int
	answer       string
	target, body string
}

func (e *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.target, e.body = r.Header.Get("X-Amz-Target"), string(body)
	w.WriteHeader(e.status)
	_, _ = io.WriteString(w, e.answer)
}

// openRecorder returns a table at an endpoint that records.
func openRecorder(t *testing.T) (*Table, *recorder) {
	t.Helper()
	e := &recorder{status: http.StatusOK, answer: "{}"}
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	opened, err := Open(t.Context(), Settings{Endpoint: s.URL}, Schema{}, slog.New(slog.DiscardHandler))
	fatal.If(t, err)
	t.Cleanup(func() { opened.Close() })
	return opened, e
}

// TestWritesAreTheSDKs: random writes have the body that the SDK sends.
func TestWritesAreTheSDKs(t *testing.T) {
	t.Parallel()
	opened, e := openRecorder(t)
	rapid.Check(t, func(t *rapid.T) {
		w := drawWrite(t, wire.Put, wire.Update, wire.Delete)
		_, err := opened.wire.Write(context.Background(), &w)
		fatal.If(t, err)
		sent := *e
		_, err = opened.writeBySDK(context.Background(), &w)
		fatal.If(t, err)
		sameRequest(t, sent, *e)

		all := make([]wire.Write, rapid.IntRange(1, 4).Draw(t, "writes"))
		for i := range all {
			all[i] = drawWrite(t, wire.Put, wire.Update, wire.Delete, wire.Check)
		}
		token := rapid.StringMatching(`[0-9a-f]{1,36}`).Draw(t, "token")
		_, err = opened.wire.TransactWriteItems(context.Background(), token, all)
		fatal.If(t, err)
		sent = *e
		_, err = opened.transactBySDK(context.Background(), token, all)
		fatal.If(t, err)
		sameRequest(t, sent, *e)
	})
}

func sameRequest(t *rapid.T, got, want recorder) {
	if got.target != want.target {
		t.Fatalf("%s, want %s", got.target, want.target)
	}
	var g, w any
	fatal.If(t, errors.Join(json.Unmarshal([]byte(got.body), &g), json.Unmarshal([]byte(want.body), &w)))
	if diff := cmp.Diff(w, g); diff != "" {
		t.Fatalf("%s\n%s", got.body, diff)
	}
}

// drawWrite draws a write with a condition, which the SDK needs for a check.
func drawWrite(t *rapid.T, kinds ...wire.WriteKind) wire.Write {
	w := wire.Write{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Item: drawItem(t, 2)}
	w.Condition = rapid.StringN(1, 20, -1).Draw(t, "condition")
	if w.Kind == wire.Update {
		w.Update = rapid.StringN(1, 20, -1).Draw(t, "update")
	}
	w.Names = rapid.SliceOfN(rapid.String(), 0, 12).Draw(t, "names")
	for range rapid.IntRange(0, 12).Draw(t, "values") {
		w.Values = append(w.Values, drawValue(t, 2))
	}
	return w
}

func drawItem(t *rapid.T, depth int) item.Item {
	it := item.Item{}
	for i := range rapid.IntRange(0, 3).Draw(t, "attributes") {
		name := rapid.String().Draw(t, "name") + strconv.Itoa(i)
		it = append(it, item.Attribute{Name: name, Value: drawValue(t, depth)})
	}
	return it
}

func drawValue(t *rapid.T, depth int) item.Value {
	number := func() item.Value {
		return item.Value{Kind: item.Number, Text: strconv.Itoa(rapid.Int().Draw(t, "number"))}
	}
	binary := func() item.Value {
		return item.Value{Kind: item.Binary, Text: string(rapid.SliceOf(rapid.Byte()).Draw(t, "binary"))}
	}
	text := func() item.Value { return item.StringValue(rapid.String().Draw(t, "text")) }
	elements := func(one func() item.Value, least int) []item.Value {
		all := make([]item.Value, rapid.IntRange(least, 3).Draw(t, "elements"))
		for i := range all {
			all[i] = one()
		}
		return all
	}
	leaves := []func() item.Value{
		text, number, binary,
		func() item.Value { return item.BoolValue(rapid.Bool().Draw(t, "boolean")) },
		func() item.Value { return item.Value{} },
		func() item.Value { return item.SetValue(elements(text, 1)) },
		func() item.Value { return item.SetValue(elements(number, 1)) },
		func() item.Value { return item.SetValue(elements(binary, 1)) },
	}
	if depth > 0 {
		leaves = append(leaves,
			func() item.Value {
				return item.ListValue(elements(func() item.Value { return drawValue(t, depth-1) }, 0))
			},
			func() item.Value { return item.FieldsValue(drawItem(t, depth-1)) })
	}
	return leaves[rapid.IntRange(0, len(leaves)-1).Draw(t, "kind of value")]()
}

// TestAnswersToWrites: both ways read the same in an answer: items, units, and why nothing was written.
func TestAnswersToWrites(t *testing.T) {
	t.Parallel()
	opened, e := openRecorder(t)
	const stored = `{"PK":{"S":"A"},"n":{"N":"1"},"l":{"L":[{"SS":["a"]},{"B":"AA=="}]}}`
	failed := func(code, rest string) string {
		return `{"__type":"com.amazonaws.dynamodb.v20120810#` + code + `","message":"why"` + rest + `}`
	}
	single := wire.Write{Kind: wire.Update, Item: item.Item{{Name: "PK", Value: item.StringValue("A")}}, Update: "u"}
	for name, tt := range map[string]struct {
		status int
		answer string
	}{
		"written":   {200, `{"Attributes":` + stored + `,"ConsumedCapacity":{"CapacityUnits":2.5,"TableName":"t"}}`},
		"all":       {200, `{"ConsumedCapacity":[{"CapacityUnits":2},{"CapacityUnits":4.5}]}`},
		"condition": {400, failed("ConditionalCheckFailedException", `,"Item":`+stored)},
		"missing":   {400, failed("ConditionalCheckFailedException", "")},
		"conflict":  {400, failed("TransactionConflictException", "")},
		"conflict2": {400, failed("ReplicatedWriteConflictException", "")}, // with a write in another Region
		"canceled": {400, failed("TransactionCanceledException", `,"CancellationReasons":[{"Code":"None"},`+
			`{"Code":"ConditionalCheckFailed","Message":"why","Item":`+stored+`},{"Code":"TransactionConflict"}]`)},
		"token":   {400, failed("IdempotentParameterMismatchException", "")},
		"invalid": {400, failed("ValidationException", "")},
	} {
		t.Run(name, func(t *testing.T) {
			e.status, e.answer = tt.status, tt.answer
			for _, isSingle := range []bool{true, false} {
				if isSingle == (name == "all" || name == "canceled" || name == "token") {
					continue
				}
				byWire := func() (request.Result, error) { return opened.wire.Write(t.Context(), &single) }
				bySDK := func() (request.Result, error) { return opened.writeBySDK(t.Context(), &single) }
				if !isSingle {
					byWire = func() (request.Result, error) {
						return opened.wire.TransactWriteItems(t.Context(), "t", []wire.Write{single})
					}
					bySDK = func() (request.Result, error) {
						return opened.transactBySDK(t.Context(), "t", []wire.Write{single})
					}
				}
				sameAnswer(t, byWire, bySDK)
				if !strings.HasPrefix(name, "conflict") {
					continue
				}
				_, err := byWire()
				if reasons := canceledBy(err); len(reasons) != 1 || reasons[0].Code != reasonConflict {
					t.Errorf("the reasons are %v: it is not sent again", reasons)
				}
			}
		})
	}
}

func sameAnswer(t *testing.T, byWire, bySDK func() (request.Result, error)) {
	t.Helper()
	byName := cmpopts.SortSlices(func(a, b item.Attribute) bool { return a.Name < b.Name })
	got, err := byWire()
	want, wantErr := bySDK()
	isSame := cmp.Comparer(func(a, b item.Value) bool { return a.Equal(b) })
	if diff := cmp.Diff(want, got, byName, isSame, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-SDK +wire: %s", diff)
	}
	if diff := cmp.Diff(canceledBy(wantErr), canceledBy(err), byName, isSame, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-SDK +wire: %s", diff)
	}
	if (err == nil) != (wantErr == nil) || reflect.TypeOf(err) == nil != (wantErr == nil) {
		t.Errorf("%v, by the SDK %v", err, wantErr)
	}
	if err != nil {
		again, one := border{}.cancellation(err, canceledBy(err), nil, false)
		wantAgain, other := border{}.cancellation(wantErr, canceledBy(wantErr), nil, false)
		if again != wantAgain || fmt.Sprintf("%T", one) != fmt.Sprintf("%T", other) {
			t.Errorf("again %v and %v, by the SDK %v and %v", again, one, wantAgain, other)
		}
	}
}
