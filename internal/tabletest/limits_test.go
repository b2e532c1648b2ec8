package tabletest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/partita/partita/internal/fatal"
	"github.com/partita/partita/internal/tabletest"
)

// client sends requests as they are in DynamoDB's documentation, without retries.
type client struct {
	*testing.T
	url string
}

// send returns the type of the error, with the reasons, or "" for success, and the answer.
func (c client) send(operation, body string) (kind, answer string) {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), http.MethodPost, c.url, strings.NewReader(body))
	fatal.If(c, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "+
		"SignedHeaders=host, Signature=0")
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	response, err := http.DefaultClient.Do(r)
	fatal.If(c, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	fatal.If(c, err)
	var failed struct {
		Type                string `json:"__type"`
		ThrottlingReasons   []struct{ Reason, Resource string }
		CancellationReasons []struct{ Code string }
	}
	fatal.If(c, json.Unmarshal(text, &failed))
	_, kind, _ = strings.Cut(failed.Type, "#")
	for _, r := range failed.ThrottlingReasons {
		kind += " " + r.Reason + " " + r.Resource[strings.LastIndexByte(r.Resource, ':')+1:]
	}
	for _, r := range failed.CancellationReasons {
		kind += " " + r.Code
	}
	return kind, string(text)
}

// put returns the parameters of a PutItem of about so many KB.
func put(pk, sk, gsi1pk string, kilobytes int) string {
	return fmt.Sprintf(`{"TableName": "partita", "Item": {"PK": {"S": %q}, "SK": {"S": %q}, "GSI1PK": {"S": %q},
		"GSI1SK": {"S": %q}, "text": {"S": "%s"}}}`, pk, sk, gsi1pk, sk, strings.Repeat("x", kilobytes<<10-500))
}

func query(index, pk string) string {
	in := map[string]any{
		"TableName": "partita", "KeyConditionExpression": "#p = :p", "ReturnConsumedCapacity": "TOTAL",
		"ExpressionAttributeNames":  map[string]string{"#p": index + "PK"},
		"ExpressionAttributeValues": map[string]any{":p": map[string]string{"S": pk}},
	}
	if index != "" {
		in["IndexName"] = index
	}
	text, err := json.Marshal(in)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestLimits: a partition key of the table or of an index that has consumed its units is throttled with the reason, and
// no other.
func TestLimits(t *testing.T) {
	t.Parallel()
	e := start(t)
	c := client{t, e.Proxy.URL()}
	e.Proxy.Limit(tabletest.Limits{WriteUnits: 1, ReadUnits: 1})
	transaction := func(puts ...string) string {
		return `{"TransactItems": [{"Put": ` + strings.Join(puts, `}, {"Put": `) + `}]}`
	}
	get := func(pks ...string) string {
		return `{"RequestItems": {"partita": {"Keys": [{"PK": {"S": "` +
			strings.Join(pks, `"}, "SK": {"S": "1"}}, {"PK": {"S": "`) + `"}, "SK": {"S": "1"}}]}}}`
	}
	update := `{"TableName": "partita", "Key": {"PK": {"S": "C"}, "SK": {"S": "2"}}, "UpdateExpression":
		"SET #a = :a, #b = :a", "ExpressionAttributeNames": {"#a": "GSI1PK", "#b": "GSI1SK"},
		"ExpressionAttributeValues": {":a": {"S": "X"}}}`
	const table, index = "table/partita", "table/partita/index/GSI1"
	var got []string
	for _, one := range []struct{ operation, body, want string }{
		{"PutItem", put("A", "1", "X", 200), ""},
		{"PutItem", put("A", "2", "Y", 1), "ThrottlingException TableWriteKeyRangeThroughputExceeded " + table},
		{"PutItem", put("B", "1", "X", 1), "ThrottlingException IndexWriteKeyRangeThroughputExceeded " + index},
		{"PutItem", put("B", "2", "Y", 200), ""},
		{"UpdateItem", update, "ThrottlingException IndexWriteKeyRangeThroughputExceeded " + index},
		{"TransactWriteItems", transaction(put("C", "1", "Z", 1), put("A", "1", "X", 1)),
			"TransactionCanceledException None ThrottlingError"},
		{"TransactWriteItems", transaction(put("C", "1", "Z", 1), put("D", "1", "Z", 1)), ""},
		{"Query", query("", "A"), ""},
		{"Query", query("", "A"), "ThrottlingException TableReadKeyRangeThroughputExceeded " + table},
		{"Query", query("GSI1", "X"), ""},
		{"Query", query("GSI1", "X"), "ThrottlingException IndexReadKeyRangeThroughputExceeded " + index},
		{"BatchGetItem", get("A"), "ProvisionedThroughputExceededException TableReadKeyRangeThroughputExceeded " + table},
		{"BatchGetItem", get("A", "B"), ""},
	} {
		kind, answer := c.send(one.operation, one.body)
		if kind != one.want {
			t.Errorf("%s: got %q, want %q: %.300s", one.operation, kind, one.want, answer)
		}
		got = append(got, answer)
	}
	if last := got[len(got)-1]; !strings.Contains(last, `"UnprocessedKeys":{"partita":{"Keys":[{"PK": {"S": "A"}`) &&
		!strings.Contains(last, `"UnprocessedKeys":{"partita":{"Keys":[{"PK":{"S":"A"}`) {
		t.Errorf("the last answer is %.300s", last)
	}
	if n := e.Proxy.Counts(); n.Throttled != 7 || n.ThrottledUnits != 609 {
		t.Errorf("%d throttled with %v units", n.Throttled, n.ThrottledUnits)
	}
}

// TestDelayedIndex: a Query of an index finds neither new entries nor changes until they are old enough, one of the
// table does.
func TestDelayedIndex(t *testing.T) {
	t.Parallel()
	e := start(t)
	c := client{t, e.Proxy.URL()}
	texts := func(index, pk string) (all []string) {
		_, answer := c.send("Query", query(index, pk))
		var found struct {
			Items []struct{ SK, Text struct{ S string } }
		}
		fatal.If(t, json.Unmarshal([]byte(answer), &found))
		for _, it := range found.Items {
			all = append(all, fmt.Sprint(it.SK.S, " ", len(it.Text.S)>>10))
		}
		return all
	}
	c.send("PutItem", put("A", "1", "X", 2))
	e.Proxy.Limit(tabletest.Limits{IndexDelay: time.Hour})
	c.send("PutItem", put("A", "1", "X", 5))
	c.send("PutItem", put("A", "2", "X", 5))
	c.send("PutItem", put("A", "2", "X", 7))
	if diff := cmp.Diff([]string{"1 4", "2 6"}, texts("", "A")); diff != "" {
		t.Errorf("the table: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 1"}, texts("GSI1", "X")); diff != "" {
		t.Errorf("the index: -want +got\n%s", diff)
	}
	e.Proxy.Limit(tabletest.Limits{})
	if diff := cmp.Diff([]string{"1 4", "2 6"}, texts("GSI1", "X")); diff != "" {
		t.Errorf("the index later: -want +got\n%s", diff)
	}
}

// TestFillingIndex: a new index cannot be read before it is filled, and no other one can be created.
func TestFillingIndex(t *testing.T) {
	t.Parallel()
	e := start(t)
	c := client{t, e.Proxy.URL()}
	e.Proxy.Limit(tabletest.Limits{Filling: 2})
	create := func(name string) string {
		kind, _ := c.send("UpdateTable", fmt.Sprintf(`{"TableName": "partita",
			"AttributeDefinitions": [{"AttributeName": "%[1]sPK", "AttributeType": "S"}],
			"GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": %[1]q, "Projection": {"ProjectionType": "ALL"},
			"KeySchema": [{"AttributeName": "%[1]sPK", "KeyType": "HASH"}]}}]}`, name))
		return kind
	}
	read := func() string {
		kind, _ := c.send("Query", query("GSI2", "X"))
		return kind
	}
	describe := func() string {
		_, answer := c.send("DescribeTable", `{"TableName": "partita"}`)
		return fmt.Sprint(strings.Contains(answer, `"CREATING"`))
	}
	got := []string{create("GSI2"), read(), create("GSI3"), describe(), describe(), read(), describe()}
	want := []string{"", "ValidationException", "LimitExceededException", "true", "true", "", "false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
