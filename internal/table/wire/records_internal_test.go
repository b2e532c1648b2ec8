package wire

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/partita/partita/item"
	"github.com/partita/partita/table/attribute"
)

// sdkRecords returns what the SDK reads in a body.
func sdkRecords(ctx context.Context, t *testing.T, body string) (records []Record, next string, err error) {
	t.Helper()
	client := dynamodbstreams.New(dynamodbstreams.Options{
		Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
		Retryer: aws.NopRetryer{},
		HTTPClient: doFunc(func(*http.Request) (*http.Response, error) {
			content := io.NopCloser(strings.NewReader(body))
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: content}, nil
		}),
	})
	out, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String("x")})
	if err != nil {
		return nil, "", err
	}
	image := func(in map[string]types.AttributeValue) item.Item {
		m := must(attributevalue.FromDynamoDBStreamsMap(in))
		if len(m) == 0 {
			return nil
		}
		return attribute.ToItems([]map[string]ddb.AttributeValue{m})[0]
	}
	for _, r := range out.Records {
		d := r.Dynamodb
		if d == nil {
			d = &types.StreamRecord{}
		}
		records = append(records, Record{
			Sequence: aws.ToString(d.SequenceNumber), At: aws.ToTime(d.ApproximateCreationDateTime),
			Old: image(d.OldImage), New: image(d.NewImage), Size: aws.ToInt64(d.SizeBytes),
		})
	}
	return records, aws.ToString(out.NextShardIterator), nil
}

// TestRecordsAreThoseOfTheSDK: each body is read as the SDK reads it.
func TestRecordsAreThoseOfTheSDK(t *testing.T) {
	const image = `{"PK":{"S":"a\u00e9\""},"n":{"N":"1.5"},"b":{"B":"AAEC"},"l":{"L":[{"BOOL":true},{"NULL":true}]},
		"m":{"M":{"x":{"SS":["p","q"]}}},"s":{"NS":["1","2"]}}`
	for name, body := range map[string]string{
		"none":            `{"Records":[],"NextShardIterator":"next"}`,
		"a closed shard":  `{"Records":[]}`,
		"null":            `{"Records":null,"NextShardIterator":null}`,
		"without content": `{"Records":[{"eventID":"1"}]}`,
		"an insert": `{"NextShardIterator":"n\u0065xt","Records":[{"eventID":"1","eventName":"INSERT",
			"userIdentity":{"type":"Service"},
			"dynamodb":{"Keys":{"PK":{"S":"a"}},"NewImage":` + image + `,"SequenceNumber":"4421584500000000017450439091",
			"SizeBytes":76,"StreamViewType":"NEW_AND_OLD_IMAGES","ApproximateCreationDateTime":1.46480424E9}}]}`,
		"a change and a deletion": `{"Records":[
			{"dynamodb":{"OldImage":` + image + `,"NewImage":{"PK":{"S":"b"}},"SequenceNumber":"2",
				"ApproximateCreationDateTime":1795344625.25}},
			{"dynamodb":{"OldImage":` + image + `,"NewImage":{},"SequenceNumber":"3","SizeBytes":12,
				"ApproximateCreationDateTime":1795344626}}]}`,
		"cut":             `{"Records":[{"dynamodb":{"NewImage":{"PK":{"S":"b"}}`,
		"no JSON":         `<html>`,
		"a type mismatch": `{"Records":[{"dynamodb":{"SequenceNumber":2}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			want, wantNext, wantErr := sdkRecords(t.Context(), t, body)
			page, err := ParseRecords(body)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("the error is %v, that of the SDK %v", err, wantErr)
			}
			if err != nil {
				return
			}
			byName := cmpopts.SortSlices(func(a, b item.Attribute) bool { return a.Name < b.Name })
			options := cmp.Options{byName, cmpopts.EquateEmpty()}
			if diff := cmp.Diff(want, page.Records, options); diff != "" || page.Next != wantNext {
				t.Errorf("next is %q, that of the SDK %q; (-SDK +got)\n%s", page.Next, wantNext, diff)
			}
		})
	}
}

// TestGetRecords: the request is that of the SDK, and has connections of its own, which are used again.
func TestGetRecords(t *testing.T) {
	t.Parallel()
	bodies := make(chan string, 1)
	s := serve(t, false, func(c *connection) {
		for {
			r, err := http.ReadRequest(c.in)
			if err != nil {
				return
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetItem") {
				c.send(ok(anItem))
				continue
			}
			bodies <- string(body)
			c.send(ok(`{"Records":[{"dynamodb":{"NewImage":{"PK":{"S":"A"}},"SequenceNumber":"7"}}],"NextShardIterator":"b"}`))
		}
	})
	client := newClient(t, s.url, 1)
	for range 2 {
		wantItem(t, client, 0)
		page := must(client.GetRecords(t.Context(), `a"`, 1000))
		if len(page.Records) != 1 || page.Records[0].New.Text("PK") != "A" || page.Next != "b" {
			t.Errorf("got %+v", page)
		}
		if got, want := <-bodies, `{"Limit":1000,"ShardIterator":"a\""}`; got != want {
			t.Errorf("the request is %s, want %s", got, want)
		}
	}
	if n := s.connections(); n != 2 {
		t.Errorf("%d connections, want one for the table and one for its stream", n)
	}
}

// TestGetRecordsFails: the code of an error is kept, and an empty response is not the end of a shard.
func TestGetRecordsFails(t *testing.T) {
	t.Parallel()
	const failure = `{"__type":"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException","message":"expired"}`
	rejection := fmt.Sprintf("HTTP/1.1 400 Bad Request\r\nContent-Length: %d\r\n\r\n%s", len(failure), failure)
	for response, want := range map[string]string{
		rejection: "ExpiredIteratorException",
		ok(""):    "ends too early",
	} {
		s := serve(t, false, func(c *connection) { c.answer(response) })
		_, err := newClient(t, s.url, 1).GetRecords(t.Context(), "a", 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
