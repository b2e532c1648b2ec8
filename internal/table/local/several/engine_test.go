package several_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/table/local/several"
)

// described is the description of a table in the engine, with an index on the attributes a and b.
const described = `{"Table": {
	"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
	"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
	"GlobalSecondaryIndexes": [{"IndexName": "ab", "KeySchema": [{"AttributeName": "␟ab␟HASH␟Sa␟Sb", "KeyType": "HASH"}]}]
}}`

const updated = `{"TableName": "t", "Key": {"pk": {"S": "x"}}, "UpdateExpression": "SET a = :a",
	"ExpressionAttributeValues": {":a": {"S": "2"}}}`

// engineOf is a Proxy in front of a function that responds to actions as the engine does.
func engineOf(t *testing.T, respond func(action string) (status int, body string)) (send func(action, body string) (
	status int, response string),
) {
	t.Helper()
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		status, body := http.StatusOK, described
		if action != "DescribeTable" {
			status, body = respond(action)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(engine.Close)
	p, err := several.Start(engine.URL)
	fatal.If(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return func(action, body string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL(), strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+action)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0, ""
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Error(err)
		}
		return response.StatusCode, string(text)
	}
}

// TestNoWriteWithinUpdate: no other write of an item comes between an update of a key attribute and the read before it,
// which would leave the item in the index under its former values.
func TestNoWriteWithinUpdate(t *testing.T) {
	for action, body := range map[string]string{
		"PutItem":        `{"TableName": "t", "Item": {"pk": {"S": "x"}, "a": {"S": "1"}, "b": {"S": "9"}}}`,
		"DeleteItem":     `{"TableName": "t", "Key": {"pk": {"S": "x"}}}`,
		"BatchWriteItem": `{"RequestItems": {"t": [{"DeleteRequest": {"Key": {"pk": {"S": "x"}}}}]}}`,
	} {
		var mu sync.Mutex
		var actions []string
		var writes sync.WaitGroup
		var send func(action, body string) (int, string)
		send = engineOf(t, func(sent string) (int, string) {
			if sent == "ListTables" {
				return http.StatusOK, `{}`
			}
			mu.Lock()
			actions = append(actions, sent)
			mu.Unlock()
			if sent != "GetItem" {
				return http.StatusOK, `{}`
			}
			writes.Go(func() { send(action, body) })
			for range 100 { // A write that does not wait overtakes these.
				send("ListTables", `{}`)
			}
			return http.StatusOK, `{"Item": {"pk": {"S": "x"}, "a": {"S": "1"}, "b": {"S": "1"}}}`
		})
		if status, response := send("UpdateItem", updated); status != http.StatusOK {
			t.Fatal(status, response)
		}
		writes.Wait()
		if want := []string{"GetItem", "UpdateItem", action}; !slices.Equal(actions, want) {
			t.Errorf("%v, want %v", actions, want)
		}
	}
}

// TestUpdateThatCannotRead: if the engine rejects the read before an update, that is the response, and there is no
// update.
func TestUpdateThatCannotRead(t *testing.T) {
	send := engineOf(t, func(action string) (int, string) {
		if action != "GetItem" {
			t.Errorf("%s was sent", action)
		}
		return http.StatusBadRequest, `{"__type": "com.amazon.coral.validate#ValidationException", "message": "m"}`
	})
	status, response := send("UpdateItem", updated)
	var r struct{ Message string }
	if err := json.Unmarshal([]byte(response), &r); err != nil || status != http.StatusBadRequest || r.Message != "m" {
		t.Errorf("%d %s", status, response)
	}
}
